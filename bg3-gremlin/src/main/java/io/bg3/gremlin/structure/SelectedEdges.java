package io.bg3.gremlin.structure;

import io.bg3.core.graph.Condition;
import io.bg3.core.graph.EdgeDirection;
import io.bg3.core.graph.EdgeLabel;
import io.bg3.core.graph.EdgeLookup;
import io.bg3.core.graph.EdgeScan;
import io.bg3.core.graph.FoundEdge;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.IncidentEdges;
import io.bg3.core.graph.SortOrder;
import io.bg3.gremlin.process.traversal.step.util.EdgeReads;
import io.bg3.gremlin.process.traversal.step.util.EdgeSelection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;

/**
 * Reads the edges of one vertex after the other that matter to a traversal: by the order of their
 * label, by an index of edges, or else with a heap of those that come first. Where none helps, all
 * edges are shown. Belongs to one thread.
 */
final class SelectedEdges implements EdgeReads {
  /** So many edges are read at first where all in a range matter. */
  private static final int FIRST_READ = 256;

  /** Edges that are counted between two looks for an interrupt. */
  private static final int CHECK_EACH = 1024;

  private final Bg3Graph graph;
  private final Direction direction;
  private final EdgeSelection wanted;
  private final Consumer<List<String>> used;
  private final String[] labels;
  private final List<Condition> conditions;

  /** Then each of its edges comes twice, as from {@link Vertex#edges}, and an index has it once. */
  private final boolean namesALabelTwice;

  private GraphTransaction asked; // for the edges by an index; null before
  private IncidentEdges incident; // null if there is no index

  /**
   * @param wanted the first edges by a property only of one label, out of vertices
   * @param used is told the names of the indexes whenever an index finds edges of a vertex
   */
  SelectedEdges(
      Bg3Graph graph,
      Direction direction,
      EdgeSelection wanted,
      Consumer<List<String>> used,
      String... labels) {
    assert wanted.key() == null || (direction == Direction.OUT && labels.length == 1) : wanted;
    this.graph = graph;
    this.direction = direction;
    this.wanted = wanted;
    this.used = used;
    this.labels = labels;
    this.conditions = wanted.sought();
    this.namesALabelTwice = Stream.of(labels).distinct().count() < labels.length;
  }

  /**
   * The edges. They come in the order of an index if one has found them. Else, where only the first
   * by a property are wanted, and where the label was ordered before its first edge, they come in
   * the order in which {@link Vertex#edges} shows them.
   */
  @Override
  public Iterator<Edge> of(Vertex vertex) {
    Iterator<Edge> found = null;
    if (vertex instanceof Bg3Vertex own && own.graph() == graph) {
      found = selected(own);
    }
    return found == null ? vertex.edges(direction, labels) : found;
  }

  /** Announces the edges of each vertex that are read first. */
  @Override
  public void announce(int count, IntFunction<Object> vertex) {
    GraphTransaction in = graph.transaction().graph();
    if (!in.mayPrefetch()) {
      return;
    }
    long[] own =
        IntStream.range(0, count)
            .mapToObj(vertex)
            .filter(each -> each instanceof Bg3Vertex v && v.graph() == graph)
            .mapToLong(each -> ((Bg3Vertex) each).vertex())
            .toArray();
    EdgeLabel sorted = wanted.isAll() ? null : sortedLabel();
    if (sorted != null && isSorted(sorted)) {
      EdgeSelection.Range range = wanted.range(sorted.form().sortKey());
      boolean descending = order(sorted) == SortOrder.DESCENDING;
      in.prefetchSortedEdges(own, sorted, descending ? range.high() : range.low());
    } else {
      in.prefetchEdges(own, Bg3Vertex.directionOf(direction), labels); // few are read by an index
    }
  }

  @Override
  public long count(Vertex vertex) {
    if (vertex instanceof Bg3Vertex own && own.graph() == graph) {
      EdgeLabel sorted = sortedLabel();
      if (sorted != null && wanted.isRange(sorted.form().sortKey())) {
        return countSorted(own, sorted);
      }
    }
    long found = 0;
    Iterator<Edge> edges = of(vertex);
    try {
      while (edges.hasNext()) {
        found += wanted.test(edges.next()) ? 1 : 0;
      }
    } finally {
      CloseableIterator.closeIterator(edges);
    }
    return found;
  }

  private long countSorted(Bg3Vertex vertex, EdgeLabel declared) {
    OpenTransaction transaction = graph.transaction();
    transaction.requireUsable();
    long found = 0;
    try (EdgeScan scan = scan(transaction, vertex, declared, declared.form().order(), FIRST_READ)) {
      while (scan.next(Interrupts::check)) {
        if (found++ % CHECK_EACH == 0) {
          Interrupts.check();
        }
      }
    }
    return found;
  }

  /** The edges of a sorted label whose sort keys are wanted. */
  private EdgeScan scan(
      OpenTransaction transaction,
      Bg3Vertex vertex,
      EdgeLabel declared,
      SortOrder order,
      int firstRead) {
    EdgeSelection.Range range = wanted.range(declared.form().sortKey());
    return transaction
        .graph()
        .sortedEdges(vertex.vertex(), declared, range.low(), range.high(), order, firstRead);
  }

  private Iterator<Edge> selected(Bg3Vertex vertex) {
    EdgeLabel sorted = sortedLabel();
    String sortKey = sorted == null ? null : sorted.form().sortKey();
    boolean isSorted = sorted != null && isSorted(sorted);
    Iterator<Edge> found = isSorted ? sorted(vertex, sorted) : byIndex(vertex);
    if (found == null && sortKey == null && wanted.key() != null && wanted.alone()) {
      found = top(vertex);
    }
    return found;
  }

  /** Whether the edges that matter are found by the order of their label. */
  private boolean isSorted(EdgeLabel sorted) {
    String sortKey = sorted.form().sortKey();
    return wanted.key() == null ? wanted.bounds(sortKey) : wanted.key().equals(sortKey);
  }

  /** The order in which the edges of a sorted label are read. */
  private SortOrder order(EdgeLabel sorted) {
    if (wanted.key() == null) {
      return sorted.form().order();
    }
    return wanted.descending() ? SortOrder.DESCENDING : SortOrder.ASCENDING;
  }

  /** The label whose edges out of a vertex stand in its order; null if there is none. */
  private EdgeLabel sortedLabel() {
    if (direction != Direction.OUT || labels.length != 1) {
      return null;
    }
    EdgeLabel declared = graph.graphStore().declaredEdgeLabel(labels[0]);
    return declared != null && graph.transaction().graph().isSorted(declared) ? declared : null;
  }

  /** The edges as indexes find them; null if they are not to be asked for any. */
  @SuppressWarnings("unchecked") // an array of a generic class
  private Iterator<Edge> byIndex(Bg3Vertex vertex) {
    if (conditions.isEmpty() || wanted.key() != null || namesALabelTwice || incident() == null) {
      return null;
    }
    if (direction != Direction.BOTH) {
      return byIndex(vertex, direction);
    }
    Iterator<Edge> out = byIndex(vertex, Direction.OUT);
    Iterator<Edge> in = byIndex(vertex, Direction.IN);
    if (out == null && in == null) {
      return null;
    }
    return IteratorUtils.concat(
        out == null ? vertex.edges(Direction.OUT, labels) : out,
        in == null ? vertex.edges(Direction.IN, labels) : in);
  }

  private Iterator<Edge> byIndex(Bg3Vertex vertex, Direction oneWay) {
    EdgeLookup found =
        incident.of(
            vertex.vertex(), oneWay == Direction.OUT ? EdgeDirection.OUT : EdgeDirection.IN);
    if (found == null) {
      return null;
    }
    used.accept(found.indexes());
    return new FoundEdgeIterator(graph, graph.transaction(), found, edge -> true, read -> {});
  }

  private IncidentEdges incident() {
    GraphTransaction transaction = graph.transaction().graph();
    if (asked != transaction) {
      incident = transaction.incidentEdges(conditions, labels);
      asked = transaction;
    }
    return incident;
  }

  private Iterator<Edge> sorted(Bg3Vertex vertex, EdgeLabel declared) {
    boolean isPart = wanted.key() != null;
    SortOrder order = order(declared);
    OpenTransaction transaction = graph.transaction();
    EdgeScan scan =
        scan(transaction, vertex, declared, order, isPart ? wanted.most() + 1 : FIRST_READ);
    if (!isPart) {
      return new EdgeIterator(graph, transaction, scan, edge -> true);
    }
    List<Edge> first = first(new EdgeIterator(graph, transaction, scan, wanted::test), scan);
    if (order != declared.form().order()) {
      Collections.reverse(first);
    }
    return first.iterator();
  }

  /** The first edges, and those behind them whose sort key equals that of the last. */
  private List<Edge> first(EdgeIterator edges, EdgeScan scan) {
    List<Edge> first = new ArrayList<>();
    try (edges) {
      long last = 0;
      while (edges.hasNext() && (first.size() < wanted.most() || scan.sortKey() == last)) {
        last = scan.sortKey();
        first.add(edges.next());
      }
    }
    return first;
  }

  /** The first edges of a label that has no order; null if they cannot be told by their numbers. */
  private Iterator<Edge> top(Bg3Vertex vertex) {
    GraphTransaction transaction = graph.transaction().graph();
    List<FoundEdge> found =
        transaction.topEdges(
            vertex.vertex(),
            labels[0],
            wanted.key(),
            wanted.descending() ? SortOrder.DESCENDING : SortOrder.ASCENDING,
            wanted.most(),
            edge -> wanted.test(edge(transaction, edge)),
            Interrupts::check);
    return found == null ? null : found.stream().map(edge -> edge(transaction, edge)).iterator();
  }

  private Edge edge(GraphTransaction transaction, FoundEdge found) {
    return new Bg3Edge(graph, found.edge(), null).with(transaction, found.record());
  }
}

package io.bg3.gremlin.structure;

import io.bg3.core.graph.EdgeLabel;
import io.bg3.core.graph.EdgeScan;
import io.bg3.core.graph.FoundEdge;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.SortOrder;
import io.bg3.gremlin.process.traversal.step.util.EdgeSelection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/**
 * Reads the edges out of one vertex that matter to a traversal: by the order of their label, or
 * else with a heap of those that come first. Where neither helps, all edges are shown. Belongs to
 * one thread.
 */
final class SelectedEdges {
  /** So many edges are read at first where all in a range matter. */
  private static final int FIRST_READ = 256;

  private final Bg3Graph graph;
  private final String label;
  private final EdgeSelection wanted;

  SelectedEdges(Bg3Graph graph, String label, EdgeSelection wanted) {
    this.graph = graph;
    this.label = label;
    this.wanted = wanted;
  }

  /**
   * The edges. Where only the first by a property are wanted, and where the label was ordered
   * before its first edge, they come in the order in which {@link Vertex#edges} shows them.
   */
  Iterator<Edge> of(Vertex vertex) {
    Iterator<Edge> found = null;
    if (vertex instanceof Bg3Vertex own && own.graph() == graph) {
      EdgeLabel declared = graph.graphStore().declaredEdgeLabel(label);
      boolean isSorted = declared != null && graph.transaction().graph().isSorted(declared);
      String sortKey = isSorted ? declared.form().sortKey() : null;
      if (sortKey != null && (wanted.key() == null || wanted.key().equals(sortKey))) {
        found = sorted(own, declared);
      } else if (sortKey == null && wanted.key() != null && wanted.alone()) {
        found = top(own);
      }
    }
    return found == null ? vertex.edges(Direction.OUT, label) : found;
  }

  private Iterator<Edge> sorted(Bg3Vertex vertex, EdgeLabel declared) {
    EdgeSelection.Range range = wanted.range(declared.form().sortKey());
    boolean isPart = wanted.key() != null;
    SortOrder order =
        isPart
            ? wanted.descending() ? SortOrder.DESCENDING : SortOrder.ASCENDING
            : declared.form().order();
    OpenTransaction transaction = graph.transaction();
    EdgeScan scan =
        transaction
            .graph()
            .sortedEdges(
                vertex.vertex(),
                declared,
                range.low(),
                range.high(),
                order,
                isPart ? wanted.most() + 1 : FIRST_READ);
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
            label,
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

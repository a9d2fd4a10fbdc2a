package io.bg3.gremlin.process.computer;

import java.lang.ref.Cleaner;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.process.computer.GraphComputer;
import org.apache.tinkerpop.gremlin.process.computer.GraphFilter;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.apache.tinkerpop.gremlin.structure.util.wrapped.WrappedVertex;

/**
 * A snapshot of a graph with what a vertex program computes: the graph that the program works on,
 * and afterwards its result. It is read only: its elements come from the snapshot and the columns
 * whenever they are asked for. It holds the snapshot until it is closed or garbage.
 *
 * <p>It may be computed on in its turn; the new graph lies over the old one.
 *
 * <p>Threads: while a program runs, each vertex belongs to one worker; afterwards any.
 */
public final class ComputedGraph implements Graph {
  private final SnapshotSource source;
  private final SnapshotHolder holder;
  private final Cleaner.Cleanable share;
  private final ComputedGraph below; // null if this lies over the store's graph
  private final GraphFilter filter;
  private final VertexNumbers numbers;
  private final Blocks blocks;
  private final Map<String, Column> columns = new HashMap<>();
  private final Set<String> taken = new HashSet<>(); // keys whose values from below are here
  private boolean computes = true; // written while no worker runs
  private boolean hasEdges;

  /**
   * A graph for a program to work on.
   *
   * @param below the result of another program that this one works on; null for the store's graph
   * @param keys of the values that the program computes
   */
  ComputedGraph(
      SnapshotSource source,
      SnapshotHolder holder,
      ComputedGraph below,
      GraphFilter filter,
      int workers,
      Set<String> keys) {
    this.source = source;
    this.holder = holder;
    this.share = holder.share(this);
    this.below = below;
    this.filter = filter;
    this.hasEdges = below == null || below.hasEdges;
    this.numbers = filter.hasVertexFilter() || below == null ? count() : below.numbers;
    this.blocks = Blocks.of(numbers.count(), workers);
    for (String key : keys) {
      Column column = new Column(blocks);
      columns.put(key, column);
      if (below != null && below.computed(key) != null) {
        taken.add(key);
        copy(key, column);
      }
    }
  }

  /** Begins with the values that the program below has computed with a key. */
  private void copy(String key, Column into) {
    Column from = below.computed(key);
    for (int number = 0; number < numbers.count(); number++) {
      Object value = from.get(below.numbers.of(numbers.id(number)));
      if (value != null) {
        into.set(number, value);
      }
    }
  }

  /** The column of a key that this program or one below has computed, null if none has. */
  private Column computed(String key) {
    Column own = columns.get(key);
    return own != null || below == null || below.numbers != numbers ? own : below.computed(key);
  }

  private VertexNumbers count() {
    long most = below == null ? snapshot().vertexCount() : below.numbers.count();
    VertexNumbers.Builder builder = new VertexNumbers.Builder(filter.hasVertexFilter() ? 16 : most);
    Iterator<Vertex> vertices = below == null ? snapshot().graph().vertices() : below.vertices();
    while (vertices.hasNext()) {
      Vertex vertex = vertices.next();
      if (filter.legalVertex(vertex)) {
        builder.add(internal(vertex));
      }
    }
    return builder.build();
  }

  SnapshotSource source() {
    return source;
  }

  SnapshotHolder holder() {
    return holder;
  }

  GraphSnapshot snapshot() {
    return holder.snapshot();
  }

  VertexNumbers numbers() {
    return numbers;
  }

  Blocks blocks() {
    return blocks;
  }

  GraphFilter filter() {
    return filter;
  }

  /** Whether vertices may not see all edges that the snapshot has. */
  boolean isFiltered() {
    return filter.hasEdgeFilter() || (below != null && below.isFiltered());
  }

  boolean hasEdges() {
    return hasEdges;
  }

  /** Whether the program is at work: then edges to vertices that are filtered out are shown. */
  boolean computes() {
    return computes;
  }

  /** The computed values by their keys. */
  Map<String, Column> columns() {
    return columns;
  }

  /** Drops the values of these keys: the program has ended. */
  void drop(Set<String> keys) {
    columns.keySet().removeAll(keys);
  }

  /**
   * Makes this the result of the program.
   *
   * @param withEdges whether it has edges
   */
  void complete(boolean withEdges) {
    computes = false;
    hasEdges &= withEdges;
  }

  /** Whether a vertex may have a property with this key that is not computed here. */
  boolean mayStore(String key) {
    if (columns.containsKey(key) && taken.contains(key)) {
      return false;
    }
    return below == null
        ? snapshot().mayHave(key)
        : below.columns.containsKey(key) || below.mayStore(key);
  }

  /** The vertex with a number. */
  ComputedVertex vertex(int number) {
    return new ComputedVertex(this, number);
  }

  /** The vertex without the values that are computed here. */
  Vertex under(int number) {
    long internal = numbers.id(number);
    if (below == null) {
      return snapshot().vertex(internal);
    }
    return below.vertex(below.numbers == numbers ? number : below.numbers.of(internal));
  }

  /** The number of a vertex of any graph that has its id; negative if this graph has none. */
  int number(Vertex vertex) {
    Vertex base = vertex;
    while (base instanceof WrappedVertex<?> wrapped) {
      base = (Vertex) wrapped.getBaseVertex();
    }
    if (base instanceof ComputedVertex computed && computed.graph().numbers == numbers) {
      return computed.number();
    }
    Long internal = known(base);
    return internal == null ? -1 : numbers.of(internal);
  }

  private Long known(Vertex base) {
    if (base instanceof ComputedVertex computed && computed.graph().holder == holder) {
      return computed.internal();
    }
    Long own = snapshot().internal(base);
    return own == null ? snapshot().find(base.id()) : own;
  }

  private long internal(Vertex vertex) {
    return vertex instanceof ComputedVertex computed
        ? computed.internal()
        : snapshot().internal(vertex);
  }

  /** A vertex of this graph in place of one that lies under it, or that if this graph lacks it. */
  Vertex seen(Vertex under) {
    int number = number(under);
    return number < 0 ? under : vertex(number);
  }

  @Override
  public Iterator<Vertex> vertices(Object... vertexIds) {
    if (vertexIds.length == 0) {
      return IntStream.range(0, numbers.count()).<Vertex>mapToObj(this::vertex).iterator();
    }
    return Stream.of(vertexIds)
        .mapToInt(this::number)
        .filter(number -> number >= 0)
        .<Vertex>mapToObj(this::vertex)
        .iterator();
  }

  private int number(Object id) {
    if (id instanceof Vertex vertex) {
      return number(vertex);
    }
    Long internal = id == null ? null : snapshot().find(id);
    return internal == null ? -1 : numbers.of(internal);
  }

  @Override
  public Iterator<Edge> edges(Object... edgeIds) {
    if (!hasEdges) {
      return Collections.emptyIterator();
    }
    Graph under = below == null ? snapshot().graph() : below;
    return ComputedEdge.seen(this, under.edges(edgeIds));
  }

  @Override
  @SuppressWarnings("unchecked") // the class is compared
  public <C extends GraphComputer> C compute(Class<C> graphComputerClass) {
    if (graphComputerClass != Bg3GraphComputer.class) {
      throw Graph.Exceptions.graphDoesNotSupportProvidedGraphComputer(graphComputerClass);
    }
    return (C) compute();
  }

  @Override
  public GraphComputer compute() {
    return new Bg3GraphComputer(this);
  }

  @Override
  public Vertex addVertex(Object... keyValues) {
    throw Graph.Exceptions.vertexAdditionsNotSupported();
  }

  @Override
  public Transaction tx() {
    throw Graph.Exceptions.transactionsNotSupported();
  }

  @Override
  public Variables variables() {
    throw Graph.Exceptions.variablesNotSupported();
  }

  @Override
  public Configuration configuration() {
    return new BaseConfiguration();
  }

  @Override
  public Features features() {
    return new ComputedFeatures();
  }

  /** Lets go of the snapshot, which graphs that were computed from this one may still hold. */
  @Override
  public void close() {
    share.clean();
  }

  @Override
  public String toString() {
    return StringFactory.graphString(
        this, "vertices:" + numbers.count() + " computed:" + columns.keySet());
  }
}

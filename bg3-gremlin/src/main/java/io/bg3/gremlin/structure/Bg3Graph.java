package io.bg3.gremlin.structure;

import io.bg3.Setting;
import io.bg3.StoreStats;
import io.bg3.core.graph.Condition;
import io.bg3.core.graph.EdgeLabel;
import io.bg3.core.graph.EdgeLookup;
import io.bg3.core.graph.EdgeScan;
import io.bg3.core.graph.ElementKind;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.VertexLookup;
import io.bg3.core.graph.VertexScan;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.VertexId;
import io.bg3.gremlin.process.computer.Bg3GraphComputer;
import io.bg3.gremlin.process.computer.GraphSnapshot;
import io.bg3.gremlin.process.computer.SnapshotSource;
import io.bg3.gremlin.process.traversal.step.util.EdgeReads;
import io.bg3.gremlin.process.traversal.step.util.EdgeSelection;
import io.bg3.gremlin.process.traversal.step.util.Hop;
import io.bg3.gremlin.process.traversal.step.util.NeighbourLookup;
import io.bg3.gremlin.process.traversal.step.util.PathLookup;
import io.bg3.gremlin.process.traversal.step.util.SeenVertices;
import io.bg3.gremlin.process.traversal.step.util.StepReads;
import io.bg3.gremlin.process.traversal.strategy.finalization.Bg3ProfileStrategy;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3DropStepStrategy;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3EdgeStepStrategy;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3GraphCountStrategy;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3GraphStepStrategy;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3MergeEdgeStepStrategy;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3MergeVertexStepStrategy;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3NeighbourFilterStrategy;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3SkipStrategy;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3VertexStepStrategy;
import io.bg3.gremlin.process.traversal.strategy.verification.Bg3ServiceVerificationStrategy;
import io.bg3.gremlin.process.traversal.util.Bg3TraversalStrategies;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.process.computer.GraphComputer;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategies;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.AdjacentToIncidentStrategy;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/**
 * A BG3 store as a TinkerPop graph.
 *
 * <pre>
 *   try (Bg3Graph graph = Bg3Graph.open("air")) {
 *     graph.traversal().addV("airport").property("code", "SZG").iterate();
 *     graph.tx().commit();
 *   }
 * </pre>
 *
 * <p>Threads: any. Each has a transaction of its own ({@link #tx}), except in a graph that {@code
 * tx().createThreadedTx()} gave, which is one transaction for all.
 */
@Graph.OptIn(Graph.OptIn.SUITE_STRUCTURE_STANDARD)
@Graph.OptIn(Graph.OptIn.SUITE_PROCESS_EMBEDDED_STANDARD)
@Graph.OptIn(Graph.OptIn.SUITE_PROCESS_EMBEDDED_COMPUTER)
public final class Bg3Graph implements Graph, StepReads, SnapshotSource {
  static {
    TraversalStrategies.GlobalCache.registerStrategies(Bg3Graph.class, strategies());
  }

  private final Configuration configuration;
  private final StoreHandle store;
  private final Bg3VertexIds ids;
  private final Bg3Features features;
  private final Transaction transaction;
  private final TransactionSource transactions;
  private final Bg3ServiceRegistry services;
  private final Bg3GraphVariables variables;
  private final PathRoom.Spares rooms = new PathRoom.Spares();

  private Bg3Graph(Configuration configuration, Bg3GraphSettings settings) {
    this.configuration = configuration;
    this.store = new StoreHandle(SharedStore.open(settings.store()));
    this.ids = settings.ids();
    this.services = new Bg3ServiceRegistry();
    this.features = new Bg3Features(store().isPersistent(), ids, settings.cardinality());
    Bg3Transaction ofThreads = new Bg3Transaction(this, store, () -> new Bg3Graph(this, false));
    this.transaction = ofThreads;
    this.transactions = ofThreads;
    this.variables = new Bg3GraphVariables(transactions);
    AbandonedTransactions.watch(ofThreads);
  }

  /**
   * A graph that is one transaction of {@code parent} for all threads.
   *
   * @param readOnly whether it is a snapshot, which refuses changes
   */
  private Bg3Graph(Bg3Graph parent, boolean readOnly) {
    this.configuration = parent.configuration;
    this.store = new StoreHandle(parent.store.shared());
    this.ids = parent.ids;
    this.services = parent.services;
    this.features = parent.features;
    Bg3ThreadedTransaction threaded =
        new Bg3ThreadedTransaction(this, (Bg3Transaction) parent.transaction, readOnly);
    this.transaction = threaded;
    this.transactions = threaded;
    this.variables = new Bg3GraphVariables(transactions);
  }

  @SuppressWarnings("unchecked") // the array holds one class
  private static TraversalStrategies strategies() {
    return new Bg3TraversalStrategies(TraversalStrategies.GlobalCache.getStrategies(Graph.class))
        .removeStrategies(AdjacentToIncidentStrategy.class) // loose edges may have no ends to count
        .addStrategies(
            Bg3SkipStrategy.instance(),
            Bg3GraphStepStrategy.instance(),
            Bg3GraphCountStrategy.instance(),
            Bg3MergeEdgeStepStrategy.instance(),
            Bg3MergeVertexStepStrategy.instance(),
            Bg3DropStepStrategy.instance(),
            Bg3VertexStepStrategy.instance(),
            Bg3EdgeStepStrategy.instance(),
            Bg3NeighbourFilterStrategy.instance(),
            Bg3ProfileStrategy.instance(),
            Bg3ServiceVerificationStrategy.instance());
  }

  /** Opens a graph in memory, which is gone when it is closed. */
  public static Bg3Graph open() {
    return open(new BaseConfiguration());
  }

  /** Opens the graph in a directory, which is created if it is missing. */
  public static Bg3Graph open(String directory) {
    Configuration configuration = new BaseConfiguration();
    configuration.setProperty(Setting.DIRECTORY.key(), directory);
    return open(configuration);
  }

  /**
   * Opens a graph as {@code bg3.*} keys say; without {@code bg3.directory} it is in memory. Graphs
   * of one process that name the same directory share its store.
   *
   * @throws IllegalArgumentException if a key is not known or its value not allowed
   * @throws IllegalStateException if this process has the directory open with other settings
   * @throws java.io.UncheckedIOException if the store cannot be opened
   */
  public static Bg3Graph open(Configuration configuration) {
    return new Bg3Graph(configuration, Bg3GraphSettings.of(configuration));
  }

  boolean isClosed() {
    return store.isClosed();
  }

  SharedStore store() {
    return store.store();
  }

  /**
   * Sizes and counts of the store, for people and metrics.
   *
   * @throws IllegalStateException if the graph is closed
   */
  public StoreStats stats() {
    return store().stats();
  }

  /**
   * Why the store has stopped writing, as it does when the disk fails: every commit fails from then
   * on, until the store is opened again. Empty while it writes, and for a store that is read only.
   *
   * @throws IllegalStateException if the graph is closed
   */
  public Optional<Throwable> failure() {
    return store().failure();
  }

  /**
   * How long the transactions of threads have been open, in milliseconds, by thread. Each holds a
   * snapshot of that age.
   */
  public Map<Thread, Long> transactionMillis() {
    return transaction instanceof Bg3Transaction ofThreads ? ofThreads.agesMillis() : Map.of();
  }

  /**
   * The engine's own view of the graph in this store, below TinkerPop: retries, updates under lock,
   * links in the order of a sort key, counters, and reads without a transaction. Its transactions
   * are apart from {@link #tx}: they neither see what that one has not committed nor end with it.
   *
   * @throws IllegalStateException if the graph is closed
   */
  public GraphStore graphStore() {
    return store().graph();
  }

  /**
   * Has a guard asked before each commit of {@link #tx}, whatever the commit comes from. Services
   * that commit by themselves do not ask it.
   */
  public void guardCommits(CommitGuard guard) {
    store.guardCommits(guard);
  }

  /**
   * Asks the guard before a service of BG3's own writes; does nothing without a guard.
   *
   * @throws RuntimeException the guard's, if it refuses
   */
  public void beforeServiceWrites() {
    CommitGuard guard = store.commitGuard();
    if (guard != null) {
      guard.beforeServiceWrites();
    }
  }

  /**
   * Reads the graph below TinkerPop, in the transaction of {@link #tx} if it is open, with its
   * uncommitted changes, or else in the newest snapshot.
   *
   * @param question reads; it neither ends the transaction nor keeps it
   * @return what {@code question} returns
   * @throws IllegalStateException if the graph is closed
   */
  public <T> T read(Function<GraphTransaction, T> question) {
    if (tx().isOpen()) {
      return question.apply(transaction().graph());
    }
    try (GraphTransaction snapshot = graphStore().beginReadOnly()) {
      return question.apply(snapshot);
    }
  }

  /**
   * Opens a read-only transaction for the calling thread, as {@code tx().open()} opens one that may
   * write. It shows what any transaction that opens at this moment shows, remembers nothing of what
   * it reads, and never conflicts. A change in it throws {@code IllegalStateException} and does not
   * end it; {@code tx().commit()} and {@code tx().rollback()} do.
   *
   * @throws IllegalStateException if the thread has a transaction, if this graph is one threaded
   *     transaction, or if it is closed
   */
  public void openReadOnly() {
    if (!(transaction instanceof Bg3Transaction ofThreads)) {
      throw Transaction.Exceptions.transactionAlreadyOpen();
    }
    ofThreads.openReadOnly();
  }

  /** The transaction of the calling thread. */
  OpenTransaction transaction() {
    return transactions.current();
  }

  @Override
  public Vertex addVertex(Object... keyValues) {
    return Bg3Vertex.add(this, keyValues);
  }

  /** The vertex with an internal id; whether it exists is not looked at. */
  Bg3Vertex vertex(GraphTransaction in, long vertex) {
    Object id = VertexId.isReserved(vertex) ? ids.shown(in.vertexId(vertex)) : null;
    return new Bg3Vertex(this, vertex, id);
  }

  /** How ids are shown. */
  Bg3VertexIds ids() {
    return ids;
  }

  /** The internal id of a vertex that a caller passes. */
  long internal(GraphTransaction in, Vertex vertex) {
    if (vertex instanceof Bg3Vertex own && own.graph().store.shared() == store.shared()) {
      return own.vertex();
    }
    Long found = in.findVertex(vertex.id());
    if (found == null) {
      throw new IllegalStateException("the vertex does not exist: id=" + vertex.id());
    }
    return found;
  }

  @Override
  public Iterator<Vertex> vertices(Object... vertexIds) {
    return vertexIds.length == 0
        ? allVertices(List.of(), vertex -> true, read -> {})
        : new VerticesById(this).find(vertexIds);
  }

  @Override
  public Iterator<Vertex> verticesToRead(Object... vertexIds) {
    return new VerticesById(this).read(vertexIds);
  }

  @Override
  public void announceEnds(Direction direction, int count, IntFunction<Object> edge) {
    GraphTransaction in = transaction().graph();
    if (in.mayPrefetch()) {
      long[] ends =
          IntStream.range(0, count)
              .mapToObj(edge)
              .filter(each -> each instanceof Bg3Edge own && own.graph() == this)
              .flatMapToLong(each -> ((Bg3Edge) each).ends(direction))
              .toArray();
      in.prefetchVertices(ends.length, i -> ends[i]);
    }
  }

  @Override
  public BooleanSupplier unchanged() {
    OpenTransaction open = transaction();
    int seen = open.graph().changes();
    return () -> {
      open.requireGoesOn(this);
      return open.graph().changes() == seen;
    };
  }

  @Override
  public boolean isThere(Object edge) {
    return !(edge instanceof Bg3Edge own && own.graph() == this) || own.exists();
  }

  @Override
  public Iterator<Vertex> allVertices(
      List<String> labels, Predicate<Vertex> test, LongConsumer read) {
    OpenTransaction open = transaction();
    VertexScan scan = open.graph().vertices(labels.toArray(String[]::new));
    return new VertexIterator(this, open, scan, test, read);
  }

  @Override
  public <E extends Element> Iterator<E> collected(Iterator<E> elements, long most) {
    List<E> all = new ArrayList<>();
    try {
      while (all.size() < most && elements.hasNext()) {
        E element = elements.next();
        if (element instanceof Bg3Element own) {
          own.forgetRecord();
        }
        all.add(element);
      }
    } finally {
      CloseableIterator.closeIterator(elements);
    }
    return all.iterator();
  }

  @Override
  public Iterator<Vertex> indexedVertices(
      List<String> labels,
      List<Condition> conditions,
      Predicate<Vertex> test,
      LongConsumer read,
      Consumer<List<String>> used) {
    OpenTransaction open = transaction();
    VertexLookup found = open.graph().lookUp(conditions, labels.toArray(String[]::new));
    if (found == null) {
      return null;
    }
    used.accept(found.indexes());
    return new VertexIterator(this, open, found, test, read);
  }

  @Override
  public Iterator<Edge> indexedEdges(
      List<String> labels,
      List<Condition> conditions,
      Predicate<Edge> test,
      LongConsumer read,
      Consumer<List<String>> used) {
    OpenTransaction open = transaction();
    EdgeLookup found = open.graph().lookUpEdges(conditions, labels.toArray(String[]::new));
    if (found == null) {
      return null;
    }
    used.accept(found.indexes());
    return new FoundEdgeIterator(this, open, found, test, read);
  }

  @Override
  public List<String> indexes(
      Class<?> elementClass, List<String> labels, List<Condition> conditions) {
    ElementKind kind =
        Vertex.class.isAssignableFrom(elementClass) ? ElementKind.VERTEX : ElementKind.EDGE;
    return isClosed() ? List.of() : graphStore().indexesFor(kind, conditions, labels);
  }

  @Override
  public Iterator<Edge> edges(Object... edgeIds) {
    OpenTransaction open = transaction();
    if (edgeIds.length == 0) {
      EdgeScan scan = open.graph().edges(true);
      return new EdgeIterator(this, open, scan, edge -> true);
    }
    GraphTransaction in = open.graph();
    List<Edge> found = new ArrayList<>(edgeIds.length);
    for (Object id : edgeIds) {
      EdgeId edge = id == null ? null : in.findEdge(id instanceof Edge e ? e.id() : id);
      EdgeRecord record = edge == null ? null : in.edge(edge);
      if (record != null) {
        found.add(new Bg3Edge(this, edge, null).with(in, record));
      }
    }
    return found.iterator();
  }

  @Override
  public CloseableIterator<Edge> edgesBetween(
      Object source, String label, Object target, Predicate<Edge> test) {
    OpenTransaction open = transaction();
    boolean loose = isLoose(label); // else an edge says that both ends exist
    Long from = VerticesById.end(open.graph(), source, loose);
    Long to = from == null ? null : VerticesById.end(open.graph(), target, loose);
    if (to == null) {
      return CloseableIterator.empty();
    }
    EdgeScan scan = open.graph().edgesBetween(from, label, to, true);
    return new EdgeIterator(this, open, scan, test);
  }

  /** Whether a label is declared as loose. */
  private boolean isLoose(String label) {
    EdgeLabel declared = graphStore().declaredEdgeLabel(label);
    return declared != null && declared.form().loose();
  }

  @Override
  public boolean hasEdge(Vertex source, String label, Vertex target, Direction seen) {
    if (label == null || (seen == Direction.IN && isLoose(label))) {
      return false;
    }
    GraphTransaction in = transaction().graph();
    try (EdgeScan scan =
        in.edgesBetween(internal(in, source), label, internal(in, target), false)) {
      return scan.next(Interrupts::check);
    }
  }

  @Override
  public void removeEdges(Vertex vertex, Direction direction, String... labels) {
    if (vertex instanceof Bg3Vertex own && own.graph() == this) {
      own.removeEdges(direction, labels);
    } else {
      vertex.edges(direction, labels).forEachRemaining(Edge::remove);
    }
  }

  @Override
  public void removeVertices(List<Vertex> vertices) {
    Bg3Vertex.removeAll(this, vertices);
  }

  @Override
  public EdgeReads edges(
      Direction direction, EdgeSelection wanted, Consumer<List<String>> used, String... labels) {
    return new SelectedEdges(this, direction, wanted, used, labels);
  }

  @Override
  public long count(Class<?> elementClass, String label) {
    GraphTransaction in = transaction().graph();
    if (Vertex.class.isAssignableFrom(elementClass)) {
      return label == null ? in.vertexCount() : in.vertexCount(label);
    }
    return label == null ? in.edgeCount() : in.edgeCount(label);
  }

  @Override
  public Map<String, Long> countByLabel(Class<?> elementClass) {
    GraphTransaction in = transaction().graph();
    return Vertex.class.isAssignableFrom(elementClass) ? in.vertexCounts() : in.edgeCounts();
  }

  @Override
  public NeighbourLookup neighbours(
      Direction direction, NeighbourLookup.Use use, String... labels) {
    return new NeighbourGroup(this, direction, use, labels);
  }

  @Override
  public NeighbourLookup neighbours(
      List<HasContainer> conditions, Direction direction, String... labels) {
    return new NeighbourGroup(this, direction, conditions, labels);
  }

  @Override
  public PathLookup paths(
      List<Hop> hops, boolean countsEdges, boolean countsStarts, boolean different) {
    SeenVertices seen = different ? new SeenVertices() : null;
    return new PathGroup(this, rooms, hops, countsEdges, countsStarts, seen);
  }

  @Override
  @SuppressWarnings("unchecked") // the class is compared
  public <C extends GraphComputer> C compute(Class<C> graphComputerClass) {
    if (graphComputerClass != Bg3GraphComputer.class) {
      throw Graph.Exceptions.graphDoesNotSupportProvidedGraphComputer(graphComputerClass);
    }
    return (C) compute();
  }

  /**
   * A computer for programs over the whole graph. It reads what is committed when it is submitted.
   *
   * @throws IllegalStateException if this graph is one threaded transaction, whose changes no
   *     computation would see
   */
  @Override
  public GraphComputer compute() {
    if (transactions.isThreaded()) {
      throw new IllegalStateException(
          "a computation reads what is committed, so it begins from the graph itself: " + this);
    }
    return new Bg3GraphComputer(this);
  }

  @Override
  public GraphSnapshot openSnapshot() {
    if (transaction.isOpen() && transaction().graph().hasWrites()) {
      throw new IllegalStateException(
          "the thread has changes that are not committed, which a computation would not see; commit"
              + " or roll back first: "
              + this);
    }
    return new Bg3Snapshot(new Bg3Graph(this, true));
  }

  @Override
  public Graph original() {
    return this;
  }

  @Override
  public void forgetThread() {
    if (transaction.isOpen()) {
      transaction.rollback();
    }
  }

  @Override
  public Transaction tx() {
    return transaction;
  }

  /**
   * Ends all transactions of this graph, whatever their threads are doing (that of the calling
   * thread as {@code tx().onClose} says, the others by rolling back), and closes the store if no
   * other graph of this process uses it. Closing again does nothing.
   *
   * @throws IllegalStateException if the calling thread's transaction is open and {@code
   *     tx().onClose} was told that it must not be; the graph stays open then
   * @throws org.apache.tinkerpop.gremlin.structure.util.TransactionException if that transaction
   *     was to be committed and could not be; the graph is closed
   */
  @Override
  public void close() {
    if (store.isClosed()) {
      return;
    }
    try {
      if (transaction.isOpen()) {
        transaction.close();
      }
    } finally {
      if (!transaction.isOpen()) { // a commit that failed has ended it, too
        closeStore();
      }
    }
  }

  private void closeStore() {
    if (!store.markClosed() || transactions.isThreaded()) {
      return; // a threaded transaction's store is its parent's
    }
    Bg3Transaction ofThreads = (Bg3Transaction) transaction;
    AbandonedTransactions.forget(ofThreads);
    ofThreads.endAll();
    services.close();
    store.shared().close();
  }

  @Override
  public Variables variables() {
    return variables;
  }

  /** The services for {@code call()}; what an application registers is there for all threads. */
  @Override
  public Bg3ServiceRegistry getServiceRegistry() {
    return services;
  }

  /**
   * Whether a service is known to change nothing: its factory is a {@link ReadOnlyService}, or it
   * is the directory (null or {@code --list}).
   */
  @Override
  public boolean onlyReads(String service) {
    return services.onlyReads(service);
  }

  @Override
  public Configuration configuration() {
    return configuration;
  }

  @Override
  public Features features() {
    return features;
  }

  @Override
  public String toString() {
    return StringFactory.graphString(this, store.shared().toString());
  }
}

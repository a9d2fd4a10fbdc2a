package io.bg3.gremlin.process.computer;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.apache.tinkerpop.gremlin.process.computer.ComputerResult;
import org.apache.tinkerpop.gremlin.process.computer.GraphComputer;
import org.apache.tinkerpop.gremlin.process.computer.GraphFilter;
import org.apache.tinkerpop.gremlin.process.computer.MapReduce;
import org.apache.tinkerpop.gremlin.process.computer.VertexProgram;
import org.apache.tinkerpop.gremlin.process.computer.traversal.strategy.optimization.GraphFilterStrategy;
import org.apache.tinkerpop.gremlin.process.computer.util.GraphComputerHelper;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategies;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/**
 * Computes over a whole graph: {@code graph.compute()}, and {@code withComputer()} of a traversal
 * source. Everything is read from one snapshot, that of the moment of {@link #submit}, however long
 * the computation takes and whatever is written meanwhile.
 *
 * <p>With {@code ResultGraph.NEW} the result is a {@link ComputedGraph}, which reads the snapshot
 * and the computed values without a copy of the graph. With {@code ResultGraph.ORIGINAL} and a
 * persistence other than {@code NOTHING} the values are written to the graph, in commits of 500
 * vertices; a thread that has a transaction open sees them in its next one.
 *
 * <p>The snapshot ends when the result is closed or garbage, and is given up when it is older than
 * {@code bg3.transaction.age}: then the computation fails.
 *
 * <p>Threads: a computer belongs to one thread until it is submitted. The computation has a thread
 * of its own, which an interrupting {@code cancel} of its future ends, and workers.
 */
public final class Bg3GraphComputer implements GraphComputer {
  static {
    TraversalStrategies.GlobalCache.registerStrategies(Bg3GraphComputer.class, strategies());
  }

  private final SnapshotSource source;
  private final ComputedGraph below; // null to compute on the store's graph
  private final GraphFilter filter = new GraphFilter();
  private final Set<MapReduce<?, ?, ?, ?, ?>> jobs = new LinkedHashSet<>();
  private ResultGraph resultGraph; // null: as the program prefers
  private Persist persist; // null: as the program prefers
  private VertexProgram<?> program;
  private int workers = mostWorkers();
  private boolean submitted;

  /** A computer for a graph. */
  public Bg3GraphComputer(SnapshotSource source) {
    this.source = source;
    this.below = null;
  }

  /** A computer for the result of another program. */
  Bg3GraphComputer(ComputedGraph below) {
    this.source = below.source();
    this.below = below;
  }

  @SuppressWarnings("unchecked") // the array holds one class
  private static TraversalStrategies strategies() {
    return TraversalStrategies.GlobalCache.getStrategies(GraphComputer.class)
        .clone()
        .removeStrategies(GraphFilterStrategy.class); // each vertex would test its edges
  }

  private static int mostWorkers() {
    return Runtime.getRuntime().availableProcessors();
  }

  @Override
  public GraphComputer result(ResultGraph newResultGraph) {
    resultGraph = newResultGraph;
    return this;
  }

  @Override
  public GraphComputer persist(Persist newPersist) {
    persist = newPersist;
    return this;
  }

  @Override
  @SuppressWarnings("rawtypes") // as the interface has it
  public GraphComputer program(VertexProgram vertexProgram) {
    program = vertexProgram;
    return this;
  }

  @Override
  @SuppressWarnings({"rawtypes", "unchecked"}) // as the interface has it
  public GraphComputer mapReduce(MapReduce mapReduce) {
    jobs.add(mapReduce);
    return this;
  }

  /**
   * Sets the number of threads that compute; as many as there are processors without it.
   *
   * @param newWorkers 1 to {@link Features#getMaxWorkers}, which {@link #submit} checks
   */
  @Override
  public GraphComputer workers(int newWorkers) {
    workers = newWorkers;
    return this;
  }

  @Override
  public GraphComputer vertices(Traversal<Vertex, Vertex> vertexFilter) {
    filter.setVertexFilter(vertexFilter);
    return this;
  }

  @Override
  public GraphComputer edges(Traversal<Vertex, Edge> edgeFilter) {
    filter.setEdgeFilter(edgeFilter);
    return this;
  }

  @Override
  public GraphComputer vertexProperties(
      Traversal<Vertex, ? extends Property<?>> vertexPropertyFilter) {
    filter.setVertexPropertyFilter(vertexPropertyFilter);
    return this;
  }

  /**
   * Begins the computation.
   *
   * @throws IllegalStateException if this computer was submitted before, if it has neither a
   *     program nor a job, if the program needs what {@link #features} lacks, or if the calling
   *     thread has changes that are not committed
   * @throws IllegalArgumentException if values are to be written to the result of another program,
   *     which is read only ({@link Features#supportsResultGraphPersistCombination}), if there are
   *     fewer workers than one or more than {@link Features#getMaxWorkers}, or if a memory key is
   *     empty
   */
  @Override
  public Future<ComputerResult> submit() {
    if (submitted) {
      throw Exceptions.computerHasAlreadyBeenSubmittedAVertexProgram();
    }
    submitted = true;
    if (program == null && jobs.isEmpty()) {
      throw Exceptions.computerHasNoVertexProgramNorMapReducers();
    }
    if (program != null) {
      GraphComputerHelper.validateProgramOnComputer(this, program);
      program.getMapReducers().forEach(this::mapReduce);
    }
    if (workers < 1) {
      throw new IllegalArgumentException("a computation needs a worker: workers=" + workers);
    }
    if (workers > mostWorkers()) {
      throw Exceptions.computerRequiresMoreWorkersThanSupported(workers, mostWorkers());
    }
    return run(program);
  }

  @SuppressWarnings("rawtypes") // as TinkerPop's helper has it
  private <M> Future<ComputerResult> run(VertexProgram<M> of) {
    Optional<VertexProgram> any = Optional.ofNullable(of);
    ResultGraph wantedGraph =
        GraphComputerHelper.getResultGraphState(any, Optional.ofNullable(resultGraph));
    Persist wanted = GraphComputerHelper.getPersistState(any, Optional.ofNullable(persist));
    if (!features().supportsResultGraphPersistCombination(wantedGraph, wanted)) {
      throw Exceptions.resultGraphPersistCombinationNotSupported(wantedGraph, wanted);
    }
    SnapshotHolder holder =
        below == null ? new SnapshotHolder(source.openSnapshot()) : below.holder();
    Computation<M> computation =
        new Computation<>(source, holder, below, filter, workers, of, jobs, wantedGraph, wanted);
    var share = holder.share(computation); // until the result has its own
    FutureTask<ComputerResult> task =
        new FutureTask<>(
            () -> {
              try {
                return computation.call();
              } finally {
                share.clean();
              }
            });
    Thread thread =
        new Thread(
            () -> {
              task.run();
              share.clean(); // where it was cancelled before it began
            },
            "bg3-computer");
    thread.setDaemon(true);
    thread.start();
    return task;
  }

  @Override
  public Features features() {
    return new ComputerFeatures(mostWorkers(), below == null);
  }

  @Override
  public String toString() {
    return StringFactory.graphComputerString(this);
  }

  /** Programs compute properties of vertices; the topology and edges stay as they are. */
  private record ComputerFeatures(int getMaxWorkers, boolean isOnStore) implements Features {
    /** The result of a program is read only, so no other program writes to it. */
    @Override
    public boolean supportsResultGraphPersistCombination(ResultGraph result, Persist persist) {
      return isOnStore || result == ResultGraph.NEW || persist == Persist.NOTHING;
    }

    @Override
    public boolean supportsVertexAddition() {
      return false;
    }

    @Override
    public boolean supportsVertexRemoval() {
      return false;
    }

    @Override
    public boolean supportsVertexPropertyRemoval() {
      return false;
    }

    @Override
    public boolean supportsEdgeAddition() {
      return false;
    }

    @Override
    public boolean supportsEdgeRemoval() {
      return false;
    }

    @Override
    public boolean supportsEdgePropertyAddition() {
      return false;
    }

    @Override
    public boolean supportsEdgePropertyRemoval() {
      return false;
    }
  }
}

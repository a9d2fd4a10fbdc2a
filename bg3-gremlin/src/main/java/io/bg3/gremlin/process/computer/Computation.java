package io.bg3.gremlin.process.computer;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import org.apache.tinkerpop.gremlin.process.computer.ComputerResult;
import org.apache.tinkerpop.gremlin.process.computer.GraphComputer.Persist;
import org.apache.tinkerpop.gremlin.process.computer.GraphComputer.ResultGraph;
import org.apache.tinkerpop.gremlin.process.computer.GraphFilter;
import org.apache.tinkerpop.gremlin.process.computer.MapReduce;
import org.apache.tinkerpop.gremlin.process.computer.MessageCombiner;
import org.apache.tinkerpop.gremlin.process.computer.VertexComputeKey;
import org.apache.tinkerpop.gremlin.process.computer.VertexProgram;
import org.apache.tinkerpop.gremlin.process.computer.util.ComputerGraph;
import org.apache.tinkerpop.gremlin.process.computer.util.DefaultComputerResult;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.util.empty.EmptyGraph;

/**
 * One run of a program and of jobs, in a thread of its own.
 *
 * @param source the graph of the store
 * @param holder its snapshot, of which this has a share until the run ends
 * @param below the result that is computed on; null for the store's graph
 * @param filter which vertices, edges and properties the program sees
 * @param workers the number of threads
 * @param program null if there are only jobs
 * @param jobs run one after the other behind the program
 * @param resultGraph which graph the result has
 * @param persist what of the computed values it has
 */
record Computation<M>(
    SnapshotSource source,
    SnapshotHolder holder,
    ComputedGraph below,
    GraphFilter filter,
    int workers,
    VertexProgram<M> program,
    Set<MapReduce<?, ?, ?, ?, ?>> jobs,
    ResultGraph resultGraph,
    Persist persist)
    implements Callable<ComputerResult> {
  private static final long NANOS_A_MILLI = 1_000_000;

  /**
   * Runs to the end.
   *
   * @throws TraversalInterruptedException if the thread is interrupted
   */
  @Override
  public ComputerResult call() {
    long begin = System.nanoTime();
    ComputedGraph graph = new ComputedGraph(source, holder, below, filter, workers, keys(false));
    boolean isResult = false;
    try (Workers threads = new Workers(source, workers)) {
      ComputerMemory memory = new ComputerMemory(program, jobs);
      if (program != null) {
        run(graph, threads, memory);
        graph.drop(keys(true));
      }
      for (MapReduce<?, ?, ?, ?, ?> job : jobs) {
        new MapReduceJob<>(job, graph).run(threads, memory);
      }
      memory.setRuntime((System.nanoTime() - begin) / NANOS_A_MILLI);
      memory.complete();
      Graph result = result(graph);
      isResult = result == graph;
      return new DefaultComputerResult(result, memory.asImmutable());
    } catch (InterruptedException e) {
      throw interrupted(e);
    } finally {
      if (!isResult) {
        graph.close();
      }
    }
  }

  private static TraversalInterruptedException interrupted(InterruptedException cause) {
    TraversalInterruptedException interrupted = new TraversalInterruptedException();
    interrupted.initCause(cause);
    return interrupted;
  }

  private Set<String> keys(boolean onlyTransient) {
    return program == null
        ? Set.of()
        : program.getVertexComputeKeys().stream()
            .filter(key -> !onlyTransient || key.isTransient())
            .map(VertexComputeKey::getKey)
            .collect(Collectors.toSet());
  }

  private void run(ComputedGraph graph, Workers threads, ComputerMemory memory)
      throws InterruptedException {
    MessageCombiner<M> combiner = program.getMessageCombiner().orElse(null);
    MessageBoard<M> board =
        new MessageBoard<>(graph.blocks(), new Adjacencies(graph), graph.isFiltered(), combiner);
    program.setup(memory);
    boolean goesOn = true;
    while (goesOn) {
      MapReduceJob.checkInterrupt();
      memory.beginIteration();
      List<Iteration<M>> iterations = new ArrayList<>();
      for (int i = 0; i < threads.count(); i++) {
        iterations.add(new Iteration<>(graph, board, program.clone(), new WorkerMemory(memory)));
      }
      threads.round(graph.blocks(), iterations);
      iterations.forEach(each -> each.memory().mergeInto());
      board.endIteration();
      memory.endIteration();
      goesOn = !program.terminate(memory);
      memory.incrIteration();
    }
  }

  /** The work of one worker in one iteration. */
  private record Iteration<M>(
      ComputedGraph graph, MessageBoard<M> board, VertexProgram<M> program, WorkerMemory memory)
      implements Workers.Work {
    @Override
    public void run(IntSupplier blocks) {
      VertexMessenger<M> messenger = new VertexMessenger<>(graph, board);
      program.workerIterationStart(memory.asImmutable());
      for (int block = blocks.getAsInt(); block >= 0; block = blocks.getAsInt()) {
        int end = graph.blocks().end(block);
        for (int number = graph.blocks().first(block); number < end; number++) {
          MapReduceJob.checkInterrupt();
          ComputedVertex vertex = graph.vertex(number);
          messenger.at(vertex);
          program.execute(ComputerGraph.vertexProgram(vertex, program), messenger, memory);
        }
      }
      program.workerIterationEnd(memory.asImmutable());
    }
  }

  private Graph result(ComputedGraph graph) {
    if (resultGraph == ResultGraph.ORIGINAL) {
      if (persist != Persist.NOTHING) {
        new ComputedWrites(graph, source.original()).write();
      }
      return below == null ? source.original() : below;
    }
    if (persist == Persist.NOTHING) {
      return EmptyGraph.instance();
    }
    graph.complete(persist == Persist.EDGES);
    return graph;
  }
}

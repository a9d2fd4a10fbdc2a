package io.bg3.bench.olap;

import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.MetricFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.tinkerpop.gremlin.process.computer.ComputerResult;
import org.apache.tinkerpop.gremlin.process.computer.GraphComputer;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/** The process that measures one system: it loads the graph and runs every program. */
public final class OlapWorker {
  private static final double NANOS = 1e9;
  private static final int BATCH = 5_000;

  private final OlapTask task;
  private final Graph graph;
  private final String setting;
  private final List<Metric> figures = new ArrayList<>();
  private final HeapMeter heap = new HeapMeter();
  private int inBatch;

  private OlapWorker(OlapTask task, Graph graph) {
    this.task = task;
    this.graph = graph;
    this.setting = "vertices=" + task.vertices() + " edges=" + task.edges();
  }

  /** Measures what the arguments say ({@link OlapTask}) and leaves the figures in a file. */
  @SuppressWarnings("try") // TinkerPop's close() may throw anything
  public static void main(String[] arguments) throws Exception {
    OlapTask task = OlapTask.of(arguments);
    try (Graph graph = task.system().open(task.directory(), task.memory())) {
      OlapWorker worker = new OlapWorker(task, graph);
      worker.load(new PowerLawGraph(task.vertices(), task.edges(), task.seed()));
      for (OlapProgram program : OlapProgram.values()) {
        worker.measure(program);
      }
      MetricFile.write(
          task.results(), new MetricFile.Content(task.system().settings(), worker.figures));
    }
  }

  private void load(PowerLawGraph data) {
    long begin = System.nanoTime();
    Vertex[] vertices = new Vertex[data.sources()];
    for (int i = 0; i < vertices.length; i++) {
      vertices[i] = graph.addVertex(T.id, PowerLawGraph.id(i), T.label, "person");
      added();
    }
    long[] targets = new long[data.maxDegree()];
    for (int i = 0; i < vertices.length; i++) {
      int count = data.targets(i, targets);
      for (int j = 0; j < count; j++) {
        vertices[i].addEdge("knows", vertices[PowerLawGraph.index(targets[j])]);
        added();
      }
    }
    commit();
    double seconds = (System.nanoTime() - begin) / NANOS;
    figure("load", "edges/s", true, data.edges() / seconds);
  }

  private void added() {
    if (++inBatch == BATCH) {
      commit();
    }
  }

  private void commit() {
    inBatch = 0;
    if (graph.features().graph().supportsTransactions()) {
      graph.tx().commit();
    }
  }

  private void measure(OlapProgram program)
      throws ExecutionException, InterruptedException, IOException {
    List<Double> seconds = new ArrayList<>();
    List<Double> live = new ArrayList<>();
    List<Double> most = new ArrayList<>();
    String answer = "";
    for (int round = 0; round < task.rounds(); round++) {
      heap.reset();
      long begin = System.nanoTime();
      ComputerResult result =
          graph
              .compute()
              .program(program.create())
              .result(GraphComputer.ResultGraph.NEW)
              .persist(GraphComputer.Persist.VERTEX_PROPERTIES)
              .submit()
              .get();
      seconds.add((System.nanoTime() - begin) / NANOS);
      most.add(heap.most());
      live.add(heap.live());
      answer = answer(program, result.graph());
      close(result);
    }
    String system = task.system().text();
    figures.add(new Metric(program.text(), system, setting, "s", false, answer, seconds));
    figures.add(new Metric(program.text() + "-heap", system, setting, "MiB", false, "", live));
    figures.add(new Metric(program.text() + "-heap-most", system, setting, "MiB", false, "", most));
  }

  private String answer(OlapProgram program, Graph computed) throws IOException {
    OlapAnswer answer = new OlapAnswer(task.vertices());
    computed
        .vertices()
        .forEachRemaining(
            vertex -> answer.put(((Number) vertex.id()).longValue(), vertex.value(program.key())));
    return answer.checked(task.answers().resolve(program.text()));
  }

  private static void close(ComputerResult result) throws IOException {
    try {
      result.close();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("cannot close a result", e);
    }
  }

  private void figure(String work, String unit, boolean higherIsBetter, double value) {
    figures.add(Metric.single(work, task.system().text(), setting, unit, higherIsBetter, value));
  }
}

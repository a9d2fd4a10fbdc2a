package io.bg3.bench.gremlin;

import io.bg3.bench.report.Metric;
import io.bg3.bench.report.MetricFile;
import io.bg3.bench.report.Omission;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.util.Gremlin;

/** The process that measures one system: it loads the graph and asks every question. */
public final class GremlinWorker {
  private static final double NANOS = 1e9;
  private static final int THOUSAND = 1_000;

  private final List<Metric> figures = new ArrayList<>();
  private final List<Omission> omitted = new ArrayList<>();
  private final GremlinTask task;
  private final Graph graph;
  private final Questions questions;
  private final String setting;

  /** Loads the graph and indexes it. */
  private GremlinWorker(GremlinTask task, Graph graph, BenchGraph data) throws IOException {
    this.task = task;
    this.graph = graph;
    this.setting =
        "vertices="
            + task.vertices()
            + " edges="
            + task.edges()
            + " hubs="
            + task.plainHub()
            + ","
            + task.orderedHub();
    this.questions = new Questions(graph.traversal(), data, task, load(data));
  }

  /** Measures what the arguments say ({@link GremlinTask}) and leaves the figures in a file. */
  @SuppressWarnings("try") // TinkerPop's close() may throw anything
  public static void main(String[] arguments) throws Exception {
    GremlinTask task = GremlinTask.of(arguments);
    BenchGraph data = new BenchGraph(task);
    try (Graph graph = task.system().open(task.directory(), task.memory())) {
      task.system().order(graph, BenchGraph.ORDERED, BenchGraph.TIME);
      GremlinWorker worker = new GremlinWorker(task, graph, data);
      QuestionRounds rounds =
          new QuestionRounds(task.system().text(), worker.setting, task.rounds(), task.seconds());
      for (GremlinWork work : GremlinWork.of(task.works())) {
        worker.measure(rounds, work);
      }
      MetricFile.write(
          task.results(),
          new MetricFile.Content(
              "TinkerPop " + Gremlin.version() + ", " + task.system().settings(),
              worker.figures,
              worker.omitted));
    }
  }

  private VertexIds load(BenchGraph data) throws IOException {
    long begin = System.nanoTime();
    VertexIds ids = data.load(graph, task.system().isBuiltIn());
    double seconds = (System.nanoTime() - begin) / NANOS;
    task.system().index(graph, BenchGraph.PERSON, BenchGraph.CODE);
    String system = task.system().text();
    figures.add(Metric.single("load", system, setting, "edges/s", true, data.edges() / seconds));
    ResidentMemory.mebibytes()
        .ifPresent(
            mebibytes ->
                figures.add(Metric.single("memory", system, setting, "MiB", false, mebibytes)));
    return ids;
  }

  /** Measures a work. One that a system with libraries of its own cannot do is left out. */
  private void measure(QuestionRounds rounds, GremlinWork work) {
    try {
      figures.addAll(rounds.measure(asked(work)));
      BenchGraph.commit(graph);
    } catch (LinkageError | RuntimeException e) {
      if (task.system().isBuiltIn()) {
        throw e;
      }
      BenchGraph.end(graph);
      omitted.add(
          new Omission(
              work.text(), task.system().text(), e.toString().replaceAll("\\s+", " ").strip()));
    }
  }

  private QuestionRounds.Asked asked(GremlinWork work) {
    return new QuestionRounds.Asked() {
      @Override
      public String work() {
        return work.text();
      }

      @Override
      public int compared() {
        return work.compared();
      }

      @Override
      public void prepare(long n) {
        work.prepare(questions, n);
      }

      @Override
      public List<?> ask(long n) {
        return GremlinWorker.this.ask(work, n);
      }

      @Override
      public boolean isOrdered() {
        return false;
      }

      @Override
      public Object comparable(Object result) {
        return work.hasIds() ? questions.numbered(result) : result;
      }
    };
  }

  private List<?> ask(GremlinWork work, long n) {
    GraphTraversal<?, ?> traversal = work.ask(questions, n);
    if (work.ending() == GremlinWork.Ending.COMPILED) {
      traversal.asAdmin().applyStrategies();
      return List.of();
    }
    List<?> results = traversal.toList();
    switch (work.ending()) {
      case COMMIT -> BenchGraph.commit(graph);
      case COMMIT_THOUSAND -> {
        if (n % THOUSAND == THOUSAND - 1) {
          BenchGraph.commit(graph);
        }
      }
      default -> BenchGraph.end(graph);
    }
    return results;
  }
}

package io.bg3.bench.snb;

import io.bg3.bench.gremlin.QuestionRounds;
import io.bg3.bench.gremlin.ResidentMemory;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.MetricFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.tinkerpop.gremlin.structure.Graph;

/** The process that measures one system: it loads the network and asks every query. */
public final class SnbWorker {
  private static final double NANOS = 1e9;
  private static final int COMPARED = 20;

  private final List<Metric> figures = new ArrayList<>();
  private final SnbTask task;
  private final Graph graph;
  private final SnbWriter loaded;
  private String setting;

  private SnbWorker(SnbTask task, Graph graph) {
    this.task = task;
    this.graph = graph;
    this.loaded = new SnbWriter(graph);
  }

  /** Measures what the arguments say ({@link SnbTask}) and leaves the figures in a file. */
  @SuppressWarnings("try") // TinkerPop's close() may throw anything
  public static void main(String[] arguments) throws Exception {
    SnbTask task = SnbTask.of(arguments);
    try (Graph graph = task.system().open(task.directory(), task.memory())) {
      SnbWorker worker = new SnbWorker(task, graph);
      worker.load();
      worker.measure();
      MetricFile.write(
          task.results(),
          new MetricFile.Content(task.system().settings() + "; " + worker.setting, worker.figures));
    }
  }

  private void load() throws IOException {
    long begin = System.nanoTime();
    new SnbGraph(task.persons(), task.seed(), loaded).load();
    double seconds = (System.nanoTime() - begin) / NANOS;
    task.system().index(graph, Snb.PERSON, Snb.FIRST_NAME);
    task.system().index(graph, Snb.TAG, Snb.NAME);
    int vertices = 0;
    for (SnbSizes.Kind kind : SnbSizes.Kind.values()) {
      vertices += loaded.count(kind);
    }
    setting = "persons=" + task.persons() + " vertices=" + vertices + " edges=" + loaded.edges();
    String system = task.system().text();
    figures.add(Metric.single("load", system, setting, "edges/s", true, loaded.edges() / seconds));
    ResidentMemory.mebibytes()
        .ifPresent(
            mebibytes ->
                figures.add(Metric.single("memory", system, setting, "MiB", false, mebibytes)));
  }

  private void measure() {
    SnbQuestions questions =
        new SnbQuestions(graph.traversal(), task.persons(), task.seed(), loaded);
    QuestionRounds rounds =
        new QuestionRounds(task.system().text(), setting, task.rounds(), task.seconds());
    for (SnbQuery query : SnbQuery.of(task.queries())) {
      figures.addAll(rounds.measure(asked(query, questions)));
    }
  }

  private QuestionRounds.Asked asked(SnbQuery query, SnbQuestions questions) {
    return new QuestionRounds.Asked() {
      @Override
      public String work() {
        return query.text();
      }

      @Override
      public int compared() {
        return COMPARED;
      }

      @Override
      public void prepare(long n) {}

      @Override
      public List<?> ask(long n) {
        List<?> answer = query.ask(questions, n);
        if (graph.features().graph().supportsTransactions()) {
          graph.tx().rollback();
        }
        return answer;
      }

      @Override
      public boolean isOrdered() {
        return true;
      }
    };
  }
}

package io.bg3.bench.work;

import io.bg3.bench.data.EdgeValue;
import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.data.QuerySequence;
import io.bg3.bench.data.SizedValue;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.MetricFile;
import io.bg3.bench.store.BenchStore;
import io.bg3.bench.store.StoreReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.function.LongConsumer;

/**
 * Reads of a graph whose values all have one size: {@code values-hop-1} to {@code values-hop-3} go
 * along edges and read no value, {@code values-point} reads the value of one edge, and {@code
 * values-hop-read} reads the values of all edges of a vertex that has at most {@value #MOST}.
 * {@code values-memory} and {@code values-heap} are measured after them.
 *
 * <p>Before anything is measured, the neighbours of all vertices are read once, and all values as
 * well if the task says so. Otherwise reads of values fill the memory first. So a figure does not
 * depend on how many rounds have loaded pages before.
 */
public final class ValuesReads implements Work {
  /** The parameter with what a figure says of the memory and the I/O of the store. */
  public static final String PLACE = "place";

  /** The parameter that says whether all values are read before anything is measured. */
  public static final String PRELOADS = "preloads";

  private static final int MOST = 100;
  private static final int HOPS = 3;

  /**
   * Different operations of a work, if there are as many edges: more than a part of the memory
   * holds.
   */
  private static final int QUESTIONS = 100_000;

  /** Operations of each work whose answers are compared. */
  private static final int ANSWERS = 100;

  ValuesReads() {}

  @Override
  public MetricFile.Content run(Task task) throws IOException {
    PowerLawGraph graph = task.graph();
    try (BenchStore store = task.openUnsynced(graph);
        StoreReader reader = store.reader(Task.LABEL)) {
      Run run = new Run(task, graph, reader);
      run.preload();
      List<Metric> figures = run.figures();
      figures.add(run.bytes("values-memory", (double) store.usedMemory()));
      figures.add(run.bytes("values-heap", Memory.collectedHeap()));
      return new MetricFile.Content(store.settings(), figures);
    }
  }

  private static final class Run {
    private final Task task;
    private final PowerLawGraph graph;
    private final StoreReader reader;
    private final int size;
    private final String setting;
    private final int questions;
    private final boolean preloads;
    private final List<Metric> figures = new ArrayList<>();

    Run(Task task, PowerLawGraph graph, StoreReader reader) {
      this.task = task;
      this.graph = graph;
      this.reader = reader;
      this.size = Math.toIntExact(task.number(ValuesLoad.SIZE));
      this.questions = (int) Math.min(QUESTIONS, graph.edges());
      this.preloads = task.is(PRELOADS);
      this.setting = ValuesLoad.setting(size) + ", " + task.parameters().get(PLACE);
    }

    void preload() {
      for (int i = 0; i < graph.sources(); i++) {
        long owner = PowerLawGraph.id(i);
        reader.renew();
        reader.sum(owner);
        if (preloads) {
          reader.sumValues(owner);
        }
      }
    }

    List<Metric> figures() {
      QuerySequence drawn = new QuerySequence(graph, task.seed());
      long[] starts = drawn.owners(questions, Integer.MAX_VALUE);
      Walk walk = new Walk(reader, MOST);
      for (int hops = 1; hops <= HOPS; hops++) {
        int depth = hops;
        measure("values-hop-" + hops, 0, i -> walk.from(starts[i], depth));
      }
      QuerySequence.Edges edges = drawn.edges(questions);
      checkValues(edges);
      long filling = preloads ? 0 : task.memory();
      measure("values-point", filling, i -> reader.value(edges.owners()[i], edges.others()[i]));
      long[] narrow = drawn.owners(questions, MOST);
      measure("values-hop-read", filling, i -> reader.sumValues(narrow[i]));
      return figures;
    }

    /** Compares values with those that were written. */
    private void checkValues(QuerySequence.Edges edges) {
      byte[] value = new byte[size];
      for (int i = 0; i < Math.min(ANSWERS, questions); i++) {
        long owner = edges.owners()[i];
        long other = edges.others()[i];
        SizedValue.fill(owner, other, value);
        if (reader.value(owner, other) != EdgeValue.checksum(value, size)) {
          throw new IllegalStateException(
              "another value than was written: owner=" + owner + ", other=" + other);
        }
      }
    }

    /**
     * Measures one work.
     *
     * @param filling bytes that the process reads from the device before the warm-up, or until it
     *     reads none, so that memory is full
     * @param operation answers the question of an index
     */
    private void measure(String work, long filling, IntToLongFunction operation) {
      AnswerChecksum answer = new AnswerChecksum();
      long[] answers = new long[Math.min(ANSWERS, questions)];
      for (int i = 0; i < answers.length; i++) {
        reader.renew();
        answers[i] = operation.applyAsLong(i);
        answer.add(answers[i]);
      }
      LongConsumer asking =
          next -> {
            int i = (int) (next % questions);
            reader.renew();
            long found = operation.applyAsLong(i);
            if (i < answers.length && found != answers[i]) {
              throw new IllegalStateException(
                  "another answer than before: work=" + work + ", question=" + i);
            }
          };
      LatencyRounds rounds = new LatencyRounds(task);
      rounds.warmUp(ProcessIo.now().read() + filling, asking);
      rounds.warmUp(asking);
      rounds.measure(asking);
      figures.addAll(rounds.figures(work, setting, answer.toString()));
    }

    Metric bytes(String work, double bytes) {
      return Metric.single(work, task.contender().text(), setting, "bytes", false, bytes);
    }
  }
}

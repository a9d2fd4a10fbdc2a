package io.bg3.bench.work;

import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.data.QuerySequence;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.MetricFile;
import io.bg3.bench.store.BenchStore;
import io.bg3.bench.store.Lifetime;
import io.bg3.bench.store.StoreReader;
import io.bg3.bench.store.StoreWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;

/**
 * The mixes of the paper's figure 8, by one thread: one-hop reads with a few inserts ({@code
 * follow}), walks ({@code recommendation}), and long walks with as many inserts of edges that
 * expire ({@code risk-control}). Before anything is measured, some reads are made once, for the
 * answer that all systems must give. Afterwards the store is asked for every new edge, or for those
 * that have not expired and for those that have.
 *
 * <p>In memory the same reads are measured. On disk these would fit into the memory of a large
 * graph, so others are drawn there, of which none is repeated before all were made, and they begin
 * to count when the process has read as many bytes as it has memory.
 */
public final class GraphMix implements Work {
  /** The parameter that has the seconds which new edges of {@code risk-control} live. */
  public static final String TTL = "ttl";

  /** The prefix of the names of all figures. */
  public static final String FIGURE = "figure-eight-";

  /** The bytes of the files of a store. */
  public static final String DISK = FIGURE + "disk";

  private static final String RISK_CONTROL = "risk-control";
  private static final int HUNDRED = 100;

  /** A walk takes as long as so many scans. */
  private static final int OF_SCANS = 10;

  /** On disk, so many times as many reads are drawn as are checked. */
  private static final int DRAWN_ON_DISK = 20;

  /** A long walk goes along at most the square of this in edges a hop. */
  private static final int NARROW = 10;

  private final String name;
  private final int inserts;
  private final Reads reads;

  private GraphMix(String name, int inserts, Reads reads) {
    this.name = name;
    this.inserts = inserts;
    this.reads = reads;
  }

  /** The reads of a mix. */
  private interface Reads {
    /**
     * Draws what is asked for.
     *
     * @param count how many scans, or what takes as long
     */
    Questions draw(int count, Task task, QuerySequence questions, StoreReader reader);
  }

  /** Asks one of several questions. */
  private interface Question {
    long answer(int number);
  }

  /**
   * The questions of a mix.
   *
   * @param count how many there are
   * @param ask asks one of them
   * @param text the questions in words, when so many have been asked
   */
  private record Questions(int count, Question ask, IntFunction<String> text) {}

  /** 99 % reads of all edges of a vertex, 1 % inserts. */
  static GraphMix follow() {
    return new GraphMix("follow", 1, GraphMix::scans);
  }

  /** Walks of one to three hops. */
  static GraphMix recommendation() {
    return new GraphMix(
        "recommendation",
        0,
        (count, task, questions, reader) -> {
          byte[] depths = Walk.depths(task.seed(), Math.max(1, count / OF_SCANS));
          return walks(questions, new Walk(reader), depths, Walk::text);
        });
  }

  /** Half walks of five to ten hops, half inserts of edges that expire. */
  static GraphMix riskControl() {
    return new GraphMix(
        RISK_CONTROL,
        HUNDRED / 2,
        (count, task, questions, reader) -> {
          byte[] depths = Walk.longDepths(task.seed(), Math.max(1, count / OF_SCANS));
          return walks(
              questions,
              new Walk(reader, NARROW),
              depths,
              edges ->
                  "5 to 10 hops, at most 10 edges of each of 10 vertices a hop, "
                      + edges
                      + " edges a walk, ");
        });
  }

  private static Questions scans(
      int count, Task task, QuerySequence questions, StoreReader reader) {
    long[] owners = questions.mixedOwners(count, Scans.MEAN);
    return new Questions(
        owners.length,
        i -> reader.sum(owners[i]),
        asked -> (questions.edgesOf(owners) / owners.length) + " edges a read, ");
  }

  private static Questions walks(
      QuerySequence questions, Walk walk, byte[] depths, LongFunction<String> text) {
    long[] starts = questions.owners(depths.length, Integer.MAX_VALUE);
    return new Questions(
        starts.length,
        i -> walk.from(starts[i], depths[i]),
        asked -> text.apply(walk.edges() / asked));
  }

  @Override
  public MetricFile.Content run(Task task) throws IOException {
    PowerLawGraph graph = task.graph();
    try (BenchStore store = task.openUnsynced(graph, lifetime(task))) {
      return new MetricFile.Content(store.settings(), figures(task, graph, store));
    }
  }

  private List<Metric> figures(Task task, PowerLawGraph graph, BenchStore store)
      throws IOException {
    QuerySequence sequence = new QuerySequence(graph, task.seed());
    EdgeInserts added = inserts(task, sequence, store);
    LatencyRounds rounds = new LatencyRounds(task);
    List<Metric> figures = new ArrayList<>();
    try (StoreReader reader = store.reader(Task.LABEL);
        StoreWriter writer = store.writer(false)) {
      int drawn = task.isDirect() ? DRAWN_ON_DISK : 1;
      Questions questions = reads.draw(drawn * task.questions(), task, sequence, reader);
      int checked = questions.count() / drawn;
      AnswerChecksum answer = new AnswerChecksum();
      for (int i = 0; i < checked; i++) {
        reader.renew();
        answer.add(questions.ask().answer(i));
      }
      String setting = setting(task, questions.text().apply(checked));
      LongConsumer mix =
          operation -> operation(checked + operation, questions, reader, added, writer);
      rounds.warmUp(mix);
      if (task.isDirect()) {
        rounds.warmUp(task.memory(), mix);
      }
      rounds.measure(mix);
      figures.addAll(rounds.figures(FIGURE + name, setting, answer.toString()));
    }
    added.checkAtOnce();
    store.settle();
    figures.add(disk(task, "after " + name));
    added.check();
    if (added instanceof ExpiringInserts expiring) {
      figures.add(expired(task, expiring));
    }
    return figures;
  }

  /** The edges that the mix has expire. */
  private Lifetime lifetime(Task task) {
    return name.equals(RISK_CONTROL)
        ? ExpiringInserts.lifetime(Math.toIntExact(task.number(TTL)))
        : Lifetime.NONE;
  }

  private EdgeInserts inserts(Task task, QuerySequence sequence, BenchStore store) {
    long[] owners = sequence.owners(UnsyncedCommits.OWNERS, Integer.MAX_VALUE);
    Lifetime lifetime = lifetime(task);
    return lifetime.labels().isEmpty()
        ? new EdgeInserts(task, store, owners)
        : new ExpiringInserts(task, store, owners, lifetime);
  }

  private String setting(Task task, String what) {
    Lifetime lifetime = lifetime(task);
    return what
        + (HUNDRED - inserts)
        + " % reads, "
        + inserts
        + " % inserts"
        + (lifetime.labels().isEmpty() ? "" : ", which live " + lifetime.seconds() + " s")
        + ", a transaction for each operation, one thread, not synced";
  }

  private void operation(
      long operation,
      Questions questions,
      StoreReader reader,
      EdgeInserts added,
      StoreWriter writer) {
    if (operation * inserts % HUNDRED < inserts) {
      added.insert(writer);
    } else {
      reader.renew();
      questions.ask().answer((int) (operation % questions.count()));
    }
  }

  private static Metric expired(Task task, ExpiringInserts inserts) {
    return Metric.single(
        FIGURE + RISK_CONTROL + ".expired",
        task.contender().text(),
        "inserts whose time was over when the mix had ended",
        "edges",
        true,
        (double) inserts.expired());
  }

  /** The bytes of the files of a store that is settled, as one of the figures. */
  static Metric disk(Task task, String when) throws IOException {
    double bytes = StoreFiles.bytesWithoutLog(task.directory());
    String setting = when + ", without the log";
    return Metric.single(DISK, task.contender().text(), setting, "MB", false, bytes / 1e6);
  }
}

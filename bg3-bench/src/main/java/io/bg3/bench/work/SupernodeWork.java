package io.bg3.bench.work;

import io.bg3.bench.data.EdgeList;
import io.bg3.bench.data.EdgeValue;
import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.data.QuerySequence;
import io.bg3.bench.data.SeededHash;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.MetricFile;
import io.bg3.bench.store.BenchStore;
import io.bg3.bench.store.OrderedLists;
import io.bg3.bench.store.StoreReader;
import io.bg3.bench.store.StoreWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;

/**
 * {@code supernode-…}: one vertex with very many edges in the order of their times, beside a graph
 * of ordinary vertices. Several threads insert edges of it and delete them again, read its newest
 * edges, single edges and the number of all; then one thread works on ordinary vertices while
 * nothing else, other ordinary vertices, or the one vertex is written. Each answer is compared with
 * what has been written.
 */
public final class SupernodeWork implements Work {
  /** The parameter with the number of edges of the one vertex. */
  public static final String EDGES = "supernode-edges";

  /** The work on ordinary vertices. */
  public static final String BESIDE = "supernode-beside";

  private static final int[] THREADS = {1, 8, 32};
  private static final int POINTS = 10_000;
  private static final long POINT = 31;
  private static final long SPREAD = 32;

  /** Of so many operations on ordinary vertices one is a commit, the others are scans. */
  private static final int COMMIT_OF = 5;

  SupernodeWork() {}

  @Override
  public MetricFile.Content run(Task task) throws IOException {
    PowerLawGraph graph = task.graph();
    try (BenchStore store = task.openUnsynced(graph)) {
      return new MetricFile.Content(store.settings(), new Run(task, graph, store).figures());
    }
  }

  /** The writes beside the work on ordinary vertices. */
  private enum Beside {
    NOTHING("nothing else is written"),
    OTHERS("edges of other ordinary vertices are written by one thread"),
    SUPERNODE("edges of the supernode are written by one thread");

    private final String text;

    Beside(String text) {
      this.text = text;
    }
  }

  private static final class Run {
    private final Task task;
    private final PowerLawGraph graph;
    private final BenchStore store;
    private final SupernodeEdges edges;
    private final long loaded;
    private final List<Metric> figures = new ArrayList<>();

    Run(Task task, PowerLawGraph graph, BenchStore store) {
      this.task = task;
      this.graph = graph;
      this.store = store;
      this.edges = new SupernodeEdges(task.sources());
      this.loaded = task.number(EDGES);
    }

    List<Metric> figures() throws IOException {
      load();
      for (int threads : THREADS) {
        insertAndDelete(threads);
        read("supernode-newest", threads, true, (run, thread) -> new Newest(run));
        read("supernode-point", threads, true, Point::new);
        read("supernode-count", threads, hasCounter(), (run, thread) -> new Count(run));
      }
      beside();
      try (OrderedLists lists = lists()) {
        edges.askNewest(lists, new long[SupernodeEdges.NEWEST]);
        edges.askCount(lists);
      }
      return figures;
    }

    private OrderedLists lists() {
      return store.lists(SupernodeEdges.LABEL);
    }

    private boolean hasCounter() {
      try (OrderedLists lists = lists()) {
        return lists.hasCounter();
      }
    }

    private void load() throws IOException {
      Load.write(task, EdgeList.shuffled(graph, task.seed()), store, false, 0);
      byte[] value = new byte[EdgeValue.LONGEST];
      long begin = System.nanoTime();
      try (OrderedLists lists = lists()) {
        for (long i = 1; i <= loaded; i++) {
          edges.left(edges.put(lists, value));
          if (i % Load.BATCH == 0 || i == loaded) {
            lists.commit();
          }
        }
      }
      double seconds = (System.nanoTime() - begin) / 1e9;
      store.settle();
      String setting = loaded + " edges in the order of their times, " + Load.BATCH + " a commit";
      figures.add(
          new Metric(
              "supernode-load",
              task.contender().text(),
              setting,
              "edges/s",
              true,
              answer(),
              List.of(loaded / seconds)));
    }

    /** The answers that all systems must give when they are loaded. */
    private String answer() {
      AnswerChecksum answer = new AnswerChecksum();
      try (OrderedLists lists = lists();
          StoreReader reader = store.reader(Task.LABEL)) {
        answer.add(edges.askNewest(lists, new long[SupernodeEdges.NEWEST]));
        answer.add(edges.askCount(lists));
        for (int i = 0; i < POINTS; i++) {
          long time = drawn(i);
          long found = lists.value(edges.owner(), SupernodeEdges.other(time));
          if (found != edges.checksum(time)) {
            throw new IllegalStateException("another value than was written: time=" + time);
          }
          answer.add(found);
        }
        for (int i = 0; i < graph.sources(); i++) {
          answer.add(reader.sum(PowerLawGraph.id(i)));
        }
      }
      return answer.toString();
    }

    /** The time of one of the loaded edges. */
    private long drawn(long draw) {
      return 1 + SeededHash.below(SeededHash.of(task.seed() ^ POINT, draw), loaded);
    }

    /** Each round of inserts is followed by one that deletes the same edges, the oldest first. */
    private void insertAndDelete(int threads) {
      LatencyRounds inserts = new LatencyRounds(task);
      LatencyRounds deletes = new LatencyRounds(task);
      ConcurrentLinkedQueue<Long> put = new ConcurrentLinkedQueue<>();
      for (int round = -1; round < task.rounds(); round++) {
        inserts.round(threads, round >= 0, thread -> new Insert(put));
        deletes.round(threads, round >= 0, thread -> new Delete(put));
        put.stream().sorted().forEach(edges::left);
        put.clear();
      }
      String setting = setting(threads) + ", not synced";
      figures.addAll(inserts.figures("supernode-insert", setting, ""));
      figures.addAll(deletes.figures("supernode-delete", setting, ""));
    }

    /**
     * Reads by several threads.
     *
     * @param isFast whether there is a warm-up, and more than one round
     */
    private void read(String work, int threads, boolean isFast, Reading reading) {
      LatencyRounds rounds = new LatencyRounds(task);
      IntFunction<Session> sessions = thread -> reading.open(this, thread);
      if (isFast) {
        rounds.round(threads, false, sessions);
      }
      for (int round = 0; round < (isFast ? task.rounds() : 1); round++) {
        rounds.round(threads, true, sessions);
      }
      figures.addAll(rounds.figures(work, setting(threads), ""));
    }

    private static String setting(int threads) {
      return "threads=" + threads + ", a transaction for each operation";
    }

    /** The rounds of the three settings take turns, so that a change of the machine meets all. */
    private void beside() {
      QuerySequence questions = new QuerySequence(graph, task.seed());
      long[] owners = questions.mixedOwners(task.questions(), Scans.MEAN);
      EdgeInserts added = new EdgeInserts(task, store, owners);
      Map<Beside, LatencyRounds> all = new EnumMap<>(Beside.class);
      for (Beside beside : Beside.values()) {
        all.put(beside, new LatencyRounds(task));
      }
      for (int round = -1; round < task.rounds(); round++) {
        for (Beside beside : Beside.values()) {
          LatencyRounds rounds = all.get(beside);
          boolean counts = round >= 0;
          try (StoreReader reader = store.reader(Task.LABEL);
              StoreWriter writer = store.writer(false)) {
            LongConsumer ordinary =
                operation -> {
                  if (operation % COMMIT_OF == 0) {
                    added.insert(writer);
                  } else {
                    reader.renew();
                    reader.sum(owners[(int) (operation % owners.length)]);
                  }
                };
            BackgroundWriter.during(() -> rounds.round(counts, ordinary), () -> writes(beside));
          }
        }
      }
      for (Beside beside : Beside.values()) {
        String setting = "80 % scans, 20 % commits by one thread, while " + beside.text;
        figures.addAll(all.get(beside).figures(BESIDE, setting, ""));
      }
      added.check();
    }

    /** The writes of another thread; null if there are none. */
    private Session writes(Beside beside) {
      return switch (beside) {
        case NOTHING -> null;
        case OTHERS -> new Spread();
        case SUPERNODE -> new Lasting();
      };
    }

    private interface Reading {
      Session open(Run run, int thread);
    }

    /** Something that is done by a list of its own. */
    private abstract class OfLists implements Session {
      final OrderedLists lists = lists();
      final byte[] value = new byte[EdgeValue.LONGEST];

      @Override
      public void close() {
        lists.close();
      }
    }

    private final class Insert extends OfLists {
      private final ConcurrentLinkedQueue<Long> put;

      Insert(ConcurrentLinkedQueue<Long> put) {
        this.put = put;
      }

      @Override
      public boolean next() {
        long time = edges.put(lists, value);
        lists.commit();
        put.add(time);
        return true;
      }
    }

    private final class Delete extends OfLists {
      private final ConcurrentLinkedQueue<Long> put;

      Delete(ConcurrentLinkedQueue<Long> put) {
        this.put = put;
      }

      @Override
      public boolean next() {
        Long time = put.poll();
        if (time == null) {
          return false;
        }
        edges.delete(lists, time);
        return true;
      }
    }

    /** Puts edges that stay. */
    private final class Lasting extends OfLists {
      @Override
      public boolean next() {
        long time = edges.put(lists, value);
        lists.commit();
        edges.left(time);
        return true;
      }
    }

    /** Puts edges as large to any ordinary vertex. */
    private final class Spread extends OfLists {
      private long count;

      @Override
      public boolean next() {
        count++;
        long random = SeededHash.of(task.seed() ^ SPREAD, count);
        long owner = PowerLawGraph.id((int) SeededHash.below(random, task.sources()));
        long other = SupernodeEdges.other(count);
        int length = EdgeValue.fill(owner, other, 0, value);
        lists.put(owner, count, other, value, length);
        lists.commit();
        return true;
      }
    }
  }

  /** Reads the newest edges. */
  private static final class Newest implements Session {
    private final SupernodeEdges edges;
    private final OrderedLists lists;
    private final long[] found = new long[SupernodeEdges.NEWEST];

    Newest(Run run) {
      this.edges = run.edges;
      this.lists = run.lists();
    }

    @Override
    public boolean next() {
      edges.askNewest(lists, found);
      return true;
    }

    @Override
    public void close() {
      lists.close();
    }
  }

  /** Reads one edge that is there. */
  private static final class Point implements Session {
    private final Run run;
    private final OrderedLists lists;
    private long draw;

    Point(Run run, int thread) {
      this.run = run;
      this.lists = run.lists();
      this.draw = (long) thread * POINTS;
    }

    @Override
    public boolean next() {
      lists.renew();
      lists.value(run.edges.owner(), SupernodeEdges.other(run.drawn(draw++)));
      return true;
    }

    @Override
    public void close() {
      lists.close();
    }
  }

  /** Counts the edges. */
  private static final class Count implements Session {
    private final SupernodeEdges edges;
    private final OrderedLists lists;

    Count(Run run) {
      this.edges = run.edges;
      this.lists = run.lists();
    }

    @Override
    public boolean next() {
      edges.askCount(lists);
      return true;
    }

    @Override
    public void close() {
      lists.close();
    }
  }
}

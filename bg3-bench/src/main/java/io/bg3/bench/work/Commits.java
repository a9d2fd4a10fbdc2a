package io.bg3.bench.work;

import com.sun.management.ThreadMXBean;
import io.bg3.bench.data.EdgeValue;
import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.data.SeededHash;
import io.bg3.bench.report.Metric;
import io.bg3.bench.store.BenchStore;
import io.bg3.bench.store.StoreReader;
import io.bg3.bench.store.StoreWriter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * Threads that commit new edges for a while, one edge a commit, and a check that the store has
 * afterwards exactly what was committed. The sources are those of random edges, so that hubs get
 * more; the targets are no vertices of the graph, and no edge is written twice.
 */
final class Commits {
  /** The label of the edges that are committed here. */
  static final int LABEL = 2;

  /** The label of the second entry, at the other end, where there are two. */
  static final int REVERSE = 3;

  /** Rounds that warm up a process; before each later measurement there is one. */
  private static final int FIRST_WARM_ROUNDS = 8;

  private final BenchStore store;
  private final Task task;
  private final long[] owners;
  private final BitSet written;
  private long committed;
  private long checksum;
  private long nextTarget;

  /**
   * @param owners the sources, used in turns
   */
  Commits(BenchStore store, Task task, long[] owners) {
    this.store = store;
    this.task = task;
    this.owners = owners;
    this.written = new BitSet(task.sources());
    this.nextTarget = PowerLawGraph.id(task.sources());
  }

  /**
   * Reads every edge of the loaded graph with its value, so that no commit is the first to touch
   * what it changes.
   *
   * @return the sum of what was read
   */
  long readAll() {
    long sum = 0;
    try (StoreReader reader = store.reader(Task.LABEL)) {
      for (int i = 0; i < task.sources(); i++) {
        sum += reader.sumValues(PowerLawGraph.id(i));
      }
    }
    return sum;
  }

  /** The commits of one thread in one round. */
  private record Share(long commits, long checksum, long allocated, long written) {}

  /**
   * Measures one number of threads. How often threads have waited inside of the system comes with
   * it, if the system counts that.
   *
   * @param both whether each commit puts a second entry under the target
   */
  List<Metric> measure(String work, String setting, int threads, boolean both) {
    List<Double> rates = new ArrayList<>();
    List<Double> allocated = new ArrayList<>();
    List<Double> device = new ArrayList<>();
    Map<String, List<Double>> waits = new TreeMap<>();
    for (int i = 0; i < (committed == 0 ? FIRST_WARM_ROUNDS : 1); i++) {
      round(threads, both, task.seconds());
    }
    for (int i = 0; i < task.rounds(); i++) {
      long bytes = ProcessIo.now().written();
      Map<String, Long> before = store.waits();
      Round round = round(threads, both, task.seconds());
      store.waits().forEach((name, count) -> note(waits, name, count - before.get(name), round));
      rates.add(round.commits / round.seconds);
      allocated.add((double) round.allocated / round.commits);
      device.add((double) (ProcessIo.now().written() - bytes) / round.userBytes);
    }
    String system = task.contender().text();
    List<Metric> figures = new ArrayList<>();
    figures.add(new Metric(work, system, setting, "commits/s", true, "", rates));
    figures.add(new Metric(work + ".allocated", system, setting, "bytes/op", false, "", allocated));
    figures.add(
        new Metric(work + ".written", system, setting, "bytes/user byte", false, "", device));
    waits.forEach(
        (name, each) ->
            figures.add(
                new Metric(work + "." + name, system, setting, "waits/s", false, "", each)));
    return figures;
  }

  private static void note(Map<String, List<Double>> waits, String name, long count, Round round) {
    waits.computeIfAbsent(name, key -> new ArrayList<>()).add(count / round.seconds);
  }

  private record Round(long commits, double seconds, long allocated, long userBytes) {}

  /** Runs a round, and notes what its threads have committed. */
  private Round round(int threads, boolean both, double seconds) {
    long target = nextTarget;
    Crew<Share> crew =
        Crew.run(
            threads,
            (thread, start) -> commit(target + thread, threads, thread, both, seconds, start));
    List<Share> shares = crew.parts();
    for (int i = 0; i < shares.size(); i++) {
      committed += shares.get(i).commits;
      checksum += shares.get(i).checksum;
      mark(i, shares.get(i).commits);
    }
    nextTarget += shares.size() * shares.stream().mapToLong(Share::commits).max().orElse(0);
    return new Round(
        sum(shares, Share::commits),
        crew.seconds(),
        sum(shares, Share::allocated),
        sum(shares, Share::written));
  }

  private static long sum(List<Share> shares, ToLongFunction<Share> part) {
    return shares.stream().mapToLong(part).sum();
  }

  private void mark(int thread, long commits) {
    for (long i = 0; i < Math.min(commits, owners.length); i++) {
      written.set(PowerLawGraph.index(owner(thread, i)));
    }
  }

  private long owner(int thread, long commit) {
    return owners[(int) ((thread * 7_919L + commit) % owners.length)];
  }

  private Share commit(
      long firstTarget, int step, int thread, boolean both, double seconds, Runnable start) {
    ThreadMXBean beans = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    byte[] value = new byte[EdgeValue.LONGEST];
    try (StoreWriter writer = store.writer(false)) {
      start.run();
      long bytes = beans.getCurrentThreadAllocatedBytes();
      long end = System.nanoTime() + (long) (seconds * 1e9);
      long commits = 0;
      long sum = 0;
      long user = 0;
      while (System.nanoTime() < end) {
        long owner = owner(thread, commits);
        long other = firstTarget + commits * step;
        int length = EdgeValue.fill(owner, other, 0, value);
        writer.put(owner, LABEL, other, value, length);
        if (both) {
          writer.put(other, REVERSE, owner, value, 0);
        }
        writer.commit();
        commits++;
        sum += SeededHash.of(owner, other);
        user += length + (long) EdgeValue.KEY * (both ? 2 : 1);
      }
      return new Share(commits, sum, beans.getCurrentThreadAllocatedBytes() - bytes, user);
    }
  }

  /** Number of edges that were committed so far. */
  long committed() {
    return committed;
  }

  /**
   * Reads all that was committed.
   *
   * @throws IllegalStateException if the store has anything else
   */
  void check() {
    long[] others = new long[(int) committed];
    long sum = 0;
    long count = 0;
    try (StoreReader reader = store.reader(LABEL)) {
      for (int i = written.nextSetBit(0); i >= 0; i = written.nextSetBit(i + 1)) {
        long owner = PowerLawGraph.id(i);
        int found = reader.first(owner, others.length, others);
        for (int j = 0; j < found; j++) {
          sum += SeededHash.of(owner, others[j]);
        }
        count += found;
      }
    }
    if (count != committed || sum != checksum) {
      String counts = ", committed=" + committed + ", found=" + count;
      throw new IllegalStateException(
          "the store has other edges than were committed: system="
              + task.contender().text()
              + counts);
    }
  }
}

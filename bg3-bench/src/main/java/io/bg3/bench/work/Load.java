package io.bg3.bench.work;

import io.bg3.bench.data.EdgeList;
import io.bg3.bench.data.EdgeValue;
import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.MetricFile;
import io.bg3.bench.store.BenchStore;
import io.bg3.bench.store.StoreReader;
import io.bg3.bench.store.StoreWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code load}, {@code written} and {@code disk}: the writes that the other works start from. All
 * edges are loaded, {@value #BATCH} a commit, until everything is on the disk; then a part of them,
 * chosen at random, gets new values in a random order. For either it is counted how many bytes the
 * device got for each byte of the user, and how many the store takes for each byte that lives. Then
 * come the reads that are measured in the same process.
 */
final class Load implements Work {
  static final int BATCH = 1_000;
  private static final int CHECKED = 100_000;

  /** The label of the entries under the targets; they have no values and are not overwritten. */
  private static final int IN = 4;

  private final Map<WorkKind, ReadWork> reads;

  /**
   * Makes the work.
   *
   * @param reads the reads that a task may ask for behind the load
   */
  Load(Map<WorkKind, ReadWork> reads) {
    this.reads = reads;
  }

  @Override
  public MetricFile.Content run(Task task) throws IOException {
    PowerLawGraph graph = task.graph();
    List<Metric> figures = new ArrayList<>();
    try (BenchStore store = task.openUnsynced(graph)) {
      double live = load(task, graph, store, figures);
      if (task.conditions().overwrite() > 0) {
        overwrite(task, graph, store, live, figures);
      }
      if (task.conditions().compact()) {
        store.tidy();
      }
      for (WorkKind read : task.reads()) {
        figures.addAll(reads.get(read).figures(task, graph, store));
      }
      return new MetricFile.Content(store.settings(), figures);
    }
  }

  /** Loads all edges and returns how many bytes their keys and values have. */
  static double load(Task task, PowerLawGraph graph, BenchStore store, List<Metric> figures)
      throws IOException {
    boolean sorted = task.conditions().order() == LoadOrder.SORTED;
    EdgeList edges = sorted ? EdgeList.sorted(graph) : EdgeList.shuffled(graph, task.seed());
    String setting =
        edges.count() + " edges, " + (sorted ? "in key order" : "in random order") + tail(task);
    boolean appends = sorted && !task.conditions().inEntries();
    ProcessIo before = ProcessIo.now();
    long begin = System.nanoTime();
    double user = write(task, edges, store, appends, 0);
    store.settle();
    double seconds = (System.nanoTime() - begin) / 1e9;
    double written = ProcessIo.now().written() - before.written();
    String system = task.contender().text();
    String until = setting + ", until all is on the disk";
    figures.add(Metric.single("load", system, until, "edges/s", true, edges.count() / seconds));
    figures.add(written(system, "load: " + setting, written / user));
    figures.add(disk(task, "after the load", user));
    return user;
  }

  private static void overwrite(
      Task task, PowerLawGraph graph, BenchStore store, double live, List<Metric> figures)
      throws IOException {
    EdgeList edges = EdgeList.chosen(graph, task.seed(), task.conditions().overwrite());
    String setting = edges.count() + " edges at random" + tail(task);
    ProcessIo before = ProcessIo.now();
    long begin = System.nanoTime();
    double user = write(task, edges, store, false, 1);
    double seconds = (System.nanoTime() - begin) / 1e9;
    store.settle();
    double written = ProcessIo.now().written() - before.written();
    check(edges, store);
    String system = task.contender().text();
    double rate = edges.count() / seconds;
    figures.add(Metric.single("overwrite", system, setting, "edges/s", true, rate));
    figures.add(written(system, "overwrites: " + setting, written / user));
    figures.add(disk(task, "after the overwrites", live));
  }

  private static String tail(Task task) {
    return ", "
        + BATCH
        + " a commit"
        + (task.conditions().inEntries() ? ", in-entries too" : ", without in-entries");
  }

  private static Metric written(String system, String setting, double bytes) {
    return Metric.single("written", system, setting, "bytes/user byte", false, bytes);
  }

  private static Metric disk(Task task, String when, double live) throws IOException {
    String setting =
        when + ", without the log" + (task.conditions().inEntries() ? ", in-entries too" : "");
    double bytes = StoreFiles.bytesWithoutLog(task.directory()) / live;
    return Metric.single("disk", task.contender().text(), setting, "bytes/live byte", false, bytes);
  }

  /** Writes edges and returns how many bytes their keys and values have, in-entries not counted. */
  static double write(Task task, EdgeList edges, BenchStore store, boolean ascending, int version) {
    byte[] value = new byte[EdgeValue.LONGEST];
    boolean inEntries = task.conditions().inEntries();
    long bytes = 0;
    try (StoreWriter writer = store.writer(ascending)) {
      for (int i = 0; i < edges.count(); i++) {
        long owner = edges.owner(i);
        long other = edges.other(i);
        int length = EdgeValue.fill(owner, other, version, value);
        writer.put(owner, Task.LABEL, other, value, length);
        if (inEntries && version == 0) {
          writer.put(other, IN, owner, value, 0);
        }
        bytes += EdgeValue.KEY + length;
        if ((i + 1) % BATCH == 0 || i == edges.count() - 1) {
          writer.commit();
        }
      }
    }
    return bytes;
  }

  private static void check(EdgeList edges, BenchStore store) {
    byte[] value = new byte[EdgeValue.LONGEST];
    try (StoreReader reader = store.reader(Task.LABEL)) {
      for (int i = 0; i < Math.min(CHECKED, edges.count()); i++) {
        long owner = edges.owner(i);
        long other = edges.other(i);
        int length = EdgeValue.fill(owner, other, 1, value);
        if (reader.value(owner, other) != EdgeValue.checksum(value, length)) {
          throw new IllegalStateException(
              "the store has another value than was written last: owner="
                  + owner
                  + ", other="
                  + other);
        }
      }
    }
  }
}

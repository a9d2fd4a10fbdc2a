package io.bg3.bench.work;

import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.MetricFile;
import io.bg3.bench.store.BenchStore;
import io.bg3.bench.store.StoreReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code memory}: what is resident when every edge has been read with its value, and what the
 * system says it uses. Told to use an empty store, it measures what the virtual machine and the
 * libraries need anyway.
 */
public final class Memory implements Work {
  private static final Path STATUS = Path.of("/proc/self/smaps_rollup");
  private static final int COLLECTIONS = 3;

  /** In which the virtual machine gives back what its heap has shrunk by: another thread does. */
  private static final long GIVING_BACK_MILLIS = 2_000;

  /** Bytes that are resident. */
  public static final String RESIDENT = "memory.resident";

  /** Bytes of objects in the heap of the virtual machine. */
  public static final String HEAP = "memory.heap";

  /** Bytes that the system reports as used; -1 if it does not report them. */
  public static final String USED = "memory.used";

  Memory() {}

  @Override
  public MetricFile.Content run(Task task) throws IOException {
    PowerLawGraph graph = task.graph();
    try (BenchStore store = task.openUnsynced(graph)) {
      AnswerChecksum answer = readAll(store, graph);
      collect();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(GIVING_BACK_MILLIS));
      List<Metric> figures = new ArrayList<>();
      String system = task.contender().text();
      double resident = resident();
      double used = store.usedMemory();
      figures.add(
          new Metric(RESIDENT, system, "", "bytes", false, answer.toString(), List.of(resident)));
      figures.add(Metric.single(USED, system, "", "bytes", false, used));
      figures.add(Metric.single(HEAP, system, "", "bytes", false, heap()));
      return new MetricFile.Content(store.settings(), figures);
    }
  }

  private static AnswerChecksum readAll(BenchStore store, PowerLawGraph graph) {
    AnswerChecksum answer = new AnswerChecksum();
    long[] others = new long[graph.maxDegree()];
    try (StoreReader reader = store.reader(Task.LABEL)) {
      for (int index = 0; index < graph.sources(); index++) {
        answer.add(reader.sumValues(PowerLawGraph.id(index)));
        if (index % 1_024 == 0) {
          reader.renew();
        }
      }
      answer.add(others, reader.first(PowerLawGraph.id(0), others.length, others));
    }
    return answer;
  }

  @SuppressWarnings("SystemGc") // so that garbage of the virtual machine is not counted
  private static void collect() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
  }

  /** Bytes of objects in the heap after its collection. */
  static double collectedHeap() {
    collect();
    return heap();
  }

  private static double heap() {
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static double resident() throws IOException {
    for (String line : Files.readAllLines(STATUS)) {
      if (line.startsWith("Rss:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024.0;
      }
    }
    throw new IOException("no resident size: file=" + STATUS);
  }
}

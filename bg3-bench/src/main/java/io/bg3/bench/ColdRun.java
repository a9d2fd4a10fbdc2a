package io.bg3.bench;

import io.bg3.bench.data.EdgeValue;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.MetricFile;
import io.bg3.bench.report.Report;
import io.bg3.bench.store.Contender;
import io.bg3.bench.work.StoreFiles;
import io.bg3.bench.work.Task;
import io.bg3.bench.work.WorkKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * One run with less memory than data: loads the store of each system with memory for all of it, and
 * then starts a process for each amount of memory and each work on that store.
 */
final class ColdRun {
  /** A loaded store, its log, and what updates and compactions add to it for a while. */
  private static final long DISK_AN_EDGE = 300;

  private static final long DISK = 1L << 30;
  private static final String RESULTS = "figures.tsv";

  private final EngineSize size;
  private final Set<Contender> contenders;
  private final Path root;
  private final PrintWriter out;
  private final PrintWriter err;
  private final Processes processes;
  private final List<Metric> figures = new ArrayList<>();
  private final Map<String, String> settings = new LinkedHashMap<>();

  /**
   * Prepares a run.
   *
   * @param size its memory is that of the load
   * @param root where the stores are made, one after the other
   */
  ColdRun(EngineSize size, Set<Contender> contenders, Path root, PrintWriter out, PrintWriter err) {
    this.size = size;
    this.contenders = contenders;
    this.root = root;
    this.out = out;
    this.err = err;
    this.processes = new Processes(size, root);
  }

  /** Bytes of the keys and values of so many edges. */
  static long dataBytes(long edges) {
    return edges * (EdgeValue.KEY + (EdgeValue.SHORTEST + EdgeValue.LONGEST) / 2);
  }

  /**
   * Measures.
   *
   * @param memories bytes of memory for each system, one after the other
   * @param works what is measured with each of them, in this order
   */
  Report run(List<Long> memories, List<WorkKind> works) throws IOException {
    Machine machine = new Machine(root);
    machine.require(Processes.heap(size) + size.memory(), size.edges() * DISK_AN_EDGE + DISK);
    machine.lines().forEach(out::println);
    out.println("flags of every process: " + String.join(" ", processes.flags()));
    out.println(size);
    out.printf(
        Locale.ROOT,
        "keys and values: %,d bytes; memory of each system: %s bytes, %,d for the load%n%n",
        dataBytes(size.edges()),
        String.join(
            "; ", memories.stream().map(m -> String.format(Locale.ROOT, "%,d", m)).toList()),
        size.memory());
    out.flush();
    for (Contender contender : contenders) {
      run(contender, memories, works);
    }
    settings.forEach((system, text) -> out.println(system + ": " + text));
    out.println();
    return new Report(Contender.BG3.text(), figures);
  }

  private void run(Contender contender, List<Long> memories, List<WorkKind> works)
      throws IOException {
    Path store = root.resolve(contender.text());
    try {
      figures.addAll(run(contender, WorkKind.LOAD_COLD, size.memory(), store));
      for (long memory : memories) {
        for (WorkKind work : works) {
          run(contender, work, memory, store).forEach(found -> figures.add(with(memory, found)));
        }
      }
    } finally {
      StoreFiles.delete(store);
      clear();
    }
  }

  private void clear() throws IOException {
    for (String file : Processes.FILES) {
      Files.deleteIfExists(root.resolve(file));
    }
    Files.deleteIfExists(root.resolve(RESULTS));
  }

  /** Ends the child processes when this process is ended meanwhile. */
  void abandon() {
    processes.stop();
  }

  private List<Metric> run(Contender contender, WorkKind work, long memory, Path store)
      throws IOException {
    Path results = root.resolve(RESULTS);
    Task task =
        new Task(
            contender,
            work,
            store,
            results,
            size.sources(),
            size.edges(),
            size.seed(),
            memory,
            List.of(),
            size.conditions(),
            size.rounds(),
            size.seconds());
    err.printf(Locale.ROOT, "bench: %s, %,d bytes of memory ...", task, memory);
    err.flush();
    long begin = System.nanoTime();
    processes.run(task);
    err.printf(Locale.ROOT, " %.1f s%n", (System.nanoTime() - begin) / 1e9);
    err.flush();
    MetricFile.Content content = MetricFile.read(results);
    settings.put(contender.text(), content.settings()); // those of the last work
    return content.figures();
  }

  /** The figure with the memory in its setting, so that figures of one memory are compared. */
  private Metric with(long memory, Metric found) {
    return new Metric(
        found.work(),
        found.system(),
        String.format(Locale.ROOT, "memory=%,d, %s", memory, found.setting()),
        found.unit(),
        found.higherIsBetter(),
        found.answer(),
        found.rounds());
  }
}

package io.bg3.bench;

import io.bg3.bench.data.EdgeValue;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.Report;
import io.bg3.bench.store.Contender;
import io.bg3.bench.work.StoreFiles;
import io.bg3.bench.work.Task;
import io.bg3.bench.work.WorkKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * One run with some amounts of memory: loads the store of each system with memory for all of it,
 * and then starts a process for each amount of memory and each work on that store.
 */
final class ColdRun extends Experiment {
  /** A loaded store, its log, and what updates and compactions add to it for a while. */
  private static final long DISK_AN_EDGE = 300;

  /** How the setting of a figure begins that was measured with one of the amounts of memory. */
  static final String MEMORY = "memory=";

  private final Set<Contender> contenders;
  private final List<Long> memories;
  private final List<WorkKind> works;
  private final List<ColdWay> ways;
  private final List<Metric> figures = new ArrayList<>();

  /**
   * Prepares a run.
   *
   * @param place its memory is that of the load
   * @param memories bytes of memory for each system, one after the other
   * @param works what is measured with each of them, in this order
   * @param ways how BG3 is opened for each of these works
   */
  ColdRun(
      RunPlace place,
      Set<Contender> contenders,
      List<Long> memories,
      List<WorkKind> works,
      List<ColdWay> ways) {
    super(place);
    this.contenders = contenders;
    this.memories = memories;
    this.works = works;
    this.ways = ways;
  }

  /** Bytes of the keys and values of so many edges. */
  static long dataBytes(long edges) {
    return edges * (EdgeValue.KEY + (EdgeValue.SHORTEST + EdgeValue.LONGEST) / 2);
  }

  @Override
  Report run() throws IOException {
    printPlace(size().edges() * DISK_AN_EDGE);
    print(
        "keys and values: %,d bytes; memory of each system: %s bytes, %,d for the load%n",
        dataBytes(size().edges()),
        String.join(
            "; ", memories.stream().map(m -> String.format(Locale.ROOT, "%,d", m)).toList()),
        size().memory());
    for (Contender contender : contenders) {
      run(contender);
    }
    printSettings();
    return new Report(Contender.BG3.text(), figures);
  }

  private void run(Contender contender) throws IOException {
    Path store = root().resolve(contender.text());
    try {
      figures.addAll(run(contender, WorkKind.LOAD_COLD, size().memory(), ColdWay.DEFAULT, store));
      for (long memory : memories) {
        for (WorkKind work : works) {
          for (ColdWay way : contender == Contender.BG3 ? ways : List.of(ColdWay.DEFAULT)) {
            run(contender, work, memory, way, store)
                .forEach(found -> figures.add(with(memory, way, found)));
          }
        }
      }
    } finally {
      StoreFiles.delete(store);
      tasks().clear();
    }
  }

  private List<Metric> run(Contender contender, WorkKind work, long memory, ColdWay way, Path store)
      throws IOException {
    Task task = tasks().task(contender, work, store).withMemory(memory);
    return run(way.system(contender.text()), task.withParameters(way.settings())).figures();
  }

  /** The figure with the memory in its setting, so that figures of one memory are compared. */
  private static Metric with(long memory, ColdWay way, Metric found) {
    return new Metric(
        found.work(),
        way.system(found.system()),
        String.format(Locale.ROOT, "%s%,d, %s", MEMORY, memory, found.setting()),
        found.unit(),
        found.higherIsBetter(),
        found.answer(),
        found.rounds());
  }
}

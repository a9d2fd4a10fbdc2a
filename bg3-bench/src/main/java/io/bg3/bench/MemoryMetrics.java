package io.bg3.bench;

import io.bg3.bench.report.Metric;
import io.bg3.bench.work.Memory;
import java.util.ArrayList;
import java.util.List;

/** The memory that a loaded store takes beyond that of an empty one. */
final class MemoryMetrics {
  private static final double PERCENT = 100;

  private final EngineSize size;
  private final List<Metric> loaded;
  private final List<Metric> empty;

  /**
   * @param loaded what {@link Memory} measured in the loaded store
   * @param empty and in an empty one
   */
  MemoryMetrics(EngineSize size, List<Metric> loaded, List<Metric> empty) {
    this.size = size;
    this.loaded = loaded;
    this.empty = empty;
  }

  /**
   * Resident bytes an edge; and, for systems that say what they use, how much more is resident than
   * they say.
   */
  List<Metric> figures() {
    Metric resident = of(Memory.RESIDENT, loaded);
    double above = resident.median() - of(Memory.RESIDENT, empty).median();
    double used = of(Memory.USED, loaded).median() - of(Memory.USED, empty).median();
    String system = resident.system();
    String setting = "resident over an empty store, every edge read";
    List<Metric> figures = new ArrayList<>();
    List<Double> each = List.of(above / size.edges());
    figures.add(
        new Metric("memory", system, setting, "bytes/edge", false, resident.answer(), each));
    if (of(Memory.USED, loaded).median() >= 0) {
      setting += ", above what the system says it uses";
      double percent = PERCENT * (above - used) / used;
      figures.add(Metric.single("memory", system, setting, "%", false, percent));
    }
    return figures;
  }

  private static Metric of(String work, List<Metric> figures) {
    return figures.stream().filter(figure -> figure.work().equals(work)).findFirst().orElseThrow();
  }
}

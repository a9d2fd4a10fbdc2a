package io.bg3.bench.olap;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;

/** The heap that a process uses: what lives, and the most that was used. */
final class HeapMeter {
  private static final double MEBIBYTES = 1 << 20;

  private final List<MemoryPoolMXBean> pools =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getType() == MemoryType.HEAP)
          .toList();

  /** Forgets the most that was used. */
  void reset() {
    System.gc();
    pools.forEach(MemoryPoolMXBean::resetPeakUsage);
  }

  /** MiB of objects that live now. */
  double live() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MEBIBYTES;
  }

  /** MiB that were used at most, with garbage that was not collected yet; by parts of the heap. */
  double most() {
    return pools.stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum() / MEBIBYTES;
  }
}

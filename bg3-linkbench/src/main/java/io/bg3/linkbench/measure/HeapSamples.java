package io.bg3.linkbench.measure;

import com.sun.management.ThreadMXBean;
import io.bg3.linkbench.workload.Operation;
import java.lang.management.ManagementFactory;
import java.util.EnumMap;
import java.util.LongSummaryStatistics;
import java.util.Map;

/**
 * Bytes of heap that operations allocate in the thread that asks for them, of one operation in
 * {@value #EVERY}: asking the virtual machine each time would be measured too.
 *
 * <p>Threads: one samples, others read when it has ended.
 */
final class HeapSamples {
  private static final int EVERY = 64;
  static final long NONE = -1;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Map<Operation, LongSummaryStatistics> samples = new EnumMap<>(Operation.class);
  private int turn;
  private long before = NONE;

  /** An operation begins. */
  void begin() {
    turn = (turn + 1) % EVERY;
    before = turn == 0 ? THREADS.getCurrentThreadAllocatedBytes() : NONE;
  }

  /** It has ended. */
  void end(Operation operation) {
    if (before != NONE) {
      long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
      samples.computeIfAbsent(operation, key -> new LongSummaryStatistics()).accept(bytes);
    }
  }

  /** Adds those of another thread. */
  void add(HeapSamples other) {
    other.samples.forEach(
        (operation, sum) ->
            samples.computeIfAbsent(operation, key -> new LongSummaryStatistics()).combine(sum));
  }

  /** Bytes that a kind of operation allocated on average; {@value #NONE} if none was sampled. */
  long mean(Operation operation) {
    LongSummaryStatistics sum = samples.get(operation);
    return sum == null ? NONE : Math.round(sum.getAverage());
  }
}

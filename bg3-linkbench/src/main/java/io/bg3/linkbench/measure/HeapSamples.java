package io.bg3.linkbench.measure;

import com.sun.management.ThreadMXBean;
import io.bg3.linkbench.workload.Operation;
import java.lang.management.ManagementFactory;

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

  private final long[] bytes = new long[Operation.values().length];
  private final long[] samples = new long[bytes.length];
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
      bytes[operation.ordinal()] += THREADS.getCurrentThreadAllocatedBytes() - before;
      samples[operation.ordinal()]++;
    }
  }

  /** Adds those of another thread. */
  void add(HeapSamples other) {
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] += other.bytes[i];
      samples[i] += other.samples[i];
    }
  }

  /** Bytes that a kind of operation allocated on average; {@value #NONE} if none was sampled. */
  long mean(Operation operation) {
    int i = operation.ordinal();
    return samples[i] == 0 ? NONE : bytes[i] / samples[i];
  }
}

package io.bg3.linkbench.measure;

import io.bg3.linkbench.workload.Operation;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * The latencies that one thread records.
 *
 * <p>Threads: one records, another collects.
 */
public final class Recording {
  /** Significant digits: a latency is known to one percent. */
  static final int DIGITS = 2;

  private static final long LONGEST = 3_600_000_000_000L;

  private final Map<Operation, SingleWriterRecorder> recorders = new EnumMap<>(Operation.class);
  private final HeapSamples heap = new HeapSamples();
  private final LongAdder failures;

  Recording(LongAdder failures) {
    this.failures = failures;
    for (Operation operation : Operation.values()) {
      recorders.put(operation, new SingleWriterRecorder(DIGITS));
    }
  }

  /** Records a latency in nanoseconds; an hour at most. */
  public void record(Operation operation, long nanos) {
    recorders.get(operation).recordValue(Math.max(0, Math.min(nanos, LONGEST)));
  }

  /** An operation begins, before its time does. */
  public void begin() {
    heap.begin();
  }

  /**
   * It has ended, after {@link #begin} in the same thread.
   *
   * @param nanos its latency; an hour at most
   */
  public void end(Operation operation, long nanos) {
    record(operation, nanos);
    heap.end(operation);
  }

  /** The bytes that operations allocated; whole when the thread has ended. */
  HeapSamples heap() {
    return heap;
  }

  /** Counts an operation that failed; it has no latency. */
  public void failed() {
    failures.increment();
  }

  /** Adds what was recorded since the last call to the sums. */
  void drainInto(Map<Operation, Histogram> sums) {
    recorders.forEach(
        (operation, recorder) -> {
          Histogram interval = recorder.getIntervalHistogram();
          if (interval.getTotalCount() > 0) {
            sums.computeIfAbsent(operation, key -> new Histogram(DIGITS)).add(interval);
          }
        });
  }
}

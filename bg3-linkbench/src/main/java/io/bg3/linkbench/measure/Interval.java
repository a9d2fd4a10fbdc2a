package io.bg3.linkbench.measure;

import io.bg3.linkbench.workload.Operation;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The measurements of a short interval.
 *
 * @param begin milliseconds since 1970
 * @param end milliseconds since 1970
 * @param histograms of nanoseconds; operations that did not happen are missing
 * @param checkpoints of the store that ended in it, as far as the store tells
 */
record Interval(long begin, long end, Map<Operation, Histogram> histograms, long checkpoints) {
  /** The number of operations. */
  long count() {
    return histograms.values().stream().mapToLong(Histogram::getTotalCount).sum();
  }
}

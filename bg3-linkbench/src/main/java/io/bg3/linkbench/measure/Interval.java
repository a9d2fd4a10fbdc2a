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
 */
record Interval(long begin, long end, Map<Operation, Histogram> histograms) {}

package io.bg3.linkbench.measure;

import io.bg3.linkbench.workload.Operation;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The latencies of each second and operation in the columns of LinkBench's {@code -csvstream}. All
 * threads are one, number 0; nothing is sampled, so as many samples as operations; errors are not
 * counted by operation, so that column is empty.
 */
public final class ProgressCsv {
  private static final String COLUMNS =
      "threadID,timestamp,op,totalops,totalerrors,ops,sampleDuration_us,sampleOps,mean_us,min_us,"
          + "p25_us,p50_us,p75_us,p90_us,p95_us,p99_us,max_us";
  private static final int[] PERCENTILES = {25, 50, 75, 90, 95, 99};
  private static final long MILLIS_IN_SECOND = 1_000;
  private static final long MICROS_IN_MILLI = 1_000;
  private static final long NANOS_IN_MICRO = 1_000;

  private ProgressCsv() {}

  /** Writes a file. */
  public static void write(Results results, Path file) throws IOException {
    try (PrintWriter out =
        new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8), false)) {
      out.println(COLUMNS);
      write(results.intervals(), out);
      if (out.checkError()) {
        throw new IOException("cannot write the latencies of each second: file=" + file);
      }
    }
  }

  private static void write(List<Interval> intervals, PrintWriter out) {
    Map<Operation, Long> totals = new EnumMap<>(Operation.class);
    for (Interval interval : intervals) {
      interval
          .histograms()
          .forEach(
              (operation, histogram) -> {
                long ops = histogram.getTotalCount();
                long total = totals.merge(operation, ops, Long::sum);
                out.print("0," + interval.end() / MILLIS_IN_SECOND + ',' + operation + ',' + total);
                out.print(",," + ops + ',');
                out.print((interval.end() - interval.begin()) * MICROS_IN_MILLI + "," + ops + ',');
                write(histogram, out);
              });
    }
  }

  private static void write(Histogram histogram, PrintWriter out) {
    out.printf(Locale.ROOT, "%.3f", histogram.getMean() / NANOS_IN_MICRO);
    out.print("," + histogram.getMinValue() / NANOS_IN_MICRO);
    for (int percentile : PERCENTILES) {
      out.print("," + histogram.getValueAtPercentile(percentile) / NANOS_IN_MICRO);
    }
    out.println("," + histogram.getMaxValue() / NANOS_IN_MICRO);
  }
}

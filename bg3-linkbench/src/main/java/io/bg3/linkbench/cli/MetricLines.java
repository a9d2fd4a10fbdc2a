package io.bg3.linkbench.cli;

import io.bg3.linkbench.measure.Results;
import io.bg3.linkbench.workload.Operation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Figures of a run as lines of JSON, each with {@code work}, {@code system}, {@code value}, {@code
 * unit} and {@code setting}, so that runs of several systems can be gathered in one file.
 */
final class MetricLines {
  private static final double NANOS_IN_MICRO = 1e3;
  private static final int[] PERCENTILES = {50, 95, 99};
  private static final int MAXIMUM = 100;

  private final String system;
  private final String setting;
  private final List<String> lines = new ArrayList<>();

  MetricLines(String system, String setting) {
    this.system = system;
    this.setting = setting;
  }

  void add(String work, double value, String unit) {
    lines.add(
        String.format(
            Locale.ROOT,
            "{\"work\":\"%s\",\"system\":\"%s\",\"value\":%.3f,\"unit\":\"%s\",\"setting\":\"%s\"}",
            work,
            system,
            value,
            unit,
            setting.replaceAll("[\"\\\\]", "'")));
  }

  /** Median, p95, p99 and maximum of every operation, and what it allocates. */
  void add(Results results) {
    for (Operation operation : Operation.values()) {
      if (results.count(operation) > 0) {
        String work = "linkbench-" + operation;
        for (int percentile : PERCENTILES) {
          add(
              work + "-p" + percentile,
              results.nanos(operation, percentile) / NANOS_IN_MICRO,
              "us");
        }
        add(work + "-max", results.nanos(operation, MAXIMUM) / NANOS_IN_MICRO, "us");
        if (results.heap(operation) >= 0) {
          add(work + "-allocated", (double) results.heap(operation), "B");
        }
      }
    }
  }

  /** Writes them behind what is in the file. */
  void append(Path file) throws IOException {
    Files.write(
        file, lines, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}

package io.bg3.bench;

import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.bench.report.Report;
import io.bg3.bench.work.Conditions;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bg3 bench values}: large values in the leaves, and apart from them. */
@Command(
    name = "values",
    description = "Compares large values in the leaves with large values apart from them.",
    footer = {
      "",
      "The same graph is in two stores: apart (bg3.value.threshold=64) and in-leaf",
      "(bg3.value.threshold=4096). Works: values-hop-1, -2 and -3 (hops of at most 100",
      "edges a vertex, without values), values-point (the value of one edge) and",
      "values-hop-read (all values of a vertex with at most 100 edges).",
      "values-disk is bytes on disk by bytes of keys and values, values-memory the",
      "part of the memory that is used after the reads, and values-heap the objects",
      "in the heap of the process.",
      "Answers of both stores must be equal, or the exit code is 1.",
      "docs/benchmarks.md says more."
    },
    mixinStandardHelpOptions = true)
final class ValuesCommand implements Callable<Integer> {
  private static final int ROUNDS = 2;
  private static final double SECONDS = 0.25;

  @Spec private CommandSpec spec;

  @Mixin private GraphOptions graph = new GraphOptions(12_500, 250_000);
  @Mixin private RoundOptions measured = new RoundOptions(ROUNDS, SECONDS);
  @Mixin private DirectoryOption place = new DirectoryOption();
  @Mixin private ReportOutput output = new ReportOutput();

  @Option(
      names = "--sizes",
      paramLabel = "BYTES",
      split = ",",
      description = "Bytes of a value, separated by commas, 65 to 4k (default: 100,1k,4k).")
  private List<String> sizes = List.of("100", "1k", "4k");

  @Option(
      names = "--memory",
      paramLabel = "PART",
      split = ",",
      description =
          "Memory, separated by commas. all: for everything, with buffered I/O. all-direct: with"
              + " direct I/O. A number: percent of the bytes of keys and values, 8 MiB at least,"
              + " with direct I/O (default: all,35).")
  private List<String> memory = List.of("all", "35");

  @Option(
      names = "--turns",
      paramLabel = "N",
      description =
          "How often the two stores take turns, each time in a new process with --rounds rounds"
              + " (default: ${DEFAULT-VALUE}).")
  private int turns = 2;

  @Override
  public Integer call() throws IOException {
    measured.check();
    if (turns < 1) {
      throw new ParameterException(spec.commandLine(), "--turns must be positive: turns=" + turns);
    }
    List<Integer> bytes = sizes.stream().map(this::size).toList();
    List<ValuePlace> places = memory.stream().map(this::place).toList();
    long largest =
        bytes.stream().mapToLong(b -> ValuesRun.data(graph.edges(), b)).max().orElseThrow();
    EngineSize size = graph.size(ValuePlace.all(largest), Conditions.PLAIN, measured);
    Report report =
        place.during(root -> new ValuesRun(new RunPlace(size, root, spec), bytes, places, turns));
    new ColdTable(report).lines().forEach(output::print);
    return output.finish(report);
  }

  private int size(String text) {
    long bytes = parsed(text);
    if (!ValueWay.isMeasurable(bytes)) {
      throw new ParameterException(
          spec.commandLine(), "a value has 65 to 4096 bytes: sizes=" + text);
    }
    return (int) bytes;
  }

  /** Reads a number of bytes as a setting of the engine is read; 0 if it is none. */
  private static long parsed(String text) {
    try {
      return Settings.defaults().with(Setting.VALUE_THRESHOLD, text).bytes(Setting.VALUE_THRESHOLD);
    } catch (IllegalArgumentException e) {
      return 0;
    }
  }

  private ValuePlace place(String text) {
    try {
      return ValuePlace.of(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}

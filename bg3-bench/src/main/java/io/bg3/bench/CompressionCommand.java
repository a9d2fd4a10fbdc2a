package io.bg3.bench;

import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.Report;
import io.bg3.bench.work.CompressionRun;
import io.bg3.bench.work.StoreFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bg3 bench compression}: what each way to compress page images saves and costs. */
@Command(
    name = "compression",
    description = "Compares the ways to compress page images on the same graph.",
    footer = {
      "",
      "Bytes depend on the options and the seed, and a little on the times of flushes;",
      "times are processor time of the whole process. docs/benchmarks.md says more."
    },
    mixinStandardHelpOptions = true)
final class CompressionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private GraphOptions graph = new GraphOptions(100_000, 1_000_000);
  @Mixin private DirectoryOption place = new DirectoryOption();
  @Mixin private ReportOutput output = new ReportOutput();

  @Option(
      names = "--ways",
      split = ",",
      description = "Values of bg3.compression.base and .delta (default: none,packed,lz4,zstd).")
  private List<String> ways = List.of("none", "packed", "lz4", "zstd");

  @Option(
      names = "--values",
      description = "random: bytes that cannot be compressed; text: words (default: both).")
  private String values = "both";

  private final List<Metric> figures = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    if (!values.matches("random|text|both")) {
      throw new ParameterException(
          spec.commandLine(), "values are random, text or both: values=" + values);
    }
    PowerLawGraph data = graph.powerLaw();
    Path root = place.create();
    try {
      for (String kind : values.equals("both") ? List.of("random", "text") : List.of(values)) {
        run(new CompressionRun(data, kind.equals("text")), kind, root);
      }
    } finally {
      StoreFiles.delete(root);
    }
    return output.finish(new Report(ways.get(0), figures));
  }

  private void run(CompressionRun run, String kind, Path root) throws IOException {
    long user = run.userBytes();
    String setting =
        "values=" + kind + ", sources=" + graph.vertices() + ", edges=" + graph.edges();
    output.print(setting + ", seed=" + graph.seed() + ", with in-entries, a quarter overwritten");
    output.print("             written        live   checkpoint         read");
    output.print("         B/user byte B/user byte   ms CPU       us CPU a page");
    for (String way : ways) {
      report(way, setting, cost(run, way, root), user);
    }
  }

  private CompressionRun.Cost cost(CompressionRun run, String way, Path root) throws IOException {
    Path store = CompressionRun.directory(root, way);
    try {
      return run.run(store, way);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    } finally {
      StoreFiles.delete(store);
    }
  }

  private void report(String way, String setting, CompressionRun.Cost cost, long user) {
    double written = (double) cost.written() / user;
    double live = (double) cost.live() / user;
    double checkpoint = cost.checkpointNanos() / 1e6;
    double read = cost.readNanos() / 1e3 / cost.pages();
    output.print(
        String.format(
            Locale.ROOT,
            "  %-8s %9.3f %11.3f %12.0f %12.1f",
            way,
            written,
            live,
            checkpoint,
            read));
    String answer = Long.toHexString(cost.answer());
    add("compressed-written", way, setting, "bytes/user byte", answer, written);
    add("compressed-live", way, setting, "bytes/user byte", answer, live);
    add("compressed-checkpoint", way, setting, "ms", answer, checkpoint);
    add("compressed-read", way, setting, "us/page", answer, read);
  }

  private void add(
      String work, String way, String setting, String unit, String answer, double value) {
    figures.add(new Metric(work, way, setting, unit, false, answer, List.of(value)));
  }
}

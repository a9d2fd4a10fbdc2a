package io.bg3.bench;

import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.report.Charts;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.Report;
import io.bg3.bench.work.CompressionRun;
import io.bg3.bench.work.StoreFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
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
      "Bytes depend on the options and the seed, and a little on when pages were flushed;",
      "times are processor time of the whole process. docs/benchmarks.md says more."
    },
    mixinStandardHelpOptions = true)
final class CompressionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--ways",
      split = ",",
      description = "Values of bg3.compression.base and .delta (default: none,packed,lz4,zstd).")
  private List<String> ways = List.of("none", "packed", "lz4", "zstd");

  @Option(
      names = "--values",
      description = "random: bytes that cannot be compressed; text: words (default: both).")
  private String values = "both";

  @Option(names = "--sources", description = "Vertices of the graph (default: ${DEFAULT-VALUE}).")
  private int sources = 100_000;

  @Option(names = "--edges", description = "Edges of the graph (default: ${DEFAULT-VALUE}).")
  private int edges = 1_000_000;

  @Option(names = "--seed", description = "Seed of all chance (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Where the stores are made (default: a new directory).")
  private Path directory;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write the figures as JSON lines, and charts beside them.")
  private Path json;

  private final List<Metric> figures = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    if (!values.matches("random|text|both")) {
      throw new ParameterException(
          spec.commandLine(), "values are random, text or both: values=" + values);
    }
    PowerLawGraph graph = graph();
    Path root = Files.createTempDirectory(parent(), "bg3-bench-");
    try {
      for (String kind : values.equals("both") ? List.of("random", "text") : List.of(values)) {
        run(new CompressionRun(graph, kind.equals("text")), kind, root);
      }
    } finally {
      StoreFiles.delete(root);
    }
    Report report = new Report(ways.get(0), figures);
    if (json != null) {
      Files.write(json, report.jsonLines());
      print("figures in " + json + ", charts in " + Charts.write(report, json));
    }
    List<String> wrong = report.disagreements();
    PrintWriter err = spec.commandLine().getErr();
    wrong.forEach(line -> err.println("bg3: " + line));
    err.flush();
    return wrong.isEmpty() ? 0 : 1;
  }

  private void run(CompressionRun run, String kind, Path root) throws IOException {
    long user = run.userBytes();
    String setting = "values=" + kind + ", sources=" + sources + ", edges=" + edges;
    print(setting + ", seed=" + seed + ", with in-entries, a quarter overwritten");
    print("             written        live   checkpoint         read");
    print("         B/user byte B/user byte   ms CPU       us CPU a page");
    for (String way : ways) {
      Path store = CompressionRun.directory(root, way);
      CompressionRun.Cost cost;
      try {
        cost = run.run(store, way);
      } catch (IllegalArgumentException e) {
        throw new ParameterException(spec.commandLine(), e.getMessage(), e);
      } finally {
        StoreFiles.delete(store);
      }
      double written = (double) cost.written() / user;
      double live = (double) cost.live() / user;
      double checkpoint = cost.checkpointNanos() / 1e6;
      double read = cost.readNanos() / 1e3 / cost.pages();
      print(
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
  }

  private void add(
      String work, String way, String setting, String unit, String answer, double value) {
    figures.add(new Metric(work, way, setting, unit, false, answer, List.of(value)));
  }

  private PowerLawGraph graph() {
    try {
      return new PowerLawGraph(sources, edges, seed);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private Path parent() throws IOException {
    return directory == null
        ? Path.of(System.getProperty("java.io.tmpdir"))
        : Files.createDirectories(directory);
  }

  private void print(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(line);
    out.flush();
  }
}

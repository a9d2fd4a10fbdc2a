package io.bg3.bench;

import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.gremlin.GremlinSystem;
import io.bg3.bench.gremlin.GremlinTask;
import io.bg3.bench.gremlin.GremlinWork;
import io.bg3.bench.gremlin.GremlinWorker;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.MetricFile;
import io.bg3.bench.report.Report;
import io.bg3.bench.work.StoreFiles;
import java.io.IOException;
import java.nio.file.Files;
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

/** {@code bg3 bench gremlin}: traversals on BG3 and on TinkerGraph. */
@Command(
    name = "gremlin",
    description = "Measures traversals on BG3 and on TinkerGraph, embedded, with one graph.",
    footer = {
      "",
      "Each system loads the graph and answers every traversal in a JVM of its own.",
      "floor-empty and floor-strategies are TinkerPop's own share of a traversal.",
      "Answers that differ end the run with exit code 1. docs/benchmarks.md explains",
      "each work."
    },
    mixinStandardHelpOptions = true)
final class GremlinCommand implements Callable<Integer> {
  private static final String OUTPUT = "output.txt";
  private static final int LINES_OF_ERROR = 30;

  @Spec private CommandSpec spec;

  @Mixin private GraphOptions graph = new GraphOptions(100_000, 2_000_000);
  @Mixin private RoundOptions measured = new RoundOptions(3);
  @Mixin private DirectoryOption place = new DirectoryOption();
  @Mixin private ReportOutput output = new ReportOutput();

  @Option(
      names = "--hubs",
      paramLabel = "N",
      split = ",",
      description =
          "Edges of the hub whose label is plain, and of the hub whose label is ordered and counted"
              + " (default: 200000,1000000).")
  private List<Integer> hubs = List.of(200_000, 1_000_000);

  @Option(
      names = "--only",
      paramLabel = "WORK",
      split = ",",
      description = "Only these works, separated by commas; load and memory are always measured.")
  private List<String> only = List.of();

  @Option(
      names = "--systems",
      paramLabel = "SYSTEM",
      split = ",",
      description = "Only these systems, bg3 and tinkergraph.")
  private List<String> names = List.of();

  @Override
  public Integer call() throws IOException {
    List<GremlinWork> works = works();
    List<GremlinSystem> systems = GremlinSystem.of(names);
    boolean temporary = place.directory() == null;
    Path root = temporary ? place.create() : Files.createDirectories(place.directory());
    try {
      new Machine(root).lines().subList(0, 2).forEach(output::print);
      output.print(
          String.format(
              Locale.ROOT,
              "data: vertices=%d, edges=%d, hubs=%s, seed=%d; rounds=%d of at least %.1f s, median",
              graph.vertices(),
              graph.edges(),
              hubs,
              graph.seed(),
              measured.rounds(),
              measured.seconds()));
      List<Metric> figures = new ArrayList<>();
      for (GremlinSystem system : systems) {
        MetricFile.Content content = run(task(system, works, root));
        output.print(system.text() + ": " + content.settings());
        figures.addAll(content.figures());
      }
      output.print("");
      Report report = new Report(GremlinSystem.BG3.text(), figures);
      new GremlinTable(report).lines().forEach(output::print);
      return output.finish(report);
    } finally {
      if (temporary) {
        StoreFiles.delete(root);
      }
    }
  }

  private List<GremlinWork> works() {
    measured.check();
    if (hubs.size() != 2 || hubs.stream().anyMatch(count -> count < 1)) {
      throw new ParameterException(spec.commandLine(), "--hubs takes two positive numbers");
    }
    try {
      PowerLawGraph.check(graph.vertices(), graph.edges());
      var unused = GremlinSystem.of(names);
      return GremlinWork.of(only);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private GremlinTask task(GremlinSystem system, List<GremlinWork> works, Path root)
      throws IOException {
    return new GremlinTask(
        system,
        graph.vertices(),
        graph.edges(),
        graph.seed(),
        hubs.get(0),
        hubs.get(1),
        measured.rounds(),
        measured.seconds(),
        works.stream().map(GremlinWork::text).toList(),
        Files.createTempDirectory(root, system.text() + "-"));
  }

  /** Does a task in a JVM of its own, and removes its store. */
  private static MetricFile.Content run(GremlinTask task) throws IOException {
    Path log = task.directory().resolve(OUTPUT);
    Process process =
        new ProcessBuilder(command(task))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      if (process.waitFor() != 0) {
        List<String> lines = Files.readAllLines(log);
        throw new IOException(
            "a process failed: system="
                + task.system().text()
                + "\n"
                + String.join(
                    "\n", lines.subList(Math.max(0, lines.size() - LINES_OF_ERROR), lines.size())));
      }
      return MetricFile.read(task.results());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted: system=" + task.system().text(), e);
    } finally {
      process.destroyForcibly().onExit().join();
      StoreFiles.delete(task.directory());
    }
  }

  private static List<String> command(GremlinTask task) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx" + (task.heap() >> 20) + "m",
            "-XX:MaxDirectMemorySize=" + ((2 * task.memory()) >> 20) + "m",
            "-XX:+UseG1GC",
            "-XX:+ExitOnOutOfMemoryError",
            "-Dlogback.configurationFile=bench-logback.xml",
            "-cp",
            System.getProperty("java.class.path"),
            GremlinWorker.class.getName()));
    command.addAll(task.arguments());
    return command;
  }
}

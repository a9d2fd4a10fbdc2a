package io.bg3.bench;

import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.gremlin.GremlinSystem;
import io.bg3.bench.gremlin.GremlinTask;
import io.bg3.bench.gremlin.GremlinWork;
import io.bg3.bench.gremlin.GremlinWorker;
import io.bg3.bench.gremlin.LoadFilesWorker;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.MetricFile;
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

/** {@code bg3 bench gremlin}: traversals on BG3 and on other graph systems. */
@Command(
    name = "gremlin",
    description =
        "Measures traversals on BG3 and on other graph systems, embedded or, with --server, through"
            + " servers, with one graph.",
    footer = {
      "",
      "The systems are bg3, tinkergraph, janusgraph and arcadedb. Maven gets the",
      "libraries of the last two when they are first measured; --server takes the",
      "first two.",
      "Each system loads the graph and answers every traversal in a JVM of its own.",
      "floor-empty and floor-strategies are TinkerPop's own share of a traversal.",
      "Answers that differ end the run with exit code 1. docs/benchmarks.md explains",
      "each work."
    },
    mixinStandardHelpOptions = true)
final class GremlinCommand implements Callable<Integer> {
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
      description = "Only these works, separated by commas; loads and memory are always measured.")
  private List<String> only = List.of();

  @Mixin private SystemsOption systems = new SystemsOption(List.of(GremlinSystem.values()));
  @Mixin private GremlinServerOptions servers = new GremlinServerOptions();

  @Override
  public Integer call() throws IOException {
    List<GremlinWork> works = works();
    boolean temporary = place.directory() == null;
    Path root = temporary ? place.create() : Files.createDirectories(place.directory());
    try {
      return servers.isAsked()
          ? askServers(works, root)
          : systems.report(root, data(), system -> run(system, works, root), output);
    } finally {
      if (temporary) {
        StoreFiles.delete(root);
      }
    }
  }

  private int askServers(List<GremlinWork> works, Path root) throws IOException {
    List<GremlinTask> tasks = new ArrayList<>();
    for (GremlinSystem system : systems.systems()) {
      tasks.add(task(system, works, root));
    }
    try {
      return servers.run(tasks, works, data(), output);
    } finally {
      for (GremlinTask task : tasks) {
        StoreFiles.delete(task.directory());
      }
    }
  }

  private String data() {
    return String.format(
        Locale.ROOT,
        "data: vertices=%d, edges=%d, hubs=%s, seed=%d; rounds=%d of at least %.1f s, median",
        graph.vertices(),
        graph.edges(),
        hubs,
        graph.seed(),
        measured.rounds(),
        measured.seconds());
  }

  private List<GremlinWork> works() {
    measured.check();
    List<GremlinSystem> measuredOnes = systems.systems();
    if (hubs.size() != 2 || hubs.stream().anyMatch(count -> count < 1)) {
      throw new ParameterException(spec.commandLine(), "--hubs takes two positive numbers");
    }
    try {
      PowerLawGraph.check(graph.vertices(), graph.edges());
      List<GremlinWork> works = GremlinWork.of(only);
      if (servers.isAsked()) {
        servers.check(measuredOnes, works);
      }
      return works;
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
        Files.createTempDirectory(root.toAbsolutePath(), system.text() + "-"));
  }

  /** Measures a system, and where the bench has its libraries also its load from files. */
  private MetricFile.Content run(GremlinSystem system, List<GremlinWork> works, Path root)
      throws IOException {
    MetricFile.Content asked = run(GremlinWorker.class, task(system, works, root));
    if (!system.isBuiltIn()) {
      return asked;
    }
    List<Metric> figures =
        new ArrayList<>(run(LoadFilesWorker.class, task(system, works, root)).figures());
    figures.addAll(asked.figures());
    return new MetricFile.Content(asked.settings(), figures, asked.omitted());
  }

  private static MetricFile.Content run(Class<?> main, GremlinTask task) throws IOException {
    return new SystemProcess(task.system(), task.directory(), task.heap(), task.memory())
        .run(main, task.arguments(), task.results());
  }
}

package io.bg3.bench;

import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.gremlin.GremlinSystem;
import io.bg3.bench.olap.OlapTask;
import io.bg3.bench.olap.OlapWorker;
import io.bg3.bench.report.MetricFile;
import io.bg3.bench.work.StoreFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bg3 bench olap}: programs over a whole graph on BG3 and on TinkerGraph. */
@Command(
    name = "olap",
    description =
        "Measures PageRank and connected components over a whole graph, on the graph computers of"
            + " BG3 and of TinkerGraph.",
    footer = {
      "",
      "Each system loads the graph and computes in a JVM of its own. PageRank has",
      "20 iterations. -heap is what lives in the heap after the program, with its",
      "result; -heap-most is the most that was used, with garbage. Answers that",
      "differ end the run with exit code 1; ranks may differ by a billionth."
    },
    mixinStandardHelpOptions = true)
final class OlapCommand implements Callable<Integer> {
  private static final long MEBIBYTE = 1L << 20;

  @Spec private CommandSpec spec;

  @Option(
      names = "--vertices",
      paramLabel = "N",
      description = "Vertices of the graph (default: ${DEFAULT-VALUE}).")
  private int vertices = 1_000_000;

  @Option(
      names = "--edges",
      paramLabel = "N",
      description = "Edges of the graph (default: ${DEFAULT-VALUE}).")
  private long edges = 10_000_000;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "The seed of the graph (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Runs of each program, of which the median counts (default: ${DEFAULT-VALUE}).")
  private int rounds = 1;

  @Option(
      names = "--heap",
      paramLabel = "MIB",
      description =
          "MiB of heap of each process (default: 1024, and 2 more for each 1,000 edges, which"
              + " TinkerGraph needs).")
  private long heap;

  @Mixin private DirectoryOption place = new DirectoryOption();
  @Mixin private ReportOutput output = new ReportOutput();
  @Mixin private SystemsOption systems = new SystemsOption(GremlinSystem.builtIn());

  @Override
  public Integer call() throws IOException {
    check();
    Path root = place.create();
    try {
      return systems.report(
          root,
          String.format(
              Locale.ROOT,
              "data: vertices=%d, edges=%d, seed=%d; rounds=%d, median; heap=%d MiB",
              vertices,
              edges,
              seed,
              rounds,
              heapBytes() / MEBIBYTE),
          system -> run(system, root),
          output);
    } finally {
      StoreFiles.delete(root);
    }
  }

  private void check() {
    var unused = systems.systems();
    try {
      PowerLawGraph.check(vertices, edges);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), e.getMessage().replace("sources", "vertices"), e);
    }
    if (rounds < 1) {
      throw new ParameterException(
          spec.commandLine(), "--rounds must be 1 or more: rounds=" + rounds);
    }
  }

  private long heapBytes() {
    return heap > 0 ? heap * MEBIBYTE : OlapTask.heap(edges);
  }

  private MetricFile.Content run(GremlinSystem system, Path root) throws IOException {
    OlapTask task =
        new OlapTask(
            system,
            vertices,
            edges,
            seed,
            rounds,
            root,
            Files.createTempDirectory(root, system.text() + "-"));
    return new SystemProcess(system, task.directory(), heapBytes(), task.memory())
        .run(OlapWorker.class, task.arguments(), task.results());
  }
}

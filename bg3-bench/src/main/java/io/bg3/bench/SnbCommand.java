package io.bg3.bench;

import io.bg3.bench.gremlin.GremlinSystem;
import io.bg3.bench.report.MetricFile;
import io.bg3.bench.snb.SnbQuery;
import io.bg3.bench.snb.SnbTask;
import io.bg3.bench.snb.SnbWorker;
import io.bg3.bench.work.StoreFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bg3 bench snb}: the reads of LDBC's SNB on BG3 and on TinkerGraph. */
@Command(
    name = "snb",
    description =
        "Measures the reads of LDBC's Social Network Benchmark, as Gremlin, on BG3 and on"
            + " TinkerGraph, embedded, with one generated network.",
    footer = {
      "",
      "is1 to is7 are the short reads, ic1 to ic14 the complex ones. Each system",
      "loads the network and answers in a JVM of its own. The network has LDBC's",
      "shape; 1,500 persons are about scale factor 0.1. Answers that differ end the",
      "run with exit code 1. docs/benchmarks.md says more."
    },
    mixinStandardHelpOptions = true)
final class SnbCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--persons",
      paramLabel = "N",
      description =
          "Persons of the network, "
              + SnbTask.LEAST_PERSONS
              + " at least (default: ${DEFAULT-VALUE}).")
  private int persons = 1_500;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "The seed of the network and of the questions (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Mixin private RoundOptions measured = new RoundOptions(3);
  @Mixin private DirectoryOption place = new DirectoryOption();
  @Mixin private ReportOutput output = new ReportOutput();

  @Option(
      names = "--only",
      paramLabel = "QUERY",
      split = ",",
      description = "Only these queries, separated by commas.")
  private List<String> only = List.of();

  @Mixin private SystemsOption systems = new SystemsOption(GremlinSystem.builtIn());

  @Override
  public Integer call() throws IOException {
    List<SnbQuery> queries = queries();
    Path root = place.create();
    try {
      return systems.report(
          root,
          String.format(
              Locale.ROOT,
              "data: persons=%d, seed=%d; rounds=%d of at least %.1f s, median",
              persons,
              seed,
              measured.rounds(),
              measured.seconds()),
          system -> run(task(system, queries, root)),
          output);
    } finally {
      StoreFiles.delete(root);
    }
  }

  private List<SnbQuery> queries() {
    measured.check();
    var unused = systems.systems();
    if (persons < SnbTask.LEAST_PERSONS) {
      throw new ParameterException(
          spec.commandLine(),
          "--persons must be " + SnbTask.LEAST_PERSONS + " or more: persons=" + persons);
    }
    try {
      return SnbQuery.of(only);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private SnbTask task(GremlinSystem system, List<SnbQuery> queries, Path root) throws IOException {
    return new SnbTask(
        system,
        persons,
        seed,
        measured.rounds(),
        measured.seconds(),
        queries.stream().map(SnbQuery::text).toList(),
        Files.createTempDirectory(root, system.text() + "-"));
  }

  private static MetricFile.Content run(SnbTask task) throws IOException {
    return new SystemProcess(task.system(), task.directory(), task.heap(), task.memory())
        .run(SnbWorker.class, task.arguments(), task.results());
  }
}

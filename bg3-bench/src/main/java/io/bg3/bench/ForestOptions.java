package io.bg3.bench;

import io.bg3.bench.report.Report;
import io.bg3.bench.work.Conditions;
import io.bg3.bench.work.UnsyncedAcknowledgement;
import java.io.IOException;
import java.util.List;
import java.util.TreeSet;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of the experiment behind the paper's figure 11, and its run. */
final class ForestOptions {
  private static final int VERTICES = 1_000_000;

  /** So many that each vertex has more than the smallest bg3.forest.split-out. */
  private static final long EDGES = 30_000_000;

  private static final long LEAST_MEMORY = 512L << 20;
  private static final long MEMORY_AN_EDGE = 250;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--trees",
      paramLabel = "N",
      split = ",",
      description =
          "Figure 11: numbers of trees, separated by commas. Up to 64: INIT trees. More: 64 INIT"
              + " trees, and a tree for each of so many vertices, those with the most edges"
              + " (default: 1,64,100000,1000000).")
  private List<Integer> trees = List.of(1, 64, 100_000, 1_000_000);

  /** Runs with each number of trees; prints the tables. */
  Report run(GraphOptions given, RoundOptions measured, DirectoryOption place, ReportOutput output)
      throws IOException {
    GraphOptions graph = given.or(VERTICES, EDGES);
    long memory = LEAST_MEMORY + graph.edges() * MEMORY_AN_EDGE;
    Conditions conditions = Conditions.PLAIN.with(UnsyncedAcknowledgement.LATER);
    EngineSize size = graph.size(memory, conditions, measured);
    check(graph);
    List<Integer> numbers = List.copyOf(new TreeSet<>(trees));
    return place.during(root -> new ForestRun(new RunPlace(size, root, spec), numbers, output));
  }

  private void check(GraphOptions graph) {
    for (int number : trees) {
      if (number < 1 || number > graph.vertices()) {
        throw new ParameterException(
            spec.commandLine(),
            "there are 1 tree to one for each vertex: trees="
                + number
                + ", vertices="
                + graph.vertices());
      }
    }
  }
}

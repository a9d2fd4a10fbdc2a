package io.bg3.bench;

import io.bg3.Setting;
import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.Report;
import io.bg3.bench.store.Contender;
import io.bg3.bench.work.StoreFiles;
import io.bg3.bench.work.Task;
import io.bg3.bench.work.WorkKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The paper's figure 11: commits to one graph that lies in one tree, in some, or in a tree for each
 * vertex, and the memory that each takes.
 */
final class ForestRun extends Experiment {
  /** Above this many trees, vertices have trees of their own. */
  static final int MOST_INIT_TREES = 64;

  /** The {@code bg3.forest.split-out} with which no vertex moves. */
  private static final String NONE_MOVES = "0";

  /** The smallest {@code bg3.forest.split-out} but 0. */
  private static final int LEAST_SPLIT_OUT = 8;

  /** A loaded store, its log, and the commits. */
  private static final long DISK_AN_EDGE = 300;

  private final List<Integer> trees;
  private final ReportOutput output;
  private final ForestFigures found = new ForestFigures();

  /**
   * Prepares a run.
   *
   * @param trees the numbers of trees, up to 64 shared ones or more with one for a vertex each
   * @param output is told each figure as soon as it is measured
   */
  ForestRun(RunPlace place, List<Integer> trees, ReportOutput output) {
    super(place);
    this.trees = trees;
    this.output = output;
  }

  @Override
  Report run() throws IOException {
    printPlace(size().edges() * DISK_AN_EDGE);
    PowerLawGraph graph = new PowerLawGraph(size().sources(), size().edges(), size().seed());
    for (int number : trees) {
      run(graph, number);
    }
    printSettings();
    found.table().forEach(this::printLine);
    return new Report(ForestFigures.system(trees.get(0)), found.figures());
  }

  private void printLine(String line) {
    print("%s", line);
  }

  private void run(PowerLawGraph graph, int number) throws IOException {
    Path store = root().resolve("trees-" + number);
    Path empty = root().resolve("empty");
    Map<String, String> shared =
        Map.of(
            Setting.INIT_TREES.key(),
            Integer.toString(Math.min(number, MOST_INIT_TREES)),
            Setting.SPLIT_OUT.key(),
            NONE_MOVES);
    try {
      Files.createDirectory(empty);
      String name = ForestFigures.system(number) + ", loaded";
      List<Metric> loaded =
          run(name, task(WorkKind.LOAD_FOREST, store, load(graph, number, shared))).figures();
      output.measured(found.add(number, loaded));
      List<Metric> full = run(number, WorkKind.MEMORY, store, shared);
      output.measured(found.addMemory(number, full, run(number, WorkKind.MEMORY, empty, shared)));
      output.measured(found.add(number, run(number, WorkKind.COMMIT_FOREST, store, shared)));
    } finally {
      StoreFiles.delete(store);
      StoreFiles.delete(empty);
      tasks().clear();
    }
  }

  private List<Metric> run(int number, WorkKind work, Path store, Map<String, String> settings)
      throws IOException {
    return run(ForestFigures.system(number), task(work, store, settings)).figures();
  }

  private Task task(WorkKind work, Path store, Map<String, String> settings) {
    return tasks().task(Contender.BG3, work, store).withParameters(settings);
  }

  /** The settings of the load: those vertices move out that have the most edges. */
  private static Map<String, String> load(
      PowerLawGraph graph, int number, Map<String, String> shared) {
    if (number <= MOST_INIT_TREES) {
      return shared;
    }
    String splitOut = Integer.toString(splitOut(graph, number));
    return Map.of(
        Setting.INIT_TREES.key(),
        shared.get(Setting.INIT_TREES.key()),
        Setting.SPLIT_OUT.key(),
        splitOut);
  }

  /** The edges above which so many vertices are, or nearly so many where several have as many. */
  private static int splitOut(PowerLawGraph graph, int number) {
    int[] degrees = new int[graph.sources()];
    for (int i = 0; i < degrees.length; i++) {
      degrees[i] = graph.degree(i);
    }
    Arrays.sort(degrees);
    int next = number < degrees.length ? degrees[degrees.length - 1 - number] : 0;
    return Math.max(LEAST_SPLIT_OUT, next);
  }
}

package io.bg3.bench;

import io.bg3.bench.paper.TtlFigures;
import io.bg3.bench.paper.TtlRun;
import io.bg3.bench.work.StoreFiles;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of the right half of the paper's table 2, and its runs. */
final class TtlOptions {
  private static final int LEAST_RATE = 100;
  private static final int LEAST_LIVES = 3;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--ttl",
      paramLabel = "SECONDS",
      split = ",",
      description =
          "Table 2, right half: times to live, separated by commas (default: 3,30: the paper's one"
              + " and ten minutes, a twentieth of them).")
  private List<Integer> ttl = List.of(3, 30);

  @Option(
      names = "--ttl-rate",
      paramLabel = "EDGES",
      description =
          "Table 2, right half: edges that come in a second, a multiple of 100 (default:"
              + " ${DEFAULT-VALUE}).")
  private int rate = 20_000;

  @Option(
      names = "--ttl-lives",
      paramLabel = "N",
      description =
          "Table 2, right half: times to live that a run takes, the first two not counted (default:"
              + " ${DEFAULT-VALUE}).")
  private int lives = 4;

  /** Checks the ranges; throws ParameterException. */
  void check() {
    boolean isRate = rate >= LEAST_RATE && rate % LEAST_RATE == 0;
    if (!isRate || lives < LEAST_LIVES || ttl.stream().anyMatch(seconds -> seconds < 1)) {
      throw new ParameterException(
          spec.commandLine(),
          "--ttl must be 1 or more, --ttl-rate a multiple of 100, and --ttl-lives 3 or more");
    }
  }

  /**
   * Runs each way with each time to live and each order, on the disk.
   *
   * @param output takes lines of progress, and each figure as soon as it is measured
   */
  TtlFigures run(long seed, DirectoryOption place, ReportOutput output) throws IOException {
    TtlFigures found = new TtlFigures();
    Path root = place.create();
    try {
      for (int seconds : ttl) {
        TtlRun.Size size = new TtlRun.Size(seconds, rate, lives, seed);
        for (TtlRun.Order order : TtlRun.Order.values()) {
          for (TtlRun.Way way : TtlRun.Way.values()) {
            Path store = root.resolve(seconds + "-" + order + "-" + way);
            output.measured(found.add(size, order, way, new TtlRun(size, way, order).run(store)));
            StoreFiles.delete(store);
            output.print(
                "  measured: %s, edges in %s, gone by %s"
                    .formatted(size, order.title(), TtlFigures.name(way)));
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(e.getMessage());
    } finally {
      StoreFiles.delete(root);
    }
    return found;
  }
}

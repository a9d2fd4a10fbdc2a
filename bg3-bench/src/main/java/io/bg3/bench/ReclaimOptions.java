package io.bg3.bench;

import io.bg3.bench.paper.ReclaimFigures;
import io.bg3.bench.paper.ReclaimRun;
import io.bg3.bench.paper.WritePattern;
import io.bg3.core.recovery.ReclaimPolicy;
import io.bg3.core.recovery.ReclaimSettings;
import io.bg3.storage.file.MemoryDisk;
import java.io.IOException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of the experiment behind the paper's table 2, and its runs. */
final class ReclaimOptions {
  private static final int PAGE = 1 << 10;
  private static final int EXTENT = 128 << 10;
  private static final int LEAST_LISTS = 100;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--lists",
      paramLabel = "N",
      description = "Table 2: lists of 12 edges each (default: ${DEFAULT-VALUE}).")
  private int lists = 24_000;

  @Option(
      names = "--flush",
      paramLabel = "WRITES",
      description = "Table 2: writes from one flush to the next (default: ${DEFAULT-VALUE}).")
  private int flush = 10;

  @Option(
      names = "--interval",
      paramLabel = "WRITES",
      description = "Table 2: writes from one checkpoint to the next (default: ${DEFAULT-VALUE}).")
  private int interval = 200;

  @Option(
      names = "--table-warm-up",
      paramLabel = "WRITES",
      description = "Table 2: writes before those that are counted (default: ${DEFAULT-VALUE}).")
  private int warmUp = 100_000;

  @Option(
      names = "--table-writes",
      paramLabel = "WRITES",
      description = "Table 2: writes that are counted (default: ${DEFAULT-VALUE}).")
  private int writes = 100_000;

  @Option(
      names = "--space",
      paramLabel = "RATIO",
      description =
          "Table 2: bytes of the extents for each live byte, of all policies (default:"
              + " ${DEFAULT-VALUE}).")
  private double space = 1.5;

  /** Checks the ranges; throws ParameterException. */
  void check() {
    if (lists < LEAST_LISTS || flush < 1 || interval < 1 || warmUp < 0 || writes < 1) {
      throw new ParameterException(
          spec.commandLine(),
          "--lists must be 100 or more, --flush, --interval and --table-writes positive, and"
              + " --table-warm-up not negative");
    }
    try {
      settings(ReclaimPolicy.DIRTY);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private ReclaimSettings settings(ReclaimPolicy policy) {
    return new ReclaimSettings(policy, space);
  }

  /**
   * Runs each policy with each pattern of writes, on files in memory.
   *
   * @param output takes lines of progress, and each figure as soon as it is measured
   */
  ReclaimFigures run(long seed, ReportOutput output) throws IOException {
    ReclaimRun.Size size =
        new ReclaimRun.Size(lists, 12, PAGE, EXTENT, flush, interval, warmUp, writes, seed);
    output.print(
        "data: "
            + size
            + ", values of 16 to 40 bytes; space at most "
            + space
            + "; files in memory");
    ReclaimFigures found = new ReclaimFigures(size, space);
    for (WritePattern pattern : WritePattern.values()) {
      for (ReclaimPolicy policy : ReclaimPolicy.values()) {
        ReclaimRun run = new ReclaimRun(size);
        output.measured(
            found.add(pattern, policy, run.run(pattern, settings(policy), new MemoryDisk())));
      }
      output.print("  measured: writes by " + pattern.title());
    }
    return found;
  }
}

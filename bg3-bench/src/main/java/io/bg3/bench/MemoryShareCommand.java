package io.bg3.bench;

import io.bg3.bench.report.Report;
import io.bg3.bench.work.WorkKind;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bg3 bench memory-share}: throughput with memory for a part of the data. */
@Command(
    name = "memory-share",
    description = "Measures the engine with memory for ever smaller parts of the data.",
    footer = {
      "",
      "The works are scan-cold and mix-cold of larger-than-memory, with direct I/O.",
      "bg3-whole is BG3 with bg3.memory.topology-first=false: properties stay as long",
      "as the edges that they belong to. The last table has throughput in percent of",
      "that with the first share.",
      "--systems=bg3,rocksdb measures RocksDB beside it."
    },
    mixinStandardHelpOptions = true)
final class MemoryShareCommand implements Callable<Integer> {
  private static final long LEAST = 8L << 20;
  private static final int WHOLE = 100;
  private static final int MOST = 1_000;

  @Spec private CommandSpec spec;

  @Mixin private ColdOptions options = new ColdOptions("bg3");

  @Option(
      names = "--shares",
      paramLabel = "PERCENT",
      split = ",",
      description =
          "Memory in percent of the bytes of keys and values, separated by commas (default:"
              + " 400,100,75,50,35,20,10; with 400 everything is in memory).")
  private List<Integer> shares = List.of(4 * WHOLE, WHOLE, 75, 50, 35, 20, 10);

  @Override
  public Integer call() throws IOException {
    for (int share : shares) {
      if (share < 1 || share > MOST) {
        throw new ParameterException(
            spec.commandLine(), "a share is 1 to " + MOST + " percent: shares=" + share);
      }
    }
    List<Long> memories =
        shares.stream().map(share -> Math.max(LEAST, options.dataBytes() * share / WHOLE)).toList();
    Report report =
        options.measure(
            memories, List.of(WorkKind.SCAN_COLD, WorkKind.MIX_COLD), List.of(ColdWay.values()));
    new ShareTable(report).lines().forEach(options::print);
    return options.finish(report);
  }
}

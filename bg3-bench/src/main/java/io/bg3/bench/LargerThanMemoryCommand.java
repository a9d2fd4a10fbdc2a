package io.bg3.bench;

import io.bg3.bench.work.WorkKind;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bg3 bench larger-than-memory}: the engine beside RocksDB, each with a tenth of memory. */
@Command(
    name = "larger-than-memory",
    description = "Measures the engine beside RocksDB on a store ten times as large as the memory.",
    footer = {
      "",
      "Both systems load the same edges in a random order with memory for all of",
      "them. Then each work opens the store with --memory and direct I/O:",
      "scan-cold (all edges of a vertex), hops-cold (one to three hops over at most",
      "100 vertices each), point-cold (one edge), mix-cold (60 %% scans, 30 %% points,",
      "10 %% commits of a new edge with its entry under the target). RocksDB's block",
      "cache and write buffers have that memory together.",
      "Answers that differ end the run with exit code 1. docs/benchmarks.md says more."
    },
    mixinStandardHelpOptions = true)
final class LargerThanMemoryCommand implements Callable<Integer> {
  private static final long PART = 10;
  private static final long LEAST = 8L << 20;

  @Mixin private ColdOptions options = new ColdOptions("bg3", "rocksdb");

  @Option(
      names = "--memory",
      paramLabel = "BYTES",
      description =
          "Memory of each system, such as 64m or 1g (default: a tenth of the bytes of keys and"
              + " values, 8m at least).")
  private String memory;

  @Override
  public Integer call() throws IOException {
    long bytes =
        memory == null ? Math.max(LEAST, options.dataBytes() / PART) : options.memory(memory);
    return options.run(
        List.of(bytes),
        List.of(WorkKind.SCAN_COLD, WorkKind.HOPS_COLD, WorkKind.POINT_COLD, WorkKind.MIX_COLD));
  }
}

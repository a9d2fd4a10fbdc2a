package io.bg3.bench;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bg3 bench}: the benchmarks. */
@Command(
    name = "bench",
    description = "Measures BG3 beside other systems on the same data, with the same answers.",
    subcommands = {
      EngineCommand.class,
      LargerThanMemoryCommand.class,
      MemoryShareCommand.class,
      ValuesCommand.class,
      CompressionCommand.class,
      PaperCommand.class,
      SupernodeCommand.class,
      ServerCommand.class,
      GremlinCommand.class,
      SnbCommand.class,
      OlapCommand.class,
      JmhCommand.class
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "BENCHMARK")
final class BenchCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "a benchmark is missing: engine, larger-than-memory, memory-share, values, compression,"
            + " paper, supernode, server, gremlin, snb, olap or jmh");
  }
}

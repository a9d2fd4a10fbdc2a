package io.bg3.bench;

import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.bench.report.Report;
import io.bg3.bench.store.Contender;
import io.bg3.bench.work.Conditions;
import io.bg3.bench.work.WorkKind;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of commands that measure stores which are larger than their memory. */
final class ColdOptions {
  /**
   * The memory that a process needs for a load: every edge in a page that is not full, and its log.
   */
  private static final long LOAD_MEMORY_AN_EDGE = 200;

  private static final long LEAST_LOAD_MEMORY = 256L << 20;
  private static final Set<Contender> KNOWN = EnumSet.of(Contender.BG3, Contender.ROCKSDB);

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Mixin private GraphOptions graph = new GraphOptions(800_000, 50_000_000);
  @Mixin private RoundOptions measured = new RoundOptions(3);
  @Mixin private DirectoryOption place = new DirectoryOption();
  @Mixin private ReportOutput output = new ReportOutput();

  @Option(
      names = "--systems",
      paramLabel = "SYSTEM",
      split = ",",
      description = "Only these systems, separated by commas: bg3, rocksdb.")
  private List<String> systems;

  @Option(
      names = "--load-memory",
      paramLabel = "BYTES",
      description =
          "Memory for the load, which is not measured here, such as 512m or 4g (default: 200 bytes"
              + " an edge, 256m at least).")
  private String loadMemory;

  /** Options with the systems that a command measures by default. */
  ColdOptions(String... systems) {
    this.systems = List.of(systems);
  }

  /** Bytes of the keys and values of the graph. */
  long dataBytes() {
    return ColdRun.dataBytes(graph.edges());
  }

  /** Runs, prints, and returns the exit code of the command. */
  int run(List<Long> memories, List<WorkKind> works) throws IOException {
    return finish(measure(memories, works, List.of(ColdWay.DEFAULT)));
  }

  /** Runs with BG3 opened in some ways, and prints the table. */
  Report measure(List<Long> memories, List<WorkKind> works, List<ColdWay> ways) throws IOException {
    measured.check();
    EngineSize size = size();
    Set<Contender> contenders = contenders();
    Report report =
        place.during(
            root -> new ColdRun(new RunPlace(size, root, spec), contenders, memories, works, ways));
    new ColdTable(report).lines().forEach(output::print);
    return report;
  }

  /** Prints a line of results. */
  void print(String line) {
    output.print(line);
  }

  /** Writes the files that were asked for, and returns the exit code of the command. */
  int finish(Report report) throws IOException {
    return output.finish(report);
  }

  private Set<Contender> contenders() {
    try {
      return Contender.of(systems, KNOWN);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private EngineSize size() {
    long memory = loadMemory == null ? standardLoadMemory() : memory(loadMemory);
    return graph.size(memory, Conditions.PLAIN, measured);
  }

  /**
   * Reads a number of bytes as a setting of the engine is read.
   *
   * @throws ParameterException if it is none that a memory budget may have
   */
  long memory(String text) {
    try {
      return bytes(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private static long bytes(String text) {
    return Settings.defaults().with(Setting.MEMORY_BUDGET, text).bytes(Setting.MEMORY_BUDGET);
  }

  private long standardLoadMemory() {
    return Math.max(LEAST_LOAD_MEMORY, graph.edges() * LOAD_MEMORY_AN_EDGE);
  }
}

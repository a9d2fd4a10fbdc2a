package io.bg3.bench;

import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.report.Report;
import io.bg3.bench.store.Contender;
import io.bg3.bench.work.Conditions;
import io.bg3.bench.work.HeavyOwners;
import io.bg3.bench.work.LoadOrder;
import io.bg3.bench.work.ReadPlace;
import io.bg3.bench.work.Snapshots;
import io.bg3.bench.work.StoreFiles;
import io.bg3.bench.work.UnsyncedAcknowledgement;
import io.bg3.bench.work.WorkKind;
import java.io.IOException;
import java.nio.file.Path;
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

  /** Random loads, no overwrites, every vertex, a transaction for each operation. */
  private static final Conditions CONDITIONS =
      new Conditions(
          LoadOrder.RANDOM,
          0,
          HeavyOwners.KEEP,
          Snapshots.EACH,
          UnsyncedAcknowledgement.WAIT,
          ReadPlace.REOPENED,
          false,
          false);

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
    measured.check();
    EngineSize size = size();
    Set<Contender> contenders = contenders();
    Path root = place.create();
    ColdRun run =
        new ColdRun(
            size, contenders, root, spec.commandLine().getOut(), spec.commandLine().getErr());
    Thread abandon = new Thread(run::abandon, "abandon");
    Runtime.getRuntime().addShutdownHook(abandon);
    try {
      Report report = run.run(memories, works);
      new ColdTable(report).lines().forEach(output::print);
      return output.finish(report);
    } finally {
      StoreFiles.delete(root);
      Runtime.getRuntime().removeShutdownHook(abandon);
    }
  }

  private Set<Contender> contenders() {
    try {
      Set<Contender> asked = Contender.of(systems);
      if (!KNOWN.containsAll(asked)) {
        throw new IllegalArgumentException(
            "the systems here are bg3 and rocksdb: asked=" + systems);
      }
      return asked;
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private EngineSize size() {
    try {
      PowerLawGraph.check(graph.vertices(), graph.edges());
      return new EngineSize(
          graph.vertices(),
          graph.edges(),
          graph.seed(),
          loadMemory == null ? standardLoadMemory() : bytes(loadMemory),
          CONDITIONS,
          measured.rounds(),
          measured.seconds());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
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

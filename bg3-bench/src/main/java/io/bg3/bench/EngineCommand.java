package io.bg3.bench;

import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.bench.report.Report;
import io.bg3.bench.store.Contender;
import io.bg3.bench.work.Conditions;
import io.bg3.bench.work.HeavyOwners;
import io.bg3.bench.work.LoadOrder;
import io.bg3.bench.work.ReadPlace;
import io.bg3.bench.work.Snapshots;
import io.bg3.bench.work.StoreFiles;
import io.bg3.bench.work.UnsyncedAcknowledgement;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bg3 bench engine}: the engine beside RocksDB, LMDB and sorted arrays. */
@Command(
    name = "engine",
    description = "Measures the engine beside RocksDB, LMDB and sorted arrays in the heap.",
    footer = {
      "",
      "Works: load, written, disk, scan, scan-values, scan-batch, hops, point,",
      "commit-none, commit-sync, open, open-replay, memory.",
      "Systems: bg3, rocksdb, lmdb, csr (sorted arrays in the heap), bare-log (group",
      "commit and nothing else).",
      "Every system gets the same data, questions, memory and flags. Answers that",
      "differ end the run with exit code 1. docs/benchmarks.md explains each work and",
      "shows what each condition costs."
    },
    mixinStandardHelpOptions = true)
final class EngineCommand implements Callable<Integer> {
  private static final long LEAST_MEMORY = 256L << 20;
  private static final long MEMORY_AN_EDGE = 200;

  @Spec private CommandSpec spec;

  @Mixin private GraphOptions graph = new GraphOptions(1_000_000, 20_000_000);
  @Mixin private RoundOptions measured = new RoundOptions(3);
  @Mixin private DirectoryOption place = new DirectoryOption();
  @Mixin private ReportOutput output = new ReportOutput();

  @Option(
      names = "--only",
      paramLabel = "WORK",
      split = ",",
      description = "Only these works, separated by commas.")
  private List<String> only = List.of();

  @Option(
      names = "--memory",
      paramLabel = "BYTES",
      description =
          "Memory that each system may use, such as 512m or 4g (default: 200 bytes an edge, 256m"
              + " at least).")
  private String memory;

  @Option(
      names = "--systems",
      paramLabel = "SYSTEM",
      split = ",",
      description = "Only these systems, separated by commas.")
  private List<String> systems = List.of();

  @Option(
      names = "--load-order",
      paramLabel = "ORDER",
      description =
          "random: edges are loaded in a random order. sorted: in the order of their keys; LMDB"
              + " then appends (default: random).")
  private LoadOrder order = LoadOrder.RANDOM;

  @Option(
      names = "--overwrite",
      paramLabel = "PART",
      description =
          "The part of the edges that get a new value after the load, chosen at random and written"
              + " in a random order; 0 for none (default: ${DEFAULT-VALUE}).")
  private double overwrite = 0.25;

  @Option(
      names = "--heavy",
      paramLabel = "WHAT",
      description =
          "keep: scans ask for any vertex, and for those with many edges more often, 64 edges on"
              + " average. drop: the sources of random edges, those with the most edges left out"
              + " (default: keep).")
  private HeavyOwners heavy = HeavyOwners.KEEP;

  @Option(
      names = "--transaction",
      paramLabel = "HOW",
      description =
          "each: a read transaction for each scan, walk and point read. shared: one for 1,024 of"
              + " them, or 16 walks (default: each).")
  private Snapshots snapshots = Snapshots.EACH;

  @Option(
      names = "--handover",
      paramLabel = "WHEN",
      description =
          "wait: a commit that is not synced returns when the operating system has its log record."
              + " later: before that; BG3 and RocksDB hand their logs over a few milliseconds later"
              + " (default: wait).")
  private UnsyncedAcknowledgement handover = UnsyncedAcknowledgement.WAIT;

  @Option(
      names = "--reads",
      paramLabel = "WHERE",
      description =
          "written: reads are measured in the process that has written the store, from the pages"
              + " that the writes have left. reopened: the store is closed, and opened again in a"
              + " process for each work (default: written).")
  private ReadPlace reads = ReadPlace.WRITTEN;

  @Option(
      names = "--compact",
      description = "RocksDB compacts the whole store after the writes; not measured.")
  private boolean compact;

  @Option(
      names = "--in-entries",
      description =
          "Load a second entry for each edge, without a value, under its target, as an edge needs"
              + " that is found from either end.")
  private boolean inEntries;

  @Option(
      names = "--keep",
      description =
          "Leave the loaded stores in --dir, and use those that are there already. Needs --reads"
              + " reopened.")
  private boolean keep;

  @Override
  public Integer call() throws IOException {
    measured.check();
    checkKeep();
    List<EngineWork> works = checked(() -> EngineWork.of(only));
    Set<Contender> contenders = checked(() -> Contender.of(systems));
    EngineSize size = checked(this::size);
    boolean temporary = place.directory() == null;
    Path root = temporary ? place.create() : Files.createDirectories(place.directory());
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    EngineRun run = new EngineRun(size, contenders, root, keep, out, err);
    Thread abandon = new Thread(() -> abandon(run, root, temporary), "abandon");
    Runtime.getRuntime().addShutdownHook(abandon);
    try {
      Report report = run.run(works);
      report.table().forEach(output::print);
      return output.finish(report);
    } finally {
      if (!isEnding(abandon) && temporary) {
        StoreFiles.delete(root);
      }
    }
  }

  private void checkKeep() {
    if (keep && place.directory() == null) {
      throw new ParameterException(spec.commandLine(), "--keep needs --dir");
    }
    if (keep && reads != ReadPlace.REOPENED) {
      throw new ParameterException(
          spec.commandLine(),
          "--keep needs --reads reopened: a store that is kept is read by other processes");
    }
  }

  /** Reads options; the command refuses options that the engine or the works refuse. */
  private <T> T checked(Supplier<T> options) {
    try {
      return options.get();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private EngineSize size() {
    return graph.size(
        memory == null ? standardMemory() : bytes(memory),
        new Conditions(order, overwrite, heavy, snapshots, handover, reads, compact, inEntries),
        measured);
  }

  /** Cleans up when this process is ended. */
  private void abandon(EngineRun run, Path root, boolean temporary) {
    try {
      run.abandon();
      if (temporary) {
        StoreFiles.delete(root);
      }
    } catch (IOException e) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("bg3: cannot remove the stores: directory=" + root + ", " + e);
      err.flush();
    }
  }

  /** Takes back a hook; true if it is too late for that. */
  private static boolean isEnding(Thread hook) {
    try {
      return !Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return true;
    }
  }

  /** Read as a setting of the engine is read, so that it may be written in the same way. */
  private static long bytes(String text) {
    return Settings.defaults().with(Setting.MEMORY_BUDGET, text).bytes(Setting.MEMORY_BUDGET);
  }

  private long standardMemory() {
    return Math.max(LEAST_MEMORY, graph.edges() * MEMORY_AN_EDGE);
  }
}

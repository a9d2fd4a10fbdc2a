package io.bg3.cli;

import io.bg3.Bg3;
import io.bg3.load.DefinitionsLoader;
import io.bg3.load.LoadSummary;
import io.bg3.load.Loader;
import io.bg3.transfer.BadRow;
import io.bg3.transfer.BadRowListener;
import io.bg3.transfer.GraphFile;
import io.bg3.transfer.GraphTarget;
import io.bg3.transfer.SortedTarget;
import io.bg3.transfer.StoreTarget;
import io.bg3.transfer.TransferException;
import io.bg3.transfer.definitions.DefinedGraph;
import io.bg3.transfer.definitions.DefinitionStatus;
import io.bg3.transfer.definitions.Definitions;
import io.bg3.transfer.definitions.IndexDefinition;
import io.bg3.transfer.definitions.StoreDefinitions;
import io.bg3.transfer.remote.RemoteDefinitions;
import io.bg3.transfer.remote.RemoteGraph;
import io.bg3.transfer.remote.RemoteTarget;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code bg3 load}: loads files into a store that no other process has open, or through a server.
 */
@Command(
    name = "load",
    description =
        "Loads files into a store, or with --remote through a running server: CSV, GraphML,"
            + " GraphSON 3 with a vertex a line, Gryo.",
    footer = {
      "",
      "The ending tells the format: .csv, .tsv; .graphml, .xml; .graphson, .json;",
      ".gryo, .kryo; each also with .gz appended.",
      "All vertices of all files are loaded before the first edge.",
      "",
      "CSV: the first line names the columns and shows their separator:",
      "comma, tab, semicolon or bar. ~id, ~label, ~from, ~to; or Neo4j's :ID, :LABEL,",
      ":START_ID, :END_ID, :TYPE; or id, label, from, to (also source, target).",
      "All other columns are properties: name or name:type. A file with ~from and ~to",
      "holds edges, any other vertices. Several labels are separated by ';'.",
      "Types: bool, byte, short, int, long, float, double, string, date; type[] for",
      "several values separated by ';'; type(single) and type(set) tell how a vertex",
      "keeps them. Cells that are missing at the end of a row are empty.",
      "",
      "A bad row is reported and skipped. Into an empty store, the load sorts the",
      "edges and writes them at the end: faster, but a load that is killed leaves",
      "nothing. Otherwise, and with --no-bulk, it commits after every thousand rows;",
      "these remain if the load ends early. The first line says which way it takes.",
      "",
      "The definitions that export wrote beside a FILE, or into a directory, are",
      "applied: families, declared edge labels and schemas before the first row,",
      "property indexes after the last, and built before the load ends. A definition",
      "that differs from the store's ends the load before it begins. Definitions may",
      "be loaded alone too, for example to create indexes after a load ended early.",
      "Exit codes: 0 all rows loaded, 3 all except bad rows, 1 the load ended early,",
      "or a definition failed, such as an index that could not be built."
    },
    mixinStandardHelpOptions = true)
final class LoadCommand implements Callable<Integer> {
  /** The number of bad rows to print; further ones are only counted. */
  private static final int SHOWN = 100;

  private static final int BATCH = 1_000;

  /** The duration in seconds from which a rate describes the load and not its start. */
  private static final int LONG_ENOUGH = 2;

  @Spec private CommandSpec spec;
  @Mixin private StoreOptions store;
  @Mixin private RemoteOptions remote;
  @Mixin private FormatOption format;
  @Mixin private DefinitionsOptions definitionsOptions;

  @Option(
      names = "--max-bad-rows",
      paramLabel = "N",
      description = "Stop at the bad row after N of them (default: no limit).")
  private Long maxBadRows;

  @Option(names = "--strict", description = "Stop at the first bad row: --max-bad-rows 0.")
  private boolean strict;

  @Option(
      names = "--property-ids",
      description = "Give vertex properties the ids that GraphSON and Gryo have for them.")
  private boolean keepsPropertyIds;

  @Option(
      names = "--bulk",
      negatable = true,
      description =
          "Require a sorted load, which needs an empty store, or forbid it with --no-bulk (default:"
              + " sorted if the store is empty).")
  private Boolean bulk;

  @Parameters(
      arity = "0..*",
      paramLabel = "FILE",
      description = "Files, in any order; of a directory, the CSV files in it.")
  private List<Path> paths = List.of();

  private int shown;
  private List<DefinitionStatus> statuses = List.of();
  private volatile Path directory; // null where a server has the store
  private volatile GraphTarget target;
  private volatile DefinitionsLoader definitionsLoader;

  @Override
  public Integer call() throws IOException {
    boolean isRemote = remote.isRemote(spec, store);
    if (isRemote && Boolean.TRUE.equals(bulk)) {
      throw new ParameterException(spec.commandLine(), "--bulk loads a directory, not a server");
    }
    long maxBad = maxBad();
    Map<String, Definitions> definitions = definitionsOptions.read(paths, format, spec);
    List<GraphFile> files = files();
    if (files.isEmpty() && definitions.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "nothing to load: name a FILE, --definitions, --index or --unique-index");
    }
    long bytes = 0;
    for (GraphFile file : files) {
      file.check();
      bytes += Files.size(file.path()) * file.passes();
    }
    definitionsOptions.missing().forEach(this::warn);
    LoadSummary summary;
    try (ShutdownReport stop = new ShutdownReport(spec, this::left)) {
      summary =
          isRemote
              ? intoServer(files, bytes, maxBad, definitions)
              : intoStore(files, bytes, maxBad, definitions);
      assert stop != null;
    }
    print(summary, definitions);
    if (statuses.stream().anyMatch(status -> status.problem() != null)) {
      return CommandLine.ExitCode.SOFTWARE;
    }
    return summary.bad() == 0 ? CommandLine.ExitCode.OK : Main.INCOMPLETE;
  }

  private void warn(Path missing) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("no definitions: " + missing + " is not there");
    err.flush();
  }

  /** The number of bad rows to skip before the load ends. */
  private long maxBad() {
    if (strict && maxBadRows != null && maxBadRows > 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--strict and --max-bad-rows=" + maxBadRows + " contradict each other");
    } else if (maxBadRows != null && maxBadRows < 0) {
      throw new ParameterException(
          spec.commandLine(),
          "the number of rows must not be negative: --max-bad-rows=" + maxBadRows);
    }
    return strict ? 0 : maxBadRows == null ? Long.MAX_VALUE : maxBadRows;
  }

  /** Tells which rows and definitions a load that ends early leaves in the store. */
  private String left() {
    GraphTarget rows = target;
    DefinitionsLoader applied = definitionsLoader;
    if (isUnusable()) {
      return LoadWay.unusable(directory);
    } else if (rows != null) {
      return "at least vertices="
          + rows.vertices()
          + ", edges="
          + rows.edges()
          + " were committed and remain"
          + unfinished();
    }
    return applied != null && applied.isBegun()
        ? "no row was loaded; definitions that were applied remain"
        : "nothing was loaded";
  }

  /** A load that ends early adds this to its error. */
  private String remains() {
    return isUnusable() ? "\n" + LoadWay.unusable(directory) : unfinished();
  }

  /** The indexes that a load which ends early has not created, and how to create them. */
  private String unfinished() {
    List<IndexDefinition> missing = definitionsLoader.missing();
    if (missing.isEmpty()) {
      return "";
    }
    List<String> command = new ArrayList<>(List.of("bg3 load"));
    command.addAll(remote.arguments());
    command.addAll(store.arguments());
    command.addAll(definitionsOptions.arguments());
    return "\nnot created: "
        + missing.stream().map(IndexDefinition::toString).collect(Collectors.joining(", "))
        + "\nTo create them: "
        + String.join(" ", command);
  }

  private LoadSummary intoServer(
      List<GraphFile> files, long bytes, long maxBad, Map<String, Definitions> definitions)
      throws IOException {
    try (RemoteGraph graph = remote.connect(spec, store.graph())) {
      return load(
          files,
          bytes,
          maxBad,
          new RemoteDefinitions(graph),
          definitions,
          (badRows, progress) -> new RemoteTarget(graph, keepsPropertyIds, badRows));
    }
  }

  private LoadSummary intoStore(
      List<GraphFile> files, long bytes, long maxBad, Map<String, Definitions> definitions)
      throws IOException {
    store.requireStoreOrRoom();
    boolean isNew = !store.isStore();
    directory = store.directory();
    try (Bg3 open = StoreOpener.open(store.settings())) {
      LoadWay way = way(open, isNew, files, definitions);
      return load(
          files,
          way.sorted() ? 2 * bytes : bytes, // reads, then writes
          maxBad,
          new StoreDefinitions(open.graph()),
          definitions,
          (badRows, progress) -> target(open, way, badRows, written(progress, bytes)));
    } catch (TransferException e) {
      throw isUnusable() ? new NothingLoadedException(e.getMessage(), e.getCause()) : e;
    } catch (IOException e) {
      throw failed(e);
    } catch (UncheckedIOException e) {
      throw failed(e.getCause());
    }
  }

  private IOException failed(IOException e) {
    String message = "the load failed: data=" + directory + "\n" + left();
    return isUnusable()
        ? new NothingLoadedException(message, e)
        : new IOException(message, e); // a TransferException says how much was loaded
  }

  /** Whether a sorted load has begun and not finished. */
  private boolean isUnusable() {
    return target instanceof SortedTarget sorted && !sorted.isFinished();
  }

  /** Decides how rows are written. */
  private LoadWay way(
      Bg3 open, boolean isNew, List<GraphFile> files, Map<String, Definitions> definitions)
      throws IOException {
    if (files.isEmpty()) {
      return LoadWay.ofNoRows();
    }
    LoadSpace space = LoadSpace.of(files);
    if (bulk != null) {
      return LoadWay.demanded(bulk, open, directory, space, definitions);
    }
    return LoadWay.chosen(open, isNew, directory, space, definitions);
  }

  /**
   * The target in a store. Tells the user how rows are written.
   *
   * @param written is told how many entries a sorted load has written
   * @throws UncheckedIOException if a sorted load cannot begin
   */
  private GraphTarget target(Bg3 open, LoadWay way, BadRowListener badRows, LongConsumer written) {
    if (way.reason() != null) {
      PrintWriter out = spec.commandLine().getOut();
      out.println(way);
      out.flush();
    }
    if (!way.sorted()) {
      return new StoreTarget(open.graph(), BATCH, keepsPropertyIds, badRows);
    }
    try {
      return new SortedTarget(open.graph(), open.load(), BATCH, keepsPropertyIds, badRows, written);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Shows entries that are written as the second half of the progress. */
  private LongConsumer written(Progress progress, long bytes) {
    long[] all = {0};
    return entries -> {
      all[0] += entries;
      double part = all[0] / (2.0 * ((SortedTarget) target).waiting());
      progress.reach(bytes + (long) (bytes * Math.min(1, part)));
    };
  }

  private LoadSummary load(
      List<GraphFile> files,
      long work,
      long maxBad,
      DefinedGraph defined,
      Map<String, Definitions> definitions,
      BiFunction<BadRowListener, Progress, GraphTarget> open)
      throws IOException {
    definitionsLoader = new DefinitionsLoader(defined, definitions);
    definitionsLoader.begin();
    LoadSummary summary;
    try (Progress progress = Progress.ofBytes("load", work)) {
      summary =
          new Loader(maxBad, this::show, progress::advance)
              .load(files, badRows -> target = open.apply(badRows, progress));
    } catch (TransferException e) {
      throw new TransferException(e.getMessage() + remains(), e);
    }
    try {
      statuses = definitionsLoader.end();
    } catch (TransferException e) {
      print(summary, definitions);
      throw new TransferException(
          e.getMessage() + "\nAll rows were loaded, see above." + unfinished(), e);
    }
    return summary;
  }

  private List<GraphFile> files() throws IOException {
    List<GraphFile> files = new ArrayList<>();
    for (Path path : paths) {
      if (Files.isDirectory(path)) {
        files.addAll(directory(path));
      } else if (!DefinitionsOptions.isDefinitions(path, format)) {
        files.add(format.of(path, spec).file(path));
      }
    }
    return files;
  }

  private static List<GraphFile> directory(Path directory) throws IOException {
    try (Stream<Path> inside = Files.list(directory)) {
      List<GraphFile> files =
          inside
              .filter(file -> FileFormat.of(file).orElse(null) == FileFormat.CSV)
              .sorted()
              .map(FileFormat.CSV::file)
              .toList();
      if (files.isEmpty()) {
        throw new TransferException(
            "no CSV files in the directory: directory=" + directory + "\nName the files to load.");
      }
      return files;
    }
  }

  private void show(BadRow row) {
    PrintWriter err = spec.commandLine().getErr();
    if (++shown <= SHOWN) {
      err.println("bad row: " + row);
    } else if (shown == SHOWN + 1) {
      err.println("bad row: further ones are only counted");
    }
    err.flush();
  }

  private void print(LoadSummary summary, Map<String, Definitions> definitions) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    out.print("loaded " + Counts.of(summary.vertices(), summary.edges()));
    out.printf(Locale.ROOT, " in %.1f s", summary.seconds());
    if (summary.seconds() >= LONG_ENOUGH) {
      out.printf(
          Locale.ROOT,
          " (%,.0f a second, %,.1f MB a second)",
          summary.elementsPerSecond(),
          summary.bytesPerSecond() / 1e6);
    }
    out.println();
    out.printf(Locale.ROOT, "bad rows skipped: %,d%n", summary.bad());
    if (summary.renamed() > 0) {
      out.printf(Locale.ROOT, "edges with a new generated id: %,d%n", summary.renamed());
    }
    if (summary.propertyIds() > 0) {
      out.printf(
          Locale.ROOT,
          "ids of vertex properties dropped: %,d (--property-ids keeps them)%n",
          summary.propertyIds());
    }
    definitions.forEach((source, of) -> out.println("definitions of " + source + ": " + of));
    statuses.forEach(out::println);
    out.println(remote.isRemote(spec, store) ? "into the server" : "data in " + store.directory());
    out.flush();
  }
}

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
import java.util.function.Function;
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
      "A bad row is reported and skipped. The load commits after every thousand rows;",
      "committed rows remain if the load ends early. With --bulk, it sorts the edges",
      "and writes them at the end: faster, but all rows or none.",
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
      description =
          "Load an empty store by sorting the edges. If the load ends early, the store does not"
              + " open again.")
  private boolean bulk;

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
    if (isRemote && bulk) {
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
    if (rows instanceof SortedTarget sorted && !sorted.isFinished()) {
      return BulkStore.unusable(directory);
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
    return target instanceof SortedTarget sorted && !sorted.isFinished()
        ? "\n" + BulkStore.unusable(directory)
        : unfinished();
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
          badRows -> new RemoteTarget(graph, keepsPropertyIds, badRows));
    }
  }

  private LoadSummary intoStore(
      List<GraphFile> files, long bytes, long maxBad, Map<String, Definitions> definitions)
      throws IOException {
    store.requireStoreOrRoom();
    directory = store.directory();
    try (Bg3 open = StoreOpener.open(store.settings())) {
      if (bulk) {
        BulkStore.requireBulk(open.graph(), directory, definitions);
      }
      return load(
          files,
          bytes,
          maxBad,
          new StoreDefinitions(open.graph()),
          definitions,
          badRows -> target(open, badRows));
    } catch (TransferException e) {
      throw e; // its message says how much was loaded
    } catch (IOException e) {
      throw new IOException("the load failed: data=" + directory + "\n" + left(), e);
    } catch (UncheckedIOException e) {
      throw new IOException("the load failed: data=" + directory + "\n" + left(), e.getCause());
    }
  }

  /**
   * The target in a store.
   *
   * @throws UncheckedIOException if a load in bulk cannot begin
   */
  private GraphTarget target(Bg3 open, BadRowListener badRows) {
    if (!bulk) {
      return new StoreTarget(open.graph(), BATCH, keepsPropertyIds, badRows);
    }
    try {
      return new SortedTarget(
          open.graph(), open.load(), BATCH, keepsPropertyIds, badRows, entries -> {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private LoadSummary load(
      List<GraphFile> files,
      long bytes,
      long maxBad,
      DefinedGraph defined,
      Map<String, Definitions> definitions,
      Function<BadRowListener, GraphTarget> open)
      throws IOException {
    definitionsLoader = new DefinitionsLoader(defined, definitions);
    definitionsLoader.begin();
    LoadSummary summary;
    try (Progress progress = Progress.ofBytes("load", bytes)) {
      summary =
          new Loader(maxBad, this::show, progress::advance)
              .load(files, badRows -> target = open.apply(badRows));
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

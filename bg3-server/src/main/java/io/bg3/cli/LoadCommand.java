package io.bg3.cli;

import io.bg3.Bg3;
import io.bg3.core.graph.IndexedKeys;
import io.bg3.load.LoadSummary;
import io.bg3.load.Loader;
import io.bg3.transfer.BadRow;
import io.bg3.transfer.GraphFile;
import io.bg3.transfer.GraphTarget;
import io.bg3.transfer.StoreTarget;
import io.bg3.transfer.TransferException;
import io.bg3.transfer.remote.RemoteGraph;
import io.bg3.transfer.remote.RemoteTarget;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
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
      "committed rows remain if the load ends early.",
      "Indexes are created behind the last row, and built before the load ends.",
      "Exit codes: 0 all rows loaded, 3 all except bad rows, 1 ended early or an",
      "index cannot be built."
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
      names = "--index",
      paramLabel = "LABEL.KEY",
      description =
          "Index a property of the vertices with a label, or of all vertices: *.KEY. An index of"
              + " several properties is LABEL.KEY+KEY, one of edges edge:LABEL.KEY. May be"
              + " repeated.")
  private List<String> indexes = List.of();

  @Option(
      names = "--unique-index",
      paramLabel = "LABEL.KEY",
      description = "The same, and no two vertices may have a value in common.")
  private List<String> uniqueIndexes = List.of();

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "Files, in any order; of a directory, the CSV files in it.")
  private List<Path> paths;

  private int shown;
  private boolean indexed = true;
  private volatile GraphTarget target;

  @Override
  public Integer call() throws IOException {
    boolean isRemote = remote.isRemote(spec, store);
    long maxBad = maxBad();
    List<IndexedKeys> plain = names(indexes);
    List<IndexedKeys> unique = names(uniqueIndexes);
    if (isRemote && !(plain.isEmpty() && unique.isEmpty())) {
      throw new ParameterException(
          spec.commandLine(),
          "--index needs --data: through a server, call 'bg3.index.create' creates an index");
    }
    List<GraphFile> files = files();
    long bytes = 0;
    for (GraphFile file : files) {
      file.check();
      bytes += Files.size(file.path()) * file.passes();
    }
    LoadSummary summary;
    try (ShutdownReport stop = new ShutdownReport(spec, this::left)) {
      summary =
          isRemote
              ? intoServer(files, bytes, maxBad)
              : intoStore(files, bytes, maxBad, plain, unique);
      assert stop != null;
    }
    print(summary);
    if (!indexed) {
      return CommandLine.ExitCode.SOFTWARE;
    }
    return summary.bad() == 0 ? CommandLine.ExitCode.OK : Main.INCOMPLETE;
  }

  private List<IndexedKeys> names(List<String> texts) {
    try {
      return texts.stream().map(PropertyIndexes::parse).toList();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
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

  private String left() {
    GraphTarget known = target;
    return known == null
        ? "nothing was loaded"
        : "at least vertices="
            + known.vertices()
            + ", edges="
            + known.edges()
            + " were committed and remain";
  }

  private LoadSummary intoServer(List<GraphFile> files, long bytes, long maxBad)
      throws IOException {
    try (RemoteGraph graph = remote.connect(spec, store.graph());
        Progress progress = Progress.ofBytes("load", bytes)) {
      return new Loader(maxBad, this::show, progress::advance)
          .load(files, badRows -> target = new RemoteTarget(graph, keepsPropertyIds, badRows));
    }
  }

  private LoadSummary intoStore(
      List<GraphFile> files,
      long bytes,
      long maxBad,
      List<IndexedKeys> plain,
      List<IndexedKeys> unique)
      throws IOException {
    store.requireStoreOrRoom();
    try (Bg3 open = StoreOpener.open(store.settings());
        Progress progress = Progress.ofBytes("load", bytes)) {
      LoadSummary summary =
          new Loader(maxBad, this::show, progress::advance)
              .load(
                  files,
                  badRows ->
                      target = new StoreTarget(open.graph(), BATCH, keepsPropertyIds, badRows));
      PropertyIndexes made = new PropertyIndexes(open.graph(), spec.commandLine().getOut());
      boolean plainReady = made.create(plain, false);
      indexed = made.create(unique, true) && plainReady;
      return summary;
    } catch (TransferException e) {
      throw e; // its message says how much was loaded
    } catch (IOException e) {
      throw new IOException("the load failed: data=" + store.directory() + "\n" + left(), e);
    }
  }

  private List<GraphFile> files() throws IOException {
    List<GraphFile> files = new ArrayList<>();
    for (Path path : paths) {
      if (Files.isDirectory(path)) {
        files.addAll(directory(path));
      } else {
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

  private void print(LoadSummary summary) throws IOException {
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
    out.println(remote.isRemote(spec, store) ? "into the server" : "data in " + store.directory());
    out.flush();
  }
}

package io.bg3.cli;

import io.bg3.core.graph.IndexedKeys;
import io.bg3.storage.file.PathStatus;
import io.bg3.transfer.CountedInput;
import io.bg3.transfer.csv.CsvGraphWriter;
import io.bg3.transfer.definitions.Definitions;
import io.bg3.transfer.definitions.DefinitionsFile;
import io.bg3.transfer.definitions.IndexDefinition;
import io.bg3.transfer.definitions.MergedDefinitions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The definitions that a load applies: those of files, and indexes that options name. */
final class DefinitionsOptions {
  private static final String INDEX_OPTIONS = "--index, --unique-index";

  @Option(
      names = "--definitions",
      paramLabel = "FILE",
      description = "The definitions to apply, instead of those that an export wrote.")
  private Path named;

  @Option(
      names = "--no-definitions",
      description = "Apply no definitions; property indexes that are named here are created.")
  private boolean none;

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
      description = "Like --index, but unique: no two elements may share a value.")
  private List<String> uniqueIndexes = List.of();

  private final List<String> arguments = new ArrayList<>();
  private final Set<Path> missing = new LinkedHashSet<>();

  /**
   * Reads the definitions to apply.
   *
   * @param paths what is loaded: files and directories
   * @param format of the graphs, if the user has said it
   * @return definitions by the file or the options that have them
   * @throws ParameterException if the options are wrong, or contradict each other
   * @throws io.bg3.transfer.TransferException if a file of definitions is not understood, or has a
   *     definition otherwise than another
   */
  Map<String, Definitions> read(List<Path> paths, FormatOption format, CommandSpec spec)
      throws IOException {
    if (none && named != null) {
      throw new ParameterException(
          spec.commandLine(), "--definitions and --no-definitions contradict each other");
    }
    requireNoOthers(paths, format, spec);
    Definitions options = options(spec);
    Map<String, Definitions> sources = new LinkedHashMap<>();
    for (Path file : files(paths, format)) {
      sources.put(file.toString(), new DefinitionsFile(file).read());
      arguments.add(named == null ? ShellWord.of(file) : "--definitions " + ShellWord.of(file));
    }
    indexes.forEach(index -> arguments.add("--index " + ShellWord.of(index)));
    uniqueIndexes.forEach(index -> arguments.add("--unique-index " + ShellWord.of(index)));
    if (!options.indexes().isEmpty()) {
      sources.put(INDEX_OPTIONS, options);
    }
    MergedDefinitions together = new MergedDefinitions();
    for (Map.Entry<String, Definitions> source : sources.entrySet()) {
      together.add(source.getKey(), source.getValue());
    }
    together.check();
    return sources;
  }

  private Definitions options(CommandSpec spec) {
    List<IndexDefinition> definitions = new ArrayList<>();
    try {
      for (String index : indexes) {
        add(PropertyIndexes.parse(index), false, definitions);
      }
      for (String index : uniqueIndexes) {
        add(PropertyIndexes.parse(index), true, definitions);
      }
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    return Definitions.of(definitions);
  }

  private static void add(IndexedKeys of, boolean unique, List<IndexDefinition> definitions) {
    IndexDefinition index = new IndexDefinition(of, unique);
    if (definitions.contains(new IndexDefinition(of, !unique))) {
      throw new IllegalArgumentException(
          "--index and --unique-index contradict each other: index=" + of);
    }
    if (!definitions.contains(index)) {
      definitions.add(index);
    }
  }

  /** Refuses files of definitions among the arguments where options say to apply others. */
  private void requireNoOthers(List<Path> paths, FormatOption format, CommandSpec spec) {
    for (Path path : paths) {
      if ((none || named != null) && isDefinitions(path, format)) {
        throw new ParameterException(
            spec.commandLine(),
            (none ? "--no-definitions" : "--definitions")
                + " contradicts a file of definitions that is named: file="
                + path
                + "\nLeave out the option or the file.");
      }
    }
  }

  /** Whether an argument is a file of definitions by its name. */
  static boolean isDefinitions(Path path, FormatOption format) {
    return !format.isOf(FileFormat.GRAPHSON)
        && !Files.isDirectory(path)
        && DefinitionsFile.isName(path);
  }

  /** The files of definitions: the named one, or else those that exports have written. */
  private Set<Path> files(List<Path> paths, FormatOption format) throws IOException {
    if (none) {
      return Set.of();
    }
    if (named != null) {
      return Set.of(named);
    }
    Map<Path, Path> files = new LinkedHashMap<>();
    for (Path path : paths) {
      if (isDefinitions(path, format)) {
        files.putIfAbsent(real(path), path);
        continue;
      }
      Path wanted = of(path, format);
      Path found = DefinitionsFile.found(wanted).orElse(null);
      if (found != null) {
        files.putIfAbsent(real(found), found);
      } else if (isExport(path, format)) {
        missing.add(wanted);
      }
    }
    return new LinkedHashSet<>(files.values());
  }

  /** The one path of a file that is named in several ways; of a dangling link the path itself. */
  private static Path real(Path file) throws IOException {
    return PathStatus.of(file) == PathStatus.ABSENT ? file.toAbsolutePath() : file.toRealPath();
  }

  /** Where an export would have written the definitions of a graph. */
  private static Path of(Path graph, FormatOption format) {
    if (Files.isDirectory(graph)) {
      return DefinitionsFile.in(graph).path();
    } else if (isOfDirectory(graph, format)) {
      return graph.resolveSibling(DefinitionsFile.NAME);
    }
    return DefinitionsFile.beside(graph).path();
  }

  private static boolean isOfDirectory(Path file, FormatOption format) {
    return !isOneFile(file, format)
        && CsvGraphWriter.FILES.contains(CountedInput.unpackedName(file));
  }

  /**
   * Whether a graph looks as if an export had written it. Other CSV files come from elsewhere more
   * often than not.
   */
  private static boolean isExport(Path graph, FormatOption format) throws IOException {
    if (!Files.isDirectory(graph)) {
      return isOneFile(graph, format) || isOfDirectory(graph, format);
    }
    for (String name : CsvGraphWriter.FILES) {
      if (PathStatus.of(graph.resolve(name)) == PathStatus.FILE
          || PathStatus.of(graph.resolve(name + ".gz")) == PathStatus.FILE) {
        return true;
      }
    }
    return false;
  }

  /** Whether a file holds a whole graph, as all formats but CSV do. */
  private static boolean isOneFile(Path file, FormatOption format) {
    return format.known(file).filter(known -> known != FileFormat.CSV).isPresent();
  }

  /** The arguments of a command that applies what {@link #read} has read, and loads no rows. */
  List<String> arguments() {
    return arguments;
  }

  /** Where {@link #read} looked for the definitions of an export, and found none. */
  Set<Path> missing() {
    return missing;
  }
}

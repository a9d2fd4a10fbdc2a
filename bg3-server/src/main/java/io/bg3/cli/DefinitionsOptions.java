package io.bg3.cli;

import io.bg3.core.graph.IndexedKeys;
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
      description = "The same, and no two vertices may have a value in common.")
  private List<String> uniqueIndexes = List.of();

  /**
   * Reads the definitions to apply.
   *
   * @param paths what is loaded: files and directories
   * @return definitions by the file or the options that have them
   * @throws ParameterException if the options are wrong, or contradict each other
   * @throws io.bg3.transfer.TransferException if a file of definitions is not understood, or has a
   *     definition otherwise than another
   */
  Map<String, Definitions> read(List<Path> paths, CommandSpec spec) throws IOException {
    if (none && named != null) {
      throw new ParameterException(
          spec.commandLine(), "--definitions and --no-definitions contradict each other");
    }
    Definitions options = options(spec);
    Map<String, Definitions> sources = new LinkedHashMap<>();
    for (Path file : files(paths)) {
      sources.put(file.toString(), new DefinitionsFile(file).read());
    }
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

  /** The files of definitions: the named one, or else those that exports have written. */
  private Set<Path> files(List<Path> paths) {
    Set<Path> files = new LinkedHashSet<>();
    if (none) {
      return files;
    }
    if (named != null) {
      files.add(named);
      return files;
    }
    for (Path path : paths) {
      Path found = of(path);
      if (Files.exists(found)) {
        files.add(found.normalize());
      }
    }
    return files;
  }

  /** Where an export would have written the definitions of what is loaded. */
  private static Path of(Path path) {
    if (Files.isDirectory(path)) {
      return DefinitionsFile.in(path).path();
    } else if (DefinitionsFile.isName(path)) {
      return path;
    } else if (CsvGraphWriter.FILES.contains(String.valueOf(path.getFileName()))) {
      return path.resolveSibling(DefinitionsFile.NAME);
    }
    return DefinitionsFile.beside(path).path();
  }
}

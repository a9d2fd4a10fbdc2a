package io.bg3.cli;

import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.server.ConfigFile;
import io.bg3.server.GraphSettings;
import io.bg3.server.request.GraphName;
import io.bg3.storage.file.PathStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of every command on a store: its directory and its configuration. */
final class StoreOptions {
  private static final String STANDARD = "data";

  /**
   * Names of files that only the directory of a store has. A store that has lost its manifest is
   * damaged, but still a store.
   */
  private static final Pattern STORE =
      Pattern.compile("lock|manifest|log-[0-9a-f]{16}|extent-[a-z]+-[0-9a-f]{8}");

  /** Names that the root directory of a file system may have. */
  private static final String LOST = "lost+found";

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Directory of the store (default: bg3.directory of the configuration, or ./data).")
  private Path data;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Configuration file; conf/bg3.properties explains every key.")
  private Path config;

  @Option(
      names = "--graph",
      paramLabel = "NAME",
      description = "A graph of the configuration, or of the server of --remote (default: g).")
  private String graph;

  private ConfigFile read;

  /** Whether the user has named a directory or a configuration. */
  boolean isNamed() {
    return data != null || config != null;
  }

  /** The configuration file, or an empty one. */
  ConfigFile config() throws IOException {
    if (read == null) {
      if (config != null && !Files.isReadable(config)) {
        throw new IOException("cannot read the configuration: file=" + config);
      }
      read = config == null ? ConfigFile.empty() : ConfigFile.read(config);
    }
    return read;
  }

  /** The options as the user gave them, for a command that is printed; empty if there are none. */
  List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    if (data != null) {
      arguments.add("--data " + ShellWord.of(data));
    }
    if (config != null) {
      arguments.add("--config " + ShellWord.of(config));
    }
    if (graph != null) {
      arguments.add("--graph " + ShellWord.of(graph));
    }
    return arguments;
  }

  /** The settings of the store: those of the file, with the directory of the option. */
  Settings settings() throws IOException {
    Settings store = named().map(GraphSettings::store).orElse(config().store());
    return store.with(Setting.DIRECTORY, directory().toString());
  }

  Path directory() throws IOException {
    if (data == null && named().isPresent()) {
      return named().get().data();
    }
    String configured = config().store().text(Setting.DIRECTORY);
    Path directory = data != null ? data : Path.of(configured.isEmpty() ? STANDARD : configured);
    return directory.toAbsolutePath().normalize();
  }

  /** The name of the graph. */
  String graph() {
    return graph == null ? GraphName.DEFAULT : graph;
  }

  /** The graph of the configuration that the user has named; empty for the default graph. */
  private Optional<GraphSettings> named() throws IOException {
    if (graph().equals(GraphName.DEFAULT)) {
      return Optional.empty();
    }
    Map<String, GraphSettings> known = config().graphs();
    if (!known.containsKey(graph)) {
      throw new IOException(
          "there is no such graph in the configuration: graph="
              + graph
              + ", known="
              + known.keySet()
              + "\n--config names the file; for a directory use --data alone.");
    }
    return Optional.of(known.get(graph));
  }

  /** Refuses a graph for a command that takes all of the configuration. */
  void requireNoGraph(CommandSpec spec) {
    if (graph != null) {
      throw new ParameterException(
          spec.commandLine(), "a server serves all graphs of its configuration; leave out --graph");
    }
  }

  /**
   * Checks that the directory holds a store, so that a command that only reads does not create one.
   *
   * @throws IOException if the directory is missing or holds no store
   */
  void requireStore() throws IOException {
    if (!isStore(directory())) {
      throw new IOException(
          "there is no store: data=" + directory() + "\n'bg3 load' and 'bg3 server' create one.");
    }
  }

  /**
   * Checks that the directory holds no other files, among which a store would be hard to find or to
   * remove.
   *
   * @throws IOException if there are other files
   */
  void requireStoreOrRoom() throws IOException {
    requireStoreOrRoom(directory());
  }

  /** The same for the directory of another graph. */
  static void requireStoreOrRoom(Path directory) throws IOException {
    PathStatus there = PathStatus.of(directory);
    if (there == PathStatus.FILE || there == PathStatus.OTHER) {
      throw new IOException(
          "not a directory: data=" + directory + "\nA store is a directory; name another.");
    }
    if (!isStore(directory) && names(directory).anyMatch(name -> !name.equals(LOST))) {
      throw new IOException(
          "the directory is neither a store nor empty: data="
              + directory
              + "\nName the directory of a store, or one that is empty or does not exist.");
    }
  }

  /** Whether the directory holds a store. */
  boolean isStore() throws IOException {
    return isStore(directory());
  }

  private static boolean isStore(Path directory) throws IOException {
    return names(directory).anyMatch(name -> STORE.matcher(name).matches());
  }

  private static Stream<String> names(Path directory) throws IOException {
    if (PathStatus.of(directory) != PathStatus.DIRECTORY) {
      return Stream.empty();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList().stream();
    }
  }
}

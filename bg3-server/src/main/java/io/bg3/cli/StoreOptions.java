package io.bg3.cli;

import io.bg3.server.ConfigFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** The options that every command on a store has: where it is and how it is configured. */
final class StoreOptions {
  private static final String DIRECTORY = "bg3.directory";

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Directory of the store (default: bg3.directory of the configuration, or ./data).")
  private Path data;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Configuration file; every key is explained in conf/bg3.properties.")
  private Path config;

  private ConfigFile read;

  /** The configuration file, or an empty one. */
  ConfigFile config() throws IOException {
    if (read == null) {
      if (config != null && !Files.isReadable(config)) {
        throw new IOException("cannot read the configuration: file=" + config);
      }
      read = config == null ? ConfigFile.empty() : ConfigFile.read(config, OpenStore.keys());
    }
    return read;
  }

  /** The store's settings: those of the file, with the directory as it was asked for. */
  Map<String, String> settings() throws IOException {
    Map<String, String> settings = new TreeMap<>(config().store());
    settings.put(DIRECTORY, directory().toString());
    return settings;
  }

  Path directory() throws IOException {
    String configured = config().store().get(DIRECTORY);
    Path directory = data != null ? data : Path.of(configured != null ? configured : "data");
    return directory.toAbsolutePath().normalize();
  }

  /** The directory of a store that is there already. */
  Path existing() throws IOException {
    Path directory = directory();
    if (!Files.isDirectory(directory)) {
      throw new IOException(
          "no store there: data=" + directory + " ('bg3 load' and 'bg3 server' make one)");
    }
    return directory;
  }
}

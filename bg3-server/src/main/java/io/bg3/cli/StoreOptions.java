package io.bg3.cli;

import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.server.ConfigFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options that every command on a store has: where it is and how it is configured. */
final class StoreOptions {
  private static final String STANDARD = "data";

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

  private ConfigFile read;

  /** Whether a directory or a configuration was named. */
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

  /** The store's settings: those of the file, with the directory as it was asked for. */
  Settings settings() throws IOException {
    return config().store().with(Setting.DIRECTORY, directory().toString());
  }

  Path directory() throws IOException {
    String configured = config().store().text(Setting.DIRECTORY);
    Path directory = data != null ? data : Path.of(configured.isEmpty() ? STANDARD : configured);
    return directory.toAbsolutePath().normalize();
  }

  /**
   * Refuses to go on where there is no store, so that nobody who only wants to look makes one.
   *
   * @throws IOException if the directory is missing or empty
   */
  void requireStore() throws IOException {
    Path directory = directory();
    boolean there = Files.isDirectory(directory);
    if (there) {
      try (var files = Files.newDirectoryStream(directory)) {
        there = files.iterator().hasNext();
      }
    }
    if (!there) {
      throw new IOException(
          "there is no store: data=" + directory + "\n'bg3 load' and 'bg3 server' make one.");
    }
  }
}

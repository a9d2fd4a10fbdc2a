package io.bg3.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that names the directory in which a command makes its stores. */
final class DirectoryOption {
  private static final String PREFIX = "bg3-bench-";

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Where the stores are made, on the disk to measure (default: a new directory).")
  private Path directory;

  /** The directory; null if the option is not given. */
  Path directory() {
    return directory;
  }

  /**
   * Makes an empty directory for the stores, in the directory of the option or else in the system's
   * directory of temporary files. The caller removes it.
   */
  Path create() throws IOException {
    return directory == null
        ? Files.createTempDirectory(PREFIX)
        : Files.createTempDirectory(Files.createDirectories(directory), PREFIX);
  }
}

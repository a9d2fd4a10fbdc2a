package io.bg3.bench;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that says where a command makes its stores. */
final class DirectoryOption {
  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Where the stores are made, on the disk to measure (default: a new directory).")
  private Path directory;

  /** The directory; null for a new one, which the command removes. */
  Path directory() {
    return directory;
  }
}

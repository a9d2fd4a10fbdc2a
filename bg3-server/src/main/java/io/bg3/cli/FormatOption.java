package io.bg3.cli;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The format of the files that a command reads or writes. */
final class FormatOption {
  @Option(
      names = "--format",
      paramLabel = "F",
      description = "csv, graphml, graphson or gryo, whatever the file's ending.")
  private FileFormat format;

  /** Whether the user has given the option. */
  boolean isSaid() {
    return format != null;
  }

  /** Whether the user has given the option with this format. */
  boolean isOf(FileFormat known) {
    return format == known;
  }

  /** The format of a file, if the option or the file name's ending tells it. */
  Optional<FileFormat> known(Path file) {
    return format == null ? FileFormat.of(file) : Optional.of(format);
  }

  /**
   * Returns the format of a file: that of the option, or else that of the file name's ending.
   *
   * @throws ParameterException if neither names a format
   */
  FileFormat of(Path file, CommandSpec spec) {
    return known(file)
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    "cannot tell the format by the ending: file="
                        + file
                        + ", known="
                        + FileFormat.KNOWN
                        + "\nName the format with --format."));
  }
}

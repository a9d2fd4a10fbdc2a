package io.bg3.cli;

import io.bg3.transfer.GraphFile;
import io.bg3.transfer.GraphFileWriter;
import io.bg3.transfer.csv.CsvGraphFile;
import io.bg3.transfer.csv.CsvGraphWriter;
import io.bg3.transfer.graphml.GraphMlFile;
import io.bg3.transfer.graphml.GraphMlWriter;
import io.bg3.transfer.star.GraphSonFile;
import io.bg3.transfer.star.GraphSonGraphWriter;
import io.bg3.transfer.star.GryoFile;
import io.bg3.transfer.star.GryoGraphWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** The formats of graph files, with the names and the file name endings that users give. */
enum FileFormat {
  CSV,
  GRAPHML,
  GRAPHSON,
  GRYO;

  /** All names, for messages. */
  static final String KNOWN =
      "csv (.csv, .tsv), graphml (.graphml, .xml), graphson (.graphson, .json), gryo (.gryo,"
          + " .kryo), each also with .gz appended";

  /** Returns the format of a file name's ending, before {@code .gz} if the name ends with it. */
  static Optional<FileFormat> of(Path file) {
    String name = file.toString().toLowerCase(Locale.ROOT).replaceFirst("\\.gz$", "");
    return Optional.ofNullable(
        switch (name.substring(name.lastIndexOf('.') + 1)) {
          case "csv", "tsv" -> CSV;
          case "graphml", "xml" -> GRAPHML;
          case "graphson", "json" -> GRAPHSON;
          case "gryo", "kryo" -> GRYO;
          default -> null;
        });
  }

  GraphFile file(Path path) {
    return switch (this) {
      case CSV -> new CsvGraphFile(path);
      case GRAPHML -> new GraphMlFile(path);
      case GRAPHSON -> new GraphSonFile(path);
      case GRYO -> new GryoFile(path);
    };
  }

  GraphFileWriter writer() {
    return switch (this) {
      case CSV -> new CsvGraphWriter();
      case GRAPHML -> new GraphMlWriter();
      case GRAPHSON -> new GraphSonGraphWriter();
      case GRYO -> new GryoGraphWriter();
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}

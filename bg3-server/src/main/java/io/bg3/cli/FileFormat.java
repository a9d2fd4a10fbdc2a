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

/** The formats of graph files, by the names and endings that users know. */
enum FileFormat {
  CSV,
  GRAPHML,
  GRAPHSON,
  GRYO;

  /** What is known, for messages. */
  static final String KNOWN =
      "csv (.csv, .tsv), graphml (.graphml, .xml), graphson (.graphson, .json), gryo (.gryo,"
          + " .kryo), each also with .gz behind it";

  /** The format that the ending of a file's name stands for; {@code .gz} may stand behind it. */
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

package io.bg3.transfer.csv;

import io.bg3.transfer.EdgeData;
import io.bg3.transfer.GraphFileWriter;
import io.bg3.transfer.GraphSource;
import io.bg3.transfer.Losses;
import io.bg3.transfer.VertexData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/**
 * Writes a graph as two files of comma-separated values. It reads the graph twice: first for the
 * columns, then for the rows.
 */
public final class CsvGraphWriter implements GraphFileWriter {
  /** The names of the files in the directory. */
  public static final List<String> FILES = List.of("vertices.csv", "edges.csv");

  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180.builder().setRecordSeparator('\n').get();

  @Override
  public boolean makesDirectory() {
    return true;
  }

  @Override
  public int passes() {
    return 2;
  }

  @Override
  public void write(GraphSource source, Path target, Losses losses, LongConsumer progress)
      throws IOException {
    Cells vertices = new Cells(losses.again(), List.of("~id", "~label"));
    Cells edges = new Cells(losses.again(), List.of("~id", "~from", "~to", "~label"));
    source.vertices(
        vertex -> {
          vertices.learn(vertex);
          progress.accept(1);
        });
    source.edges(
        edge -> {
          edges.learn(edge);
          progress.accept(1);
        });
    writeVertices(source, target.resolve(FILES.get(0)), vertices.counting(losses), progress);
    writeEdges(source, target.resolve(FILES.get(1)), edges.counting(losses), progress);
  }

  private static void writeVertices(
      GraphSource source, Path file, Cells cells, LongConsumer progress) throws IOException {
    try (CSVPrinter printer = new CSVPrinter(Files.newBufferedWriter(file), FORMAT)) {
      printer.printRecord(cells.header());
      source.vertices(
          (VertexData vertex) -> {
            printer.printRecord(cells.row(vertex));
            progress.accept(1);
          });
    }
  }

  private static void writeEdges(GraphSource source, Path file, Cells cells, LongConsumer progress)
      throws IOException {
    try (CSVPrinter printer = new CSVPrinter(Files.newBufferedWriter(file), FORMAT)) {
      printer.printRecord(cells.header());
      source.edges(
          (EdgeData edge) -> {
            printer.printRecord(cells.row(edge));
            progress.accept(1);
          });
    }
  }
}

package io.bg3.bench.gremlin;

import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes the graph of the bench as the CSV files that {@code bin/bg3 load} reads. Every vertex has
 * a code and a name, and every edge a time.
 *
 * <p>Threads: belongs to one.
 */
final class BenchFiles implements ElementSink, Closeable {
  private final Path vertexFile;
  private final Path edgeFile;
  private final BufferedWriter vertices;
  private final BufferedWriter edges;

  private BenchFiles(Path directory) throws IOException {
    vertexFile = directory.resolve("vertices.csv");
    edgeFile = directory.resolve("edges.csv");
    vertices = Files.newBufferedWriter(vertexFile);
    edges = Files.newBufferedWriter(edgeFile);
    vertices.write("~id,~label,code,name\n");
    edges.write("~from,~to,~label,time:long\n");
  }

  /** Writes a graph to a directory; returns the files. */
  static List<Path> write(BenchGraph graph, Path directory) throws IOException {
    try (BenchFiles files = new BenchFiles(Files.createDirectories(directory))) {
      graph.show(files);
      return List.of(files.vertexFile, files.edgeFile);
    }
  }

  @Override
  public void vertex(int number, String label, Object... properties) {
    line(vertices, number, label, properties[1], properties[3]);
  }

  @Override
  public void edge(long from, String label, long target, Object... properties) {
    line(edges, from, target, label, properties[1]);
  }

  private static void line(BufferedWriter to, Object... cells) {
    try {
      for (int i = 0; i < cells.length; i++) {
        to.write(i == 0 ? "" : ",");
        to.write(cells[i].toString());
      }
      to.write('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    vertices.close();
    edges.close();
  }
}

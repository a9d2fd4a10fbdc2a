package io.bg3.load;

import io.bg3.core.graph.GraphStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Loads files into a graph. One thread. */
public final class Loader {
  private static final int BATCH = 1_000;

  private final GraphStore graph;
  private final boolean strict;
  private final Consumer<BadRow> badRows;
  private final LongConsumer progress;
  private long bad;
  private long bytes;

  /**
   * Makes a loader.
   *
   * @param strict whether the first bad row ends the load
   * @param badRows told of every row that is left out
   * @param progress told how many bytes were read since it was told last
   */
  public Loader(GraphStore graph, boolean strict, Consumer<BadRow> badRows, LongConsumer progress) {
    this.graph = graph;
    this.strict = strict;
    this.badRows = badRows;
    this.progress = progress;
  }

  /**
   * Loads all files, those of vertices first.
   *
   * @throws LoadException if a file cannot be read, the store does not take a batch, or a row is
   *     bad and the loader is strict; batches that were committed before stay
   */
  public LoadSummary load(List<Path> files) throws LoadException {
    long start = System.nanoTime();
    List<Path> edges = new ArrayList<>();
    List<Path> vertices = new ArrayList<>();
    for (Path file : files) { // every header is read before the first row is loaded
      (isEdges(file) ? edges : vertices).add(file);
    }
    vertices.addAll(edges); // B1
    try (GraphWriter writer = new GraphWriter(graph, BATCH)) {
      for (Path file : vertices) {
        load(file, writer);
      }
      return new LoadSummary(
          writer.vertices(), writer.edges(), bad, bytes, System.nanoTime() - start);
    }
  }

  /** The bytes of all files, for those who show how far a load is. */
  public static long bytes(List<Path> files) throws LoadException {
    long bytes = 0;
    for (Path file : files) {
      try {
        bytes += Files.size(file);
      } catch (IOException e) {
        throw new LoadException("cannot read: file=" + file + ", reason=no such file", e);
      }
    }
    return bytes;
  }

  private static boolean isEdges(Path path) throws LoadException {
    try (CsvFile file = CsvFile.open(path, count -> {})) {
      return file.header().isEdges();
    } catch (IOException e) {
      throw new LoadException("cannot read: file=" + path, e);
    }
  }

  private void load(Path path, GraphWriter writer) throws LoadException {
    try (CsvFile file = CsvFile.open(path, this::read)) {
      while (file.next()) {
        add(file, writer);
      }
      commit(file, writer);
    } catch (IOException e) {
      throw new LoadException("cannot read: file=" + path, e);
    }
  }

  private void add(CsvFile file, GraphWriter writer) throws LoadException {
    try {
      writer.add(file.header(), file.row());
    } catch (BadRowException e) {
      bad++;
      BadRow row = new BadRow(file.path(), file.line(), e.getMessage());
      if (strict) {
        commit(file, writer); // B3: the good rows before it
        throw new LoadException("stopped at a bad row: " + row + soFar(writer), e);
      }
      badRows.accept(row);
    } catch (RuntimeException e) {
      throw refused(file, writer, e);
    }
  }

  private static void commit(CsvFile file, GraphWriter writer) throws LoadException {
    try {
      writer.commit();
    } catch (RuntimeException e) {
      throw refused(file, writer, e);
    }
  }

  private static LoadException refused(CsvFile file, GraphWriter writer, RuntimeException e) {
    return new LoadException(
        "the store refused: file="
            + file.path()
            + ", line="
            + file.line()
            + ", reason="
            + e.getMessage()
            + soFar(writer),
        e);
  }

  private static String soFar(GraphWriter writer) {
    return "\nloaded before it: vertices=" + writer.vertices() + ", edges=" + writer.edges();
  }

  private void read(long count) {
    bytes += count;
    progress.accept(count);
  }
}

package io.bg3.load;

import io.bg3.core.commit.StoreFailedException;
import io.bg3.transfer.BadRow;
import io.bg3.transfer.BadRowException;
import io.bg3.transfer.BadRowListener;
import io.bg3.transfer.EdgeData;
import io.bg3.transfer.FilePosition;
import io.bg3.transfer.GraphFile;
import io.bg3.transfer.GraphTarget;
import io.bg3.transfer.RowSink;
import io.bg3.transfer.TransferException;
import io.bg3.transfer.VertexData;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * Loads files into a graph. A thread of its own reads the files, and the calling thread adds their
 * rows to the graph.
 *
 * <p>Threads: one.
 */
public final class Loader {
  private final long maxBad;
  private final Consumer<BadRow> badRows;
  private final LongConsumer progress;
  private long bad;

  /** Why a file cannot be read; the reading thread hands it over with its last rows. */
  private IOException unreadable;

  /**
   * Creates a loader.
   *
   * @param maxBad maximum number of bad rows to skip; one more ends the load
   * @param badRows receives every skipped row
   * @param progress receives the number of bytes read since its last call; a file is read as often
   *     as {@link GraphFile#passes} says
   */
  public Loader(long maxBad, Consumer<BadRow> badRows, LongConsumer progress) {
    this.maxBad = maxBad;
    this.badRows = badRows;
    this.progress = progress;
  }

  /**
   * Loads the vertices of all files, then their edges.
   *
   * @param open opens the target after every file has been checked, with the receiver of bad rows
   *     as its argument; this method closes the target
   * @throws TransferException if a file cannot be read, the target refuses a batch, or there are
   *     too many bad rows; batches committed before remain, and a target that keeps rows back
   *     writes them unless it has failed
   */
  public LoadSummary load(
      List<? extends GraphFile> files, Function<BadRowListener, GraphTarget> open)
      throws IOException {
    long start = System.nanoTime();
    long bytes = 0;
    for (GraphFile file : files) { // check all files before the first row is loaded
      file.check();
      bytes += Files.size(file.path());
    }
    try (GraphTarget target = open.apply(this::report)) {
      Rows rows = new Rows(target);
      try {
        load(files, target, rows);
      } catch (TransferException e) {
        throw new TransferException(e.getMessage() + soFar(target), e);
      } catch (StoreFailedException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        throw new TransferException(
            "the store accepts no more rows: "
                + rows.last()
                + ", reason="
                + reason(cause)
                + soFar(target),
            cause);
      } catch (RuntimeException e) {
        throw new TransferException(
            "the store refused: " + rows.last() + ", reason=" + e.getMessage() + soFar(target), e);
      }
      return new LoadSummary(
          target.vertices(),
          target.edges(),
          target.renamed(),
          target.propertyIds(),
          bad,
          bytes,
          System.nanoTime() - start);
    }
  }

  private void load(List<? extends GraphFile> files, GraphTarget target, Rows rows)
      throws IOException {
    try {
      read((to, read) -> vertices(files, to, read), rows); // B1
      target.commit();
      read((to, read) -> edges(files, to, read), rows);
      target.finish();
    } catch (BadRowException e) {
      target.finish(); // B3: keeps the good rows before it, and may find a bad one among them
      throw e;
    } catch (IOException e) {
      if (e == unreadable) {
        keep(target, e);
      }
      throw e;
    }
  }

  private static void keep(GraphTarget target, IOException end) {
    try {
      target.keep();
    } catch (IOException | RuntimeException also) {
      end.addSuppressed(also); // the target says what it has kept
    }
  }

  /** Reads rows, and remembers the exception that ends the reading. */
  private void read(ReadAhead.Reading reading, RowSink rows) throws IOException {
    ReadAhead.run(
        (to, read) -> {
          try {
            reading.read(to, read);
          } catch (TransferException e) {
            unreadable = e;
            throw e;
          }
        },
        rows,
        progress);
  }

  private static void vertices(List<? extends GraphFile> files, RowSink to, LongConsumer progress)
      throws IOException {
    for (GraphFile file : files) {
      file.vertices(to, progress);
    }
  }

  private static void edges(List<? extends GraphFile> files, RowSink to, LongConsumer progress)
      throws IOException {
    for (GraphFile file : files) {
      file.edges(to, progress);
    }
  }

  private void report(BadRow row) throws BadRowException {
    bad++;
    if (bad > maxBad) {
      throw new BadRowException(row, maxBad);
    }
    badRows.accept(row);
  }

  private static String reason(Throwable cause) {
    return cause instanceof FileSystemException file && file.getReason() != null
        ? file.getReason() + ": file=" + file.getFile()
        : String.valueOf(cause.getMessage());
  }

  private static String soFar(GraphTarget target) {
    target.settle();
    return "\nloaded before it: vertices="
        + target.vertices()
        + ", edges="
        + target.edges()
        + target.lastCommitted().map(place -> ", up to " + place).orElse("");
  }

  /** Passes rows on and remembers the place of the last one. */
  private final class Rows implements RowSink {
    private final GraphTarget target;
    private FilePosition last;

    Rows(GraphTarget target) {
      this.target = target;
    }

    String last() {
      return last == null ? "nothing was read yet" : "row=" + last;
    }

    @Override
    public void vertex(VertexData vertex, FilePosition place) throws IOException {
      last = place;
      target.add(vertex, place);
    }

    @Override
    public void edge(EdgeData edge, FilePosition place) throws IOException {
      last = place;
      target.add(edge, place);
    }

    @Override
    public void bad(FilePosition place, String reason) throws IOException {
      report(new BadRow(place, reason));
    }
  }
}

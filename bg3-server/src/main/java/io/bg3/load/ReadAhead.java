package io.bg3.load;

import io.bg3.transfer.EdgeData;
import io.bg3.transfer.FilePosition;
import io.bg3.transfer.RowSink;
import io.bg3.transfer.VertexData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.LongConsumer;

/**
 * Reads rows in a thread of its own, some rows ahead of the thread that takes them: one processor
 * parses while another commits. Rows, bad rows, and the exception that ends the reading arrive in
 * the order in which they were read.
 *
 * <pre>
 *   reading thread     fills a group ... puts it into the queue, waits while the queue is full
 *   taking thread      takes a group ... passes its rows on, ends behind the last group
 *   taking thread      fails: sets stopped, empties the queue, waits for the end of the reading thread
 *   reading thread     puts its group, sees stopped, ends
 * </pre>
 *
 * <p>Threads: {@link #run} belongs to one; the queue and {@code stopped} are shared with the thread
 * that it starts.
 */
final class ReadAhead {
  /** Rows that are handed over together. */
  private static final int TOGETHER = 128;

  /** Groups that wait at most. A row may be large, so they are few. */
  private static final int WAITING = 2;

  /** Reads all rows, once. */
  interface Reading {
    /**
     * Passes the rows to a sink.
     *
     * @param progress receives the number of bytes read since its last call
     */
    void read(RowSink to, LongConsumer progress) throws IOException;
  }

  /** A vertex, an edge, or the reason why a row is neither. */
  private record Row(VertexData vertex, EdgeData edge, String problem, FilePosition place) {
    void passTo(RowSink to) throws IOException {
      if (vertex != null) {
        to.vertex(vertex, place);
      } else if (edge != null) {
        to.edge(edge, place);
      } else {
        to.bad(place, problem);
      }
    }
  }

  /**
   * Some rows.
   *
   * @param bytes that were read for them
   * @param isLast whether the reading has ended behind them
   * @param failure why it has ended, null if there are no more rows
   */
  private record Group(List<Row> rows, long bytes, boolean isLast, Throwable failure) {}

  /** Ends a reading whose rows nobody takes any more. */
  private static final class StoppedException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  private final BlockingQueue<Group> groups = new ArrayBlockingQueue<>(WAITING);
  private volatile boolean stopped;

  private ReadAhead() {}

  /**
   * Reads all rows and passes them on, in the calling thread. When this returns or throws, nothing
   * is read any more.
   *
   * @param progress is called in the calling thread
   * @throws IOException what the reading or the sink throws
   */
  static void run(Reading reading, RowSink to, LongConsumer progress) throws IOException {
    ReadAhead ahead = new ReadAhead();
    Thread reader = new Thread(() -> ahead.read(reading), "bg3-load-read");
    reader.setDaemon(true);
    reader.start();
    try {
      ahead.passOn(to, progress);
    } finally {
      ahead.stop(reader);
    }
  }

  private void passOn(RowSink to, LongConsumer progress) throws IOException {
    Group group;
    do {
      group = take();
      progress.accept(group.bytes);
      for (Row row : group.rows) {
        row.passTo(to);
      }
    } while (!group.isLast);
    if (group.failure instanceof IOException e) {
      throw e;
    } else if (group.failure instanceof RuntimeException e) {
      throw e;
    } else if (group.failure instanceof Error e) {
      throw e;
    }
    assert group.failure == null : group.failure;
  }

  private void stop(Thread reader) {
    stopped = true;
    groups.clear(); // room for the group that is under way, and for the last one
    boolean interrupted = false;
    while (reader.isAlive()) {
      try {
        reader.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    restore(interrupted);
  }

  /** Takes the next group; an interrupt does not end the wait, as it does not end a commit. */
  private Group take() {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return groups.take();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      restore(interrupted);
    }
  }

  private static void restore(boolean interrupted) {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void read(Reading reading) {
    Groups rows = new Groups();
    Throwable failure = null;
    try {
      reading.read(rows, bytes -> rows.bytes += bytes);
    } catch (Throwable e) { // the thread that takes the rows throws it
      failure = e;
    }
    rows.put(true, failure);
  }

  /** Gathers rows into groups; belongs to the reading thread. */
  private final class Groups implements RowSink {
    private List<Row> rows = new ArrayList<>(TOGETHER);
    private long bytes;

    @Override
    public void vertex(VertexData vertex, FilePosition place) throws IOException {
      add(new Row(vertex, null, null, place));
    }

    @Override
    public void edge(EdgeData edge, FilePosition place) throws IOException {
      add(new Row(null, edge, null, place));
    }

    @Override
    public void bad(FilePosition place, String reason) throws IOException {
      add(new Row(null, null, reason, place));
    }

    private void add(Row row) throws IOException {
      rows.add(row);
      if (rows.size() == TOGETHER) {
        put(false, null);
      }
      if (stopped) {
        throw new StoppedException();
      }
    }

    private void put(boolean isLast, Throwable failure) {
      Group group = new Group(rows, bytes, isLast, failure);
      rows = new ArrayList<>(TOGETHER);
      bytes = 0;
      boolean done = false;
      while (!done) {
        try {
          groups.put(group);
          done = true;
        } catch (InterruptedException e) {
          stopped = true; // nobody interrupts this thread but to end it
          done = groups.offer(group);
        }
      }
    }
  }
}

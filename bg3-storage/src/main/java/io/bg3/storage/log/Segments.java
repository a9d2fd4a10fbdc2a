package io.bg3.storage.log;

import io.bg3.storage.Waiting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The segments of a log that is being written, some of them prepared ahead.
 *
 * <ul>
 *   <li>G1: each segment begins where the one before it ends.
 *   <li>G2: a segment in the list has its space and its header, and that and its name are durable.
 *   <li>G3: a file that is used again held only positions below its new base, since what was before
 *       L has been given back, and new segments begin behind the last.
 * </ul>
 *
 * <pre>
 *  field     guard
 *  list      this
 *  prepared  written under preparing after the list has the segment; read by all. A stale value is too low and leads
 *            into prepare(), which looks again
 *  ahead     as prepared
 * </pre>
 *
 * Lock order: preparing, this.
 */
final class Segments {
  private final SegmentFiles files;
  private final LogSettings settings;
  private final int epoch;
  private final ReentrantLock preparing = new ReentrantLock();
  private final List<Segment> list;
  private volatile long prepared;
  private volatile long ahead;

  Segments(SegmentFiles files, LogSettings settings, int epoch, List<Segment> existing) {
    this.files = files;
    this.settings = settings;
    this.epoch = epoch;
    this.list = new ArrayList<>(existing);
    if (!list.isEmpty()) {
      publish(list.get(list.size() - 1));
    }
  }

  /** Creates the first segment of an empty list. */
  void createFirst(long base) throws IOException {
    preparing.lock();
    try {
      add(base, settings.segmentMin());
    } finally {
      preparing.unlock();
    }
  }

  /**
   * Sees to it that there is space up to {@code end}, and, unless another thread is at it, some
   * more behind that.
   *
   * @param end the position up to which records will be written
   */
  void prepare(long end) throws IOException {
    if (end <= ahead) {
      return;
    }
    Waiting.require("a segment of the log");
    if (end > prepared) {
      preparing.lock();
    } else if (!preparing.tryLock()) {
      return;
    }
    try {
      while (end > ahead) {
        Segment last = last();
        long size = Math.min(2 * last.bytes(), settings.segmentMax());
        add(last.end(), Math.max(size, settings.segmentMin()));
      }
    } finally {
      preparing.unlock();
    }
  }

  /** The segment that holds a position below the prepared end and not below the first segment. */
  synchronized Segment at(long position) {
    for (int i = list.size() - 1; i >= 0; i--) {
      if (list.get(i).holds(position)) {
        return list.get(i);
      }
    }
    throw new AssertionError("position is in no segment: position=" + position + ", " + list);
  }

  /** Gives up segments that end at or before {@code position}; the last one stays. */
  void giveBackBefore(long position) throws IOException {
    for (Segment segment : removeBefore(position)) {
      files.giveBack(segment);
    }
  }

  /** Bytes of all segments' files, those that are kept to be used again among them. */
  synchronized long bytes() {
    return files.bytes() + list.stream().mapToLong(Segment::bytes).sum();
  }

  /** Deletes what is kept to be used again. */
  void deleteSpare() throws IOException {
    files.deleteSpare();
  }

  /** Closes all files. */
  synchronized void close() throws IOException {
    for (Segment segment : list) {
      segment.file().close();
    }
  }

  private synchronized List<Segment> removeBefore(long position) {
    List<Segment> removed = new ArrayList<>();
    while (list.size() > 1 && list.get(0).end() <= position) {
      removed.add(list.remove(0));
    }
    return removed;
  }

  private synchronized Segment last() {
    return list.get(list.size() - 1);
  }

  /** Adds a segment: G2 holds before it is in the list. */
  private void add(long base, long size) throws IOException {
    assert preparing.isHeldByCurrentThread();
    Segment segment = files.make(base, size, epoch);
    synchronized (this) {
      assert list.isEmpty() || last().end() == base : "G1: " + last() + ", " + segment;
      list.add(segment);
    }
    publish(segment);
  }

  private void publish(Segment last) {
    ahead = last.base() + last.capacity() / 2;
    prepared = last.end();
  }
}

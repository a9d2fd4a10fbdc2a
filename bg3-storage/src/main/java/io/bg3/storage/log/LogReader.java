package io.bg3.storage.log;

import io.bg3.storage.format.Checksums;
import io.bg3.storage.format.CorruptionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads the records of a log from a position to its end and changes nothing. Once {@link #next} has
 * returned false the end is known, and {@link WriteAheadLog#open} takes over.
 *
 * <p>What was read may be answered only after {@code open} has returned: until then it may rest on
 * what a killed process left in the page cache.
 *
 * <p>Threads: one.
 */
public final class LogReader implements AutoCloseable {
  private static final int WINDOW = 1 << 18;

  private final SegmentChain chain;
  private final TailValidator judge;
  private long claimedDurable;
  private ByteBuffer window;
  private long windowStart;
  private long position;
  private long end;
  private int epoch;
  private TornTail tail;
  private boolean taken;

  LogReader(SegmentChain chain, long from, long claimedDurable, TailValidator judge) {
    this.chain = chain;
    this.judge = judge;
    this.claimedDurable = claimedDurable;
    this.position = from;
    this.end = from;
    int size = (int) Math.max(LogRecord.HEADER, Math.min(WINDOW, chain.end() - from));
    this.window = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN).limit(0);
  }

  /**
   * Goes to the next record.
   *
   * @return false if the log ends here
   * @throws CorruptionException if there should be a record and it is damaged
   * @throws IOException if the disk fails, which says nothing about the log
   */
  public boolean next() throws IOException {
    if (tail != null) {
      return false;
    }
    String flaw = flaw(end);
    if (flaw != null) {
      position = end;
      tail = judge.judge(chain, end, claimedDurable, flaw);
      return false;
    }
    int at = index(end);
    position = end;
    epoch = window.getInt(at + LogRecord.EPOCH);
    claimedDurable = Math.max(claimedDurable, window.getLong(at + LogRecord.DURABLE));
    end += LogRecord.bytes(window.getInt(at + LogRecord.LENGTH));
    return true;
  }

  /** The position of the record's first byte; after the last record, the end of the log. */
  public long position() {
    return position;
  }

  /**
   * The position behind the record, which is where the next one begins; after the last record, the
   * end of the log.
   */
  public long end() {
    return end;
  }

  /** The payload of the record, little-endian. It is valid until the next call of {@link #next}. */
  public ByteBuffer payload() {
    int at = index(position);
    return window
        .slice(at + LogRecord.HEADER, window.getInt(at + LogRecord.LENGTH))
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * The bytes behind the end of the log.
   *
   * @throws IllegalStateException if {@link #next} has not returned false yet
   */
  public TornTail tornTail() {
    if (tail == null) {
      throw new IllegalStateException("log is not read to its end: position=" + end);
    }
    return tail;
  }

  /** Closes the files, unless a log has taken them over. */
  @Override
  public void close() throws IOException {
    if (!taken) {
      chain.close();
    }
  }

  /** The files belong to a log from now on. */
  void taken() {
    taken = true;
  }

  SegmentChain chain() {
    return chain;
  }

  /** The highest durable position that the manifest or a record up to the end claims. */
  long claimedDurable() {
    return claimedDurable;
  }

  /** The highest epoch among the segment headers and records up to the end. */
  int epoch() {
    int highest = epoch;
    for (Segment segment : chain.joined()) {
      highest = Math.max(highest, segment.epoch());
    }
    return highest;
  }

  /**
   * Why there is no valid record at {@code start}: which of W1 to W6 does not hold; null if there
   * is one.
   */
  private String flaw(long start) throws IOException {
    if (!fetch(start, LogRecord.HEADER)) {
      return "W4: the end of the last segment";
    }
    int at = index(start);
    if (!LogRecord.isHeader(window, at, chain.settings().store(), start)) {
      return "W1-W3: no record's header";
    }
    int bytes = LogRecord.bytes(window.getInt(at + LogRecord.LENGTH));
    if (start + bytes > chain.end() || !fetch(start, bytes)) {
      return "W4: " + (chain.end() - start) + " of " + bytes + " bytes";
    }
    at = index(start);
    int body = Checksums.crc32c(window, at + LogRecord.HEADER, at + bytes);
    if (body != window.getInt(at + LogRecord.BODY)) {
      return "W5: checksum " + Integer.toHexString(body) + " of the payload";
    }
    if (window.getInt(at + LogRecord.EPOCH) < epoch) {
      return "W6: epoch " + window.getInt(at + LogRecord.EPOCH) + " after " + epoch;
    }
    return null;
  }

  /**
   * Whether the stream has {@code bytes} bytes from {@code start} on; they are in the window then.
   */
  private boolean fetch(long start, int bytes) throws IOException {
    if (start >= windowStart && start + bytes <= windowStart + window.limit()) {
      return true;
    }
    if (bytes > window.capacity()) {
      window = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
    window.clear();
    windowStart = start;
    window.limit(chain.read(window, start));
    return window.limit() >= bytes;
  }

  private int index(long at) {
    return (int) (at - windowStart);
  }
}

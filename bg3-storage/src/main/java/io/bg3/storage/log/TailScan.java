package io.bg3.storage.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Looks through everything behind the last valid record for headers of records, which are found by
 * the position that they carry. All else there means nothing: pieces of records that were torn, or
 * what a file held that became a segment again. Threads: one.
 */
final class TailScan {
  private static final int WINDOW = 1 << 16;

  /** Reads part of the stream. */
  private interface Source {
    int read(ByteBuffer to, long position) throws IOException;
  }

  private final SegmentChain chain;
  private final ByteBuffer window;
  private long used;
  private long claim;
  private long claimant;
  private long records;
  private Segment headless;

  private TailScan(SegmentChain chain, long from) {
    this.chain = chain;
    long longest = chain.end() - from;
    for (Segment segment : chain.rest()) {
      longest = Math.max(longest, segment.capacity());
    }
    longest = (longest + LogRecord.ALIGNMENT - 1) & -LogRecord.ALIGNMENT;
    int size = (int) Math.min(WINDOW, Math.max(longest, 2 * LogRecord.HEADER));
    this.window = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    this.used = from;
  }

  /** Scans everything from {@code position} on. */
  static TailScan of(SegmentChain chain, long position) throws IOException {
    TailScan scan = new TailScan(chain, position);
    scan.scan(position, chain.end(), chain::read);
    for (Segment segment : chain.rest()) {
      long before = scan.records;
      scan.scan(segment.base(), segment.end(), segment::read);
      if (scan.records > before && segment.epoch() == 0 && scan.headless == null) {
        scan.headless = segment;
      }
    }
    return scan;
  }

  /**
   * The first position behind which no byte belongs to the header of a record; not below the one
   * that the scan began at.
   */
  long used() {
    return used;
  }

  /** The number of valid headers of records. */
  long records() {
    return records;
  }

  /** The highest durable position that a record's header claims, 0 if there is none. */
  long claim() {
    return claim;
  }

  /** The position of the record that claims {@link #claim}. */
  long claimant() {
    return claimant;
  }

  /** The first segment that holds a record's header but has no valid header itself, or null. */
  Segment headless() {
    return headless;
  }

  private void scan(long from, long to, Source source) throws IOException {
    long at = from;
    while (at < to) {
      window.clear();
      int bytes = source.read(window, at);
      for (int i = 0; i + Long.BYTES <= bytes; i += LogRecord.ALIGNMENT) {
        if (window.getLong(i) != 0) {
          note(i, at + i, bytes);
        }
      }
      if (bytes < window.capacity()) {
        break;
      }
      at += bytes - LogRecord.HEADER; // a header may lie across the end of the window
    }
  }

  /** Notes what the header of a record says, if there is one at {@code index} of the window. */
  private void note(int index, long position, int bytes) {
    if (index + LogRecord.HEADER > bytes
        || !LogRecord.isHeader(window, index, chain.settings().store(), position)) {
      return;
    }
    records++;
    used = Math.max(used, position + LogRecord.HEADER);
    long durable = window.getLong(index + LogRecord.DURABLE);
    if (durable > claim) {
      claim = durable;
      claimant = position;
    }
  }
}

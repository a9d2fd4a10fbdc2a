package io.bg3.storage.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The allowed contents of a log: every record that was acknowledged, then a beginning of those
 * appended after it, and nothing else. An answer that opening gave counts as acknowledged from then
 * on.
 */
final class LogOracle {
  /** A record that was appended. {@code claim} is what its header says at the most. */
  record Entry(long position, long end, long id, int length) {}

  private final List<Entry> entries = new ArrayList<>();
  private long acknowledged;
  private long nextId = 1;

  /** A payload that no other record has. */
  ByteBuffer payload(Random random) {
    int length =
        switch (random.nextInt(8)) {
          case 0 -> 1 + random.nextInt(8);
          case 1 -> 2000 + random.nextInt(8000); // spans pages, sometimes segments
          default -> 8 + random.nextInt(300);
        };
    return payload(nextId, length);
  }

  private static ByteBuffer payload(long id, int length) {
    ByteBuffer bytes = ByteBuffer.allocate(LogRecord.ALIGNMENT + length);
    long mixed = id * 0x9e3779b97f4a7c15L;
    for (int at = 0; at < length; at += Long.BYTES) {
      mixed ^= mixed >>> 29;
      mixed *= 0xbf58476d1ce4e5b9L;
      bytes.putLong(at, mixed);
    }
    return bytes.limit(length);
  }

  void appended(long end, int length) {
    entries.add(new Entry(end - LogRecord.bytes(length), end, nextId++, length));
  }

  void acknowledged(long position) {
    assert position >= acknowledged : position + " < " + acknowledged;
    acknowledged = position;
  }

  long acknowledged() {
    return acknowledged;
  }

  List<Entry> entries() {
    return entries;
  }

  /** An acknowledged position at which a record ends, from which replay may start. */
  long checkpoint(Random random, long atLeast) {
    List<Long> ends = new ArrayList<>(List.of(atLeast));
    for (Entry entry : entries) {
      if (entry.end > atLeast && entry.end <= acknowledged) {
        ends.add(entry.end);
      }
    }
    return ends.get(random.nextInt(ends.size()));
  }

  /** Compares with what a reader finds from {@code from} on; the last position it went to. */
  long check(LogReader reader, long from) throws IOException {
    int index = 0;
    while (index < entries.size() && entries.get(index).position < from) {
      index++;
    }
    long end = from;
    while (reader.next()) {
      if (index == entries.size()) {
        throw new Violation("invented: a record at " + reader.position());
      }
      Entry entry = entries.get(index++);
      if (reader.position() != entry.position
          || reader.end() != entry.end
          || !reader.payload().equals(payload(entry.id, entry.length))) {
        throw new Violation("changed: " + entry + " read at " + reader.position());
      }
      end = reader.end();
    }
    if (end < acknowledged) {
      throw new Violation("lost: read to " + end + ", acknowledged to " + acknowledged);
    }
    return end;
  }

  /**
   * The log was opened and ends here: nothing behind exists any more, and all before was answered.
   */
  void opened(long end) {
    entries.removeIf(entry -> entry.end > end);
    acknowledged(end);
  }

  /** The log broke a promise. */
  static final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Violation(String message) {
      super(message);
    }
  }
}

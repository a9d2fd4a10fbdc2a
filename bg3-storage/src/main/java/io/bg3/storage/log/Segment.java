package io.bg3.storage.log;

import io.bg3.storage.file.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An open segment file, addressed by positions in the stream. Immutable; the file brings its own
 * rules for threads.
 *
 * @param base the first position in it
 * @param capacity how many bytes of the stream it holds
 * @param epoch of the opening that created it; 0 if that is not known
 * @param file its file
 */
record Segment(long base, long capacity, int epoch, DiskFile file) {
  /** The first position behind it. */
  long end() {
    return base + capacity;
  }

  /** Bytes on disk. */
  long bytes() {
    return SegmentHeader.RESERVED + capacity;
  }

  boolean holds(long position) {
    return position >= base && position < end();
  }

  /** The offset of the position in the file. */
  long offset(long position) {
    return SegmentHeader.RESERVED + position - base;
  }

  /**
   * Fills the buffer from {@code position} on as far as the segment goes and returns the number of
   * bytes.
   */
  int read(ByteBuffer to, long position) throws IOException {
    int limit = to.limit();
    to.limit((int) Math.min(limit, to.position() + (end() - position)));
    int read = file.read(to, offset(position));
    to.limit(limit);
    return read;
  }

  /** Writes what remains in the buffer; it must fit. */
  void write(ByteBuffer from, long position) throws IOException {
    assert position >= base && position + from.remaining() <= end() : position + " in " + this;
    file.write(from, offset(position));
  }
}

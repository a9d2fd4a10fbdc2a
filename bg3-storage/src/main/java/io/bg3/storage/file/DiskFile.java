package io.bg3.storage.file;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An open file. Offsets and sizes are bytes.
 *
 * <p>Threads: reads and writes may run in parallel; a read beside a write to the same bytes may see
 * either, torn. No method ends early or breaks when the calling thread is interrupted.
 */
public interface DiskFile extends AutoCloseable {
  /** The name it was created or opened with. */
  String name();

  /** The file's length. */
  long size() throws IOException;

  /**
   * Fills {@code to} from the file as far as the file goes.
   *
   * @return how many bytes were read: fewer than remained only at the end of the file, 0 behind it
   */
  int read(ByteBuffer to, long position) throws IOException;

  /**
   * Fills {@code to} as {@link #read} does, from the device and not from the system's cache where
   * the file system can do that. Data that is written and not synced is read as well, but costs a
   * write to the device first.
   */
  default int readDirect(ByteBuffer to, long position) throws IOException {
    return read(to, position);
  }

  /**
   * Writes all that remains in {@code from} and moves its position to its limit. A write behind the
   * end fills the gap with zeros. After an exception any part of it may have been written.
   */
  void write(ByteBuffer from, long position) throws IOException;

  /**
   * Fills {@code [from, to)} with zeros that take up space, so that writing there later needs no
   * new blocks.
   */
  void zero(long from, long to) throws IOException;

  /** Cuts the file off at {@code size}; does nothing if it is not longer. */
  void truncate(long size) throws IOException;

  /**
   * Returns when all that was written so far, and the length, will survive a power cut. After an
   * exception nothing is known about any write since the last successful sync, and a further sync
   * proves nothing.
   */
  void sync() throws IOException;

  /** Closes the file without syncing it. Further calls fail; closing again does nothing. */
  @Override
  void close() throws IOException;
}

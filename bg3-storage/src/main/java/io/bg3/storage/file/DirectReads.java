package io.bg3.storage.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads past the system's cache ({@code O_DIRECT}), for the files of one directory.
 *
 * <p>The system wants positions, lengths and addresses that are multiples of a block of the file
 * system. So a read takes the blocks that its bytes lie in, into a buffer of the pool, and copies
 * the bytes.
 *
 * <p>Where the file system refuses, the reads of all files of the directory go through the cache
 * from then on, and the log says so once.
 *
 * <p>Threads: any.
 */
class DirectReads {
  private static final Logger LOG = LoggerFactory.getLogger(DirectReads.class);

  /** A page's image with its blocks fits; longer reads take several buffers one after another. */
  private static final int BUFFER = 64 << 10;

  private static final int LARGEST_BLOCK = 16 << 10;

  /** Failures in a row for a reason that is not known, after which the file system refuses. */
  static final int MOST_FAILURES = 64;

  /** Buffers that are kept while nobody uses them. */
  private static final int KEPT = 32;

  private final Path directory;
  private final BlockingQueue<ByteBuffer> buffers = new ArrayBlockingQueue<>(KEPT);

  /** Bytes of a block of the file system; 0 until a file was opened. */
  private volatile int block;

  /**
   * Reads and openings that failed one after another, and that the cache did. Where the reason is
   * not known, so many of them are one. A lost count costs another read.
   */
  private volatile int failures;

  private volatile boolean refused;

  DirectReads(Path directory) {
    this.directory = directory;
  }

  /** A channel past the cache; null if the file system has none. */
  ReopenedChannel open(Path file) throws IOException {
    if (refused) {
      return null;
    }
    try {
      if (block == 0) {
        block = blockOf(file);
      }
      return new ReopenedChannel(file, Set.of(StandardOpenOption.READ, option()));
    } catch (UnsupportedOperationException e) {
      refuse(e);
      return null;
    }
  }

  boolean isRefused() {
    return refused;
  }

  /** Says that a read has gone past the cache. */
  void succeeded() {
    if (failures != 0) {
      failures = 0;
    }
  }

  /** Says that what has failed past the cache has not failed through it. */
  synchronized void failed(IOException reason) {
    failures++;
    if (IoReason.isUnsupported(reason) || failures >= MOST_FAILURES) {
      refuse(reason);
    }
  }

  /** Reads through the cache from now on. */
  synchronized void refuse(Exception reason) {
    if (!refused) {
      refused = true;
      LOG.info(
          "files are read through the system's cache, because the file system does not support"
              + " direct reads: directory={}, reason={}",
          directory,
          reason.toString());
    }
  }

  /** Fills {@code to} as {@link DiskFile#read} does. */
  int read(ReopenedChannel channel, ByteBuffer to, long position) throws IOException {
    int start = to.position();
    ByteBuffer buffer = take();
    try {
      boolean more = true;
      while (more && to.hasRemaining()) {
        long at = position + (to.position() - start);
        long from = at & -block;
        int skipped = (int) (at - from);
        long wanted = (skipped + (long) to.remaining() + block - 1) & -block;
        int asked = (int) Math.min(wanted, buffer.capacity());
        int found = (int) channel.run(open -> fill(buffer.clear().limit(asked), open, from));
        int copied = Math.min(Math.max(0, found - skipped), to.remaining());
        to.put(to.position(), buffer, skipped, copied);
        to.position(to.position() + copied);
        more = found == asked;
      }
      return to.position() - start;
    } finally {
      buffers.offer(buffer);
    }
  }

  /** Reads whole blocks up to the buffer's limit or the end of the file; says how many bytes. */
  private int fill(ByteBuffer buffer, FileChannel open, long from) throws IOException {
    while (buffer.hasRemaining()) {
      int read = open.read(buffer, from + buffer.position());
      if (read <= 0 || buffer.position() % block != 0) {
        break; // the end of the file
      }
    }
    return buffer.position();
  }

  private ByteBuffer take() {
    ByteBuffer kept = buffers.poll();
    return kept == null
        ? ByteBuffer.allocateDirect(BUFFER + block - 1).alignedSlice(block).limit(BUFFER).slice()
        : kept;
  }

  /**
   * The option {@code DIRECT} of the module {@code jdk.unsupported}. It is found by its name,
   * because a compiler of a newer Java warns of each mention, and nothing suppresses the warning.
   */
  private static OpenOption option() {
    try {
      Object[] options = Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants();
      return Arrays.stream(options)
          .filter(option -> option.toString().equals("DIRECT"))
          .map(OpenOption.class::cast)
          .findAny()
          .orElseThrow();
    } catch (ClassNotFoundException | NoSuchElementException e) {
      throw new UnsupportedOperationException("this Java has no direct reads", e);
    }
  }

  private static int blockOf(Path file) throws IOException {
    long bytes = Files.getFileStore(file).getBlockSize();
    if (bytes <= 0 || bytes > LARGEST_BLOCK || Long.bitCount(bytes) != 1) {
      throw new UnsupportedOperationException("blocks of " + bytes + " bytes");
    }
    return (int) bytes;
  }
}

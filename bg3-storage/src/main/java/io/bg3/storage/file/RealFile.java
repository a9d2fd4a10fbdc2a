package io.bg3.storage.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * A file of the file system, {@linkplain ReopenedChannel kept open against interrupts}.
 *
 * <p>Syncs have a channel of their own, of the kind that no interrupt closes: {@link
 * AsynchronousFileChannel#force} works in the calling thread and does not look at its flag. A sync
 * must not be repeated, since the report of a failure comes once. The channel is opened before the
 * first write: the kernel reports a failed write-back to every descriptor that was open when it
 * happened, once each.
 *
 * <p>Direct reads have a channel of their own, too; it is opened by the first of them.
 *
 * <pre>
 *  field      guard
 *  syncing    written once under this
 *  direct     written once under this
 *  closed     written once under this
 * </pre>
 */
final class RealFile implements DiskFile {
  private static final int ZEROS = 1 << 18;

  /** Bytes of a buffer on the heap that are read or written at once. */
  private static final int PART = 1 << 18;

  private static final ByteBuffer ZERO = ByteBuffer.allocateDirect(ZEROS);

  private final String name;
  private final Path path;
  private final DirectReads directReads;
  private final ReopenedChannel channel;
  private volatile AsynchronousFileChannel syncing;
  private volatile ReopenedChannel direct;
  private boolean closed;

  /**
   * Opens the file.
   *
   * @param writes whether for writing too
   */
  RealFile(String name, Path path, boolean writes, DirectReads directReads) throws IOException {
    this.name = name;
    this.path = path;
    this.directReads = directReads;
    this.channel =
        new ReopenedChannel(
            path,
            writes
                ? Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE)
                : Set.of(StandardOpenOption.READ));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long size() throws IOException {
    return uninterrupted(FileChannel::size);
  }

  @Override
  public int read(ByteBuffer to, long position) throws IOException {
    int start = to.position();
    uninterrupted(
        open -> {
          to.position(start);
          int end = to.limit();
          try {
            while (to.position() < end) {
              to.limit(partEnd(to, end));
              if (open.read(to, position + (to.position() - start)) < 0) {
                break;
              }
            }
          } finally {
            to.limit(end);
          }
          return 0;
        });
    return to.position() - start;
  }

  @Override
  public int readDirect(ByteBuffer to, long position) throws IOException {
    ReopenedChannel past = direct();
    if (past == null) {
      return read(to, position);
    }
    int start = to.position();
    try {
      int read = directReads.read(past, to, position);
      directReads.succeeded();
      return read;
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      int read = read(to.position(start), position); // fails as well if it is the device that does
      if (!(e instanceof FileSystemException)) { // that of a channel that could not be reopened
        directReads.failed(e);
      }
      return read;
    }
  }

  /** The channel for direct reads; null if the file system has none. */
  private ReopenedChannel direct() throws IOException {
    if (directReads.isRefused()) {
      return null;
    }
    if (direct == null) {
      synchronized (this) {
        if (closed) {
          throw new ClosedChannelException();
        }
        if (direct == null) {
          direct = openDirect();
        }
      }
    }
    return direct;
  }

  private ReopenedChannel openDirect() throws IOException {
    try {
      return directReads.open(path);
    } catch (IOException e) {
      // A deleted file has readers that come to their end on the channel that they have. Where no
      // descriptor is left, this read goes through the cache, and the next one tries again.
      if (canBeOpened()) {
        directReads.failed(e);
      }
      return null;
    }
  }

  /**
   * Whether the file can be opened through the cache, so that it is not its name or descriptors.
   */
  private boolean canBeOpened() {
    try {
      FileChannel.open(path, StandardOpenOption.READ).close();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void write(ByteBuffer from, long position) throws IOException {
    prepareToSync();
    int start = from.position();
    uninterrupted(
        open -> {
          from.position(start);
          int end = from.limit();
          try {
            while (from.position() < end) {
              from.limit(partEnd(from, end));
              open.write(from, position + (from.position() - start));
            }
          } finally {
            from.limit(end);
          }
          return 0;
        });
  }

  /**
   * How far one call of the channel goes. For a buffer on the heap the JVM takes one outside of it,
   * of the length of the call, and keeps that for the thread: it must not be that of a large value.
   */
  private static int partEnd(ByteBuffer buffer, int end) {
    return buffer.isDirect() ? end : (int) Math.min(end, (long) buffer.position() + PART);
  }

  @Override
  public void zero(long from, long to) throws IOException {
    ByteBuffer zeros = ZERO.duplicate();
    for (long at = from; at < to; at += zeros.limit()) {
      zeros.clear().limit((int) Math.min(ZEROS, to - at));
      write(zeros, at);
    }
  }

  @Override
  public void truncate(long size) throws IOException {
    prepareToSync();
    uninterrupted(
        open -> {
          open.truncate(size);
          return 0;
        });
  }

  @Override
  public void sync() throws IOException {
    prepareToSync();
    try {
      syncing.force(false); // the length is data to fdatasync, times are not
    } catch (IOException e) {
      throw named(e);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    try {
      channel.close();
    } finally {
      try {
        if (syncing != null) {
          syncing.close();
        }
      } finally {
        if (direct != null) {
          direct.close();
        }
      }
    }
  }

  private long uninterrupted(ReopenedChannel.Work work) throws IOException {
    try {
      return channel.run(work);
    } catch (IOException e) {
      throw named(e);
    }
  }

  /** The failure with the file that it is about, which channels do not tell. */
  private IOException named(IOException e) {
    if (e instanceof FileSystemException || e instanceof ClosedChannelException) {
      return e;
    }
    FileSystemException named = new FileSystemException(path.toString(), null, e.getMessage());
    named.initCause(e);
    return named;
  }

  private void prepareToSync() throws IOException {
    if (syncing == null) {
      synchronized (this) {
        if (closed) {
          throw new ClosedChannelException();
        }
        if (syncing == null) {
          syncing = AsynchronousFileChannel.open(path, StandardOpenOption.WRITE);
        }
      }
    }
  }
}

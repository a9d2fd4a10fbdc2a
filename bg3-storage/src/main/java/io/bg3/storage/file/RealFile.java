package io.bg3.storage.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file of the file system, kept open against interrupts.
 *
 * <p>An interrupt that meets a thread in a {@link FileChannel} closes the channel for all threads.
 * So every call puts the flag aside before it begins, repeats itself on a new channel if an
 * interrupt arrived all the same, and sets the flag again at the end. Repeating is right because
 * reads and writes name their position and start over.
 *
 * <p>Syncs have a channel of their own, of the kind that no interrupt closes: {@link
 * AsynchronousFileChannel#force} works in the calling thread and does not look at its flag. A sync
 * must not be repeated, since the report of a failure comes once. The channel is opened before the
 * first write: the kernel reports a failed write-back to every descriptor that was open when it
 * happened, once each.
 *
 * <pre>
 *  field      guard
 *  channel    written under this, read by all; a stale channel is closed, and a thread that meets it looks again under this
 *  syncing    written once under this
 *  closed     written once under this
 * </pre>
 */
final class RealFile implements DiskFile {
  private static final int ZEROS = 1 << 18;

  /** Bytes of a buffer on the heap that are read or written at once. */
  private static final int PART = 1 << 18;

  private static final ByteBuffer ZERO = ByteBuffer.allocateDirect(ZEROS);

  /** Works on a channel; may be called again on another one if an interrupt closed the first. */
  private interface Work {
    long on(FileChannel channel) throws IOException;
  }

  private final String name;
  private final Path path;
  private final boolean writes;
  private volatile FileChannel channel;
  private volatile AsynchronousFileChannel syncing;
  private volatile boolean closed;

  /**
   * Opens the file.
   *
   * @param writes whether for writing too
   */
  RealFile(String name, Path path, boolean writes) throws IOException {
    this.name = name;
    this.path = path;
    this.writes = writes;
    this.channel = openChannel();
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
      if (syncing != null) {
        syncing.close();
      }
    }
  }

  private long uninterrupted(Work work) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        FileChannel open = channel;
        try {
          return work.on(open);
        } catch (ClosedChannelException e) {
          // Our own interrupt, or that of another thread that was in the same channel.
          interrupted |= Thread.interrupted();
          reopen(open, e);
        } catch (IOException e) {
          throw named(e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
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

  private synchronized void reopen(FileChannel stale, ClosedChannelException cause)
      throws IOException {
    if (closed) {
      throw cause;
    }
    if (channel == stale) {
      channel = openChannel();
    }
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

  private FileChannel openChannel() throws IOException {
    return writes
        ? FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)
        : FileChannel.open(path, StandardOpenOption.READ);
  }
}

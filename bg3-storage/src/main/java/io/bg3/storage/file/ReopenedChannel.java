package io.bg3.storage.file;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Set;

/**
 * A channel of a file that is kept open against interrupts.
 *
 * <p>An interrupt that meets a thread in a {@link FileChannel} closes the channel for all threads.
 * So every call puts the flag aside before it begins, repeats itself on a new channel if an
 * interrupt arrived all the same, and sets the flag again at the end. Repeating is right because
 * reads and writes name their position and start over.
 *
 * <pre>
 *  field      guard
 *  channel    written under this, read by all; a stale channel is closed, and a thread that meets it looks again under this
 *  closed     written once under this
 * </pre>
 */
final class ReopenedChannel {
  /** Works on a channel; may be called again on another one if an interrupt closed the first. */
  interface Work {
    long on(FileChannel channel) throws IOException;
  }

  private final Path path;
  private final Set<OpenOption> options;
  private volatile FileChannel channel;
  private volatile boolean closed;

  /** Opens the file. */
  ReopenedChannel(Path path, Set<OpenOption> options) throws IOException {
    this.path = path;
    this.options = options;
    this.channel = FileChannel.open(path, options);
  }

  /**
   * Runs the work until no interrupt has closed its channel.
   *
   * @throws ClosedChannelException if this is closed
   */
  long run(Work work) throws IOException {
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
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Closes the channel for good; closing again does nothing. */
  synchronized void close() throws IOException {
    closed = true;
    channel.close();
  }

  private synchronized void reopen(FileChannel stale, ClosedChannelException cause)
      throws IOException {
    if (closed) {
      throw cause;
    }
    if (channel == stale) {
      channel = FileChannel.open(path, options);
    }
  }
}

package io.bg3.storage.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;

/**
 * Sees to it that one opening at a time has a store: the operating system's lock on the file {@code
 * lock} in its directory. The lock goes with the process however it ends; the file stays and means
 * nothing without it.
 *
 * <p>POSIX gives up a process's lock on a file as soon as the process closes <em>any</em>
 * descriptor of it. So a table of the directories that this process has is asked first, and the
 * file of one that it has is never opened a second time.
 *
 * <p>Threads: any.
 */
public final class StoreLock implements AutoCloseable {
  /** The name of the lock file. */
  public static final String NAME = "lock";

  private static final Set<Path> HELD = new HashSet<>(); // guarded by itself
  private static final int LOOKS = 20;
  private static final int LOOK_MILLIS = 10;

  private final Path directory;
  private final FileChannel channel;
  private boolean closed; // guarded by HELD

  private StoreLock(Path directory, FileChannel channel) {
    this.directory = directory;
    this.channel = channel;
  }

  /**
   * Takes the lock.
   *
   * @param directory the store's directory, which exists
   * @throws StoreInUseException if somebody has it
   */
  public static StoreLock acquire(Path directory) throws IOException {
    Path real = directory.toRealPath();
    // An interrupt would close the channel, and with it the lock.
    return IoThreads.call(() -> take(real));
  }

  private static StoreLock take(Path directory) throws IOException {
    synchronized (HELD) {
      if (HELD.contains(directory)) {
        LockHolder self = LockHolder.self();
        throw new StoreInUseException(directory, self.pid(), self.host());
      }
      FileChannel channel =
          FileChannel.open(
              directory.resolve(NAME),
              EnumSet.of(
                  StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
              RealDisk.PRIVATE_FILE);
      boolean taken = false;
      try {
        FileLock lock = channel.tryLock();
        if (lock == null) {
          LockHolder holder = holder(directory);
          throw new StoreInUseException(directory, holder.pid(), holder.host());
        }
        channel.write(ByteBuffer.wrap(LockHolder.self().encode()), 0);
        channel.truncate(LockHolder.BYTES);
        HELD.add(directory);
        taken = true;
        return new StoreLock(directory, channel);
      } finally {
        if (!taken) {
          channel.close();
        }
      }
    }
  }

  /** Gives the lock back; doing so again does nothing. */
  @Override
  public void close() throws IOException {
    IoThreads.call(
        () -> {
          synchronized (HELD) {
            if (!closed) {
              closed = true;
              HELD.remove(directory);
              channel.close();
            }
          }
          return null;
        });
  }

  /**
   * Who has it; waits a moment for one that has just taken the lock and not yet written its name.
   */
  private static LockHolder holder(Path directory) throws IOException {
    LockHolder holder = LockHolder.NOBODY;
    for (int look = 0; look < LOOKS && !holder.isPlausible(); look++) {
      if (look > 0) {
        sleep();
      }
      holder = LockHolder.decode(Files.readAllBytes(directory.resolve(NAME)));
    }
    return holder;
  }

  private static void sleep() {
    try {
      Thread.sleep(LOOK_MILLIS);
    } catch (InterruptedException e) {
      throw new AssertionError("an I/O thread cannot be interrupted", e);
    }
  }
}

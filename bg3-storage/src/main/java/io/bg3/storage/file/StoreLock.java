package io.bg3.storage.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;

/**
 * Sees to it that one opening at a time writes a store: the operating system's lock on the file
 * {@code lock} in its directory. The lock goes with the process however it ends; the file stays and
 * means nothing without it.
 *
 * <p>A process that only reads takes the lock shared: several processes may read one store at once,
 * and none may write it meanwhile. A reader writes nothing, its name neither.
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
  private final FileChannel channel; // null if there is no lock file and nothing may be written
  private final byte[] before; // what the lock file held; null of a shared lock
  private boolean closed; // guarded by HELD

  private StoreLock(Path directory, FileChannel channel, byte[] before) {
    this.directory = directory;
    this.channel = channel;
    this.before = before;
  }

  /**
   * Takes the lock.
   *
   * @param directory the store's directory, which exists
   * @throws StoreInUseException if another process has it
   */
  public static StoreLock acquire(Path directory) throws IOException {
    Path real = directory.toRealPath();
    // An interrupt would close the channel, and with it the lock.
    return IoThreads.call(() -> take(real));
  }

  /**
   * Takes the lock to read: others may do so too. Nothing is written; where there is no lock file,
   * nobody has the store open, and nobody is kept from opening it.
   *
   * @param directory the store's directory, which exists
   * @throws StoreInUseException if another process has it to write, or this process has it
   */
  public static StoreLock acquireShared(Path directory) throws IOException {
    Path real = directory.toRealPath();
    return IoThreads.call(() -> takeShared(real));
  }

  private static StoreLock takeShared(Path directory) throws IOException {
    synchronized (HELD) {
      checkNotHeld(directory);
      FileChannel channel;
      try {
        channel = FileChannel.open(directory.resolve(NAME), StandardOpenOption.READ);
      } catch (NoSuchFileException e) {
        HELD.add(directory);
        return new StoreLock(directory, null, null);
      }
      boolean taken = false;
      try {
        if (channel.tryLock(0, Long.MAX_VALUE, true) == null) {
          throw inUse(directory);
        }
        HELD.add(directory);
        taken = true;
        return new StoreLock(directory, channel, null);
      } finally {
        if (!taken) {
          channel.close();
        }
      }
    }
  }

  private static void checkNotHeld(Path directory) throws StoreInUseException {
    if (HELD.contains(directory)) {
      LockHolder self = LockHolder.self();
      throw new StoreInUseException(directory, self.pid(), self.host());
    }
  }

  private static StoreInUseException inUse(Path directory) throws IOException {
    LockHolder holder = holder(directory);
    return new StoreInUseException(directory, holder.pid(), holder.host());
  }

  private static StoreLock take(Path directory) throws IOException {
    synchronized (HELD) {
      checkNotHeld(directory);
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
          throw inUse(directory);
        }
        ByteBuffer before = ByteBuffer.allocate(LockHolder.BYTES);
        channel.read(before, 0);
        channel.write(ByteBuffer.wrap(LockHolder.self().encode()), 0);
        channel.truncate(LockHolder.BYTES);
        HELD.add(directory);
        taken = true;
        return new StoreLock(directory, channel, Arrays.copyOf(before.array(), before.position()));
      } finally {
        if (!taken) {
          channel.close();
        }
      }
    }
  }

  /**
   * Puts back what the lock file held before, for an opening that is refused. A lock file that was
   * not there stays, empty: to delete it while others may have it open would give two of them the
   * lock. Does nothing to a lock that is shared or given back.
   */
  public void undo() throws IOException {
    IoThreads.call(
        () -> {
          synchronized (HELD) {
            if (!closed && before != null) {
              channel.write(ByteBuffer.wrap(before), 0);
              channel.truncate(before.length);
            }
          }
          return null;
        });
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
              if (channel != null) {
                channel.close();
              }
            }
          }
          return null;
        });
  }

  /**
   * The name of the process that has the lock; waits a moment for one that has just taken the lock
   * and not yet written its name. Nobody is named by readers, nor by the name of one that is gone.
   */
  private static LockHolder holder(Path directory) throws IOException {
    LockHolder holder = LockHolder.NOBODY;
    for (int look = 0; look < LOOKS && !holder.isPlausible(); look++) {
      if (look > 0) {
        sleep();
      }
      holder = LockHolder.decode(Files.readAllBytes(directory.resolve(NAME)));
    }
    return holder.isPlausible() ? holder : LockHolder.NOBODY;
  }

  private static void sleep() {
    try {
      Thread.sleep(LOOK_MILLIS);
    } catch (InterruptedException e) {
      throw new AssertionError("an I/O thread cannot be interrupted", e);
    }
  }
}

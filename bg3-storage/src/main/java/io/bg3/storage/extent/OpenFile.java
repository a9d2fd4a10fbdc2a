package io.bg3.storage.extent;

import io.bg3.storage.file.DiskFile;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The open file of an extent and how many use it: the one word of state that a read changes.
 *
 * <pre>
 *  users      state           changed by
 *  n >= 0     open, n users   {@link #tryUse}, {@link #release}
 *  negative   closed          {@link #tryClose}, from 0 users only; final
 * </pre>
 *
 * <p>Threads: any.
 */
final class OpenFile {
  private static final int CLOSED = Integer.MIN_VALUE;
  private static final VarHandle USERS;

  static {
    try {
      USERS = MethodHandles.lookup().findVarHandle(OpenFile.class, "users", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final Extent extent;
  final DiskFile file;

  /** Whether the file was used since the clock's hand last came by. A lost write costs a reopen. */
  private boolean used = true;

  /** Closed by its last user: the extent is deleted. */
  private volatile boolean forgotten;

  @SuppressWarnings("UnusedVariable") // through USERS
  private volatile int users;

  /** A file with one user. */
  OpenFile(Extent extent, DiskFile file) {
    this.extent = extent;
    this.file = file;
    this.users = 1;
  }

  /** Adds a user, unless the file is closed. */
  boolean tryUse() {
    int now = (int) USERS.getAcquire(this);
    while (now >= 0) {
      int found = (int) USERS.compareAndExchange(this, now, now + 1);
      if (found == now) {
        if (!used) { // seldom written, so that readers share the line
          used = true;
        }
        return true;
      }
      now = found;
    }
    return false;
  }

  /** Takes a user away; says whether it was the last one of a forgotten file. */
  boolean release() {
    int before = (int) USERS.getAndAdd(this, -1);
    assert before > 0 : extent;
    return before == 1 && forgotten;
  }

  /** Closes the state if there is no user: the caller closes the file. */
  boolean tryClose() {
    return USERS.compareAndSet(this, 0, CLOSED);
  }

  void forget() {
    forgotten = true;
  }

  boolean isForgotten() {
    return forgotten;
  }

  /** Whether it was used since this was last asked. */
  boolean takeUsed() {
    boolean was = used;
    used = false;
    return was;
  }
}

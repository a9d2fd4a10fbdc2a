package io.bg3.storage.file;

/**
 * A thread that does I/O and cannot be interrupted: {@link #interrupt} does nothing.
 *
 * <p>An interrupt closes the channel that the thread works on and replaces the exception of the
 * call that was under way, so the one report of a failed sync could be lost. On such a thread
 * {@link DiskFile#sync} works in place; on any other it is handed to one. Whoever owns a thread
 * that syncs often makes it an {@code IoThread} and saves the hand-over.
 */
public final class IoThread extends Thread {
  /** A daemon thread that runs {@code task}. */
  public IoThread(Runnable task, String name) {
    super(task, name);
    setDaemon(true);
  }

  /** Does nothing. */
  @Override
  public void interrupt() {}
}

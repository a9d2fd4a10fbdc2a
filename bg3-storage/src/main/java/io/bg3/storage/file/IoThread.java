package io.bg3.storage.file;

/**
 * A thread that does I/O and cannot be interrupted: {@link #interrupt} does nothing.
 *
 * <p>An interrupt closes the channel that the thread works on, with it the lock that is held
 * through it, and replaces the exception of the call that was under way.
 */
final class IoThread extends Thread {
  /** A daemon thread that runs {@code task}. */
  IoThread(Runnable task, String name) {
    super(task, name);
    setDaemon(true);
  }

  /** Does nothing. */
  @Override
  public void interrupt() {}
}

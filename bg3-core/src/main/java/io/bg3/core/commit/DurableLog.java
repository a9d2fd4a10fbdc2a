package io.bg3.core.commit;

import java.io.IOException;

/**
 * The durable position of the log, for threads that wait for it and may sync the log themselves. As
 * a lambda it is a log that another thread syncs. Threads: any.
 */
@FunctionalInterface
public interface DurableLog {
  /** The position up to which commits may be shown, once they are applied. */
  long durable();

  /**
   * Makes durable all that is appended by now, by any thread, unless another thread is at it.
   *
   * @param position what the caller waits for
   * @return whether it was done here; then the other threads that wait have to be woken, since one
   *     may have found this thread at it
   * @throws IOException if the log fails or has failed
   */
  default boolean lead(long position) throws IOException {
    return false;
  }

  /**
   * As {@link #lead} for all that is appended by now, if that is likely to be short, and no other
   * thread is at it.
   */
  default boolean leadIfShort() throws IOException {
    return false;
  }

  /**
   * Has another thread make durable what is appended by now, soon: nobody may be waiting for it.
   * Does not wait.
   */
  default void request() {}

  /**
   * Returns when all that is appended by now is durable, whichever thread does it.
   *
   * @throws IOException if the log fails or has failed
   */
  default void settle() throws IOException {}
}

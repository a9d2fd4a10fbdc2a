package io.bg3.core.commit;

/**
 * How fast commits may go so that one thing which they add to does not outgrow the thread that
 * takes it away again. A {@link CommitThrottle} has commits wait for it.
 */
interface Pace {
  /** Whether commits may have to wait at all; cheap, for every commit asks. */
  boolean isAhead();

  /**
   * Nanoseconds after which a commit may begin, as far as can be said now; 0: at once.
   *
   * @param now the clock of {@link System#nanoTime}
   */
  long delay(long now);
}

package io.bg3.core.tree;

/**
 * Keeps a replay within the memory budget. Trees are replayed at once, without epochs, so a page
 * that one thread works on must stay until it has done so.
 */
@FunctionalInterface
public interface ReplayRoom {
  /** Of a replay that takes what memory it needs. */
  ReplayRoom UNBOUNDED = Runnable::run;

  /**
   * Sees to it that there is memory, and then does something with pages: all that {@code work}
   * finds in memory stays there until it has ended. Not to be called from inside of {@code work}.
   */
  void run(Runnable work);
}

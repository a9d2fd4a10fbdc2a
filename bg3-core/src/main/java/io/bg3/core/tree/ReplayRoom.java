package io.bg3.core.tree;

import java.io.IOException;

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

  /**
   * Makes space on the disk where an append has found none.
   *
   * @param failure of the append
   * @return whether the caller is to try it again; false if it has failed for another reason, or if
   *     there is nothing to delete
   */
  default boolean makeSpace(IOException failure) throws IOException {
    return false;
  }
}

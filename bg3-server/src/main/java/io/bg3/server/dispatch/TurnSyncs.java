package io.bg3.server.dispatch;

import io.bg3.core.commit.CommitSync;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The syncs for what an event loop commits in one turn. If the loop runs one request in the turn,
 * it syncs by itself at the end where that is short: handing the sync over and its end back takes
 * two more switches between threads. As soon as it runs a second one, the thread of the log is
 * asked, which syncs while the loop goes on.
 *
 * <p>Threads: the event loop.
 */
final class TurnSyncs {
  private final Set<CommitSync> held = new LinkedHashSet<>(); // to be asked for; of this turn
  private boolean isAlone = true; // the loop has not begun a second request

  /** Takes note of a commit that needs this sync. */
  void add(CommitSync sync) {
    if (isAlone) {
      boolean unused = held.add(sync);
    } else {
      sync.request();
    }
  }

  /** The loop begins another request in this turn. */
  void goesOn() {
    isAlone = false;
    held.forEach(CommitSync::request);
    held.clear();
  }

  /** The turn ends. */
  void end() {
    for (CommitSync sync : held) {
      if (!sync.syncIfShort()) {
        sync.request();
      }
    }
    held.clear();
    isAlone = true;
  }
}

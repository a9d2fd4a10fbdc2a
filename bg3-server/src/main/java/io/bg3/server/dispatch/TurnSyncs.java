package io.bg3.server.dispatch;

import io.bg3.core.commit.CommitSync;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The syncs for what an event loop commits in one turn. The loop syncs once by itself at the end of
 * the turn where that is short: handing the sync over and its end back takes two more switches
 * between threads. As soon as it leaves a request of the turn to a worker, the thread of the log is
 * asked, which syncs while the loop goes on.
 *
 * <p>Threads: the event loop.
 */
final class TurnSyncs {
  private final Set<CommitSync> held = new LinkedHashSet<>(); // to be asked for; of this turn
  private boolean mayHold = true; // no worker has got a request in this turn

  /** Takes note of a commit that needs this sync. */
  void add(CommitSync sync) {
    if (mayHold) {
      boolean unused = held.add(sync);
    } else {
      sync.request();
    }
  }

  /** The loop has something else to do in this turn, which a sync must not keep waiting. */
  void goesOn() {
    mayHold = false;
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
    mayHold = true;
  }
}

package io.bg3.core.commit;

import io.bg3.core.tree.DirtyPages;

/** The pace for dirty pages by a clock that a test moves. */
public final class SteppedPace {
  private final DirtyPace pace;

  /** A pace that has begun to slow commits. */
  public SteppedPace(DirtyPages pages) {
    pace = new DirtyPace(pages);
    pace.start();
  }

  /** The thread that flushes begins to work. */
  public void workBegins(long now) {
    pace.workBegins(now);
  }

  /** It has ended a piece of work. */
  public void workEnds(long now) {
    pace.workEnds(now);
  }

  /** Nanoseconds after which a commit may begin. */
  public long delay(long now) {
    return pace.isAhead() ? pace.delay(now) : 0;
  }
}

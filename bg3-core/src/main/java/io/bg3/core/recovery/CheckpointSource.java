package io.bg3.core.recovery;

import io.bg3.core.commit.ReplayStart;
import io.bg3.core.commit.TotalsImage;
import io.bg3.core.entry.Horizon;
import java.io.IOException;
import java.util.List;

/**
 * Answers what a checkpoint asks the layer of commits: that of a store that serves transactions, or
 * the replay of its log. The thread that keeps the rows calls it.
 */
interface CheckpointSource {
  /** Every commit before it is in the pages. */
  ReplayStart replayStart();

  /** The newest commit that any page or total may hold. */
  long newest();

  /** The totals at one stamp, not below that of {@code start}. */
  TotalsImage totals(ReplayStart start);

  /** The large values that got into the pages since the last call and into no image. */
  List<Long> takeWrittenValues();

  /** Says that an image that was written refers to large values. */
  void storedValues(long[] locations);

  /** The versions that a transaction may still read. */
  Horizon horizon();

  /**
   * Whether everything that a family wrote up to a millisecond has expired by the clock, but for
   * want of a commit not by any horizon.
   */
  boolean awaitsClock(int family, long newest);

  /** Whether readers judge by a time that is much later than the newest commit. */
  boolean clockLeads();

  /** Makes a commit as new as the clock; waits like any other. */
  void commitClock();

  /** Makes the log durable up to {@link #newest} at least, and says how far it is. */
  long syncLog();

  /** Why the store has stopped writing; null while it writes. */
  Throwable failure();

  /** Stops the writing of the store. */
  void fail(Throwable cause);

  /** The thread that flushes pages, takes checkpoints and empties extents begins to work. */
  void workBegins();

  /** It has ended a piece of work. */
  void workEnds();

  /** A checkpoint waits for a while, so that others get at the disk. */
  void checkpointPauses();

  /** It goes on. */
  void checkpointGoesOn();

  /** Whether a commit waits for the thread that keeps the rows. */
  boolean commitsWait();

  /** A checkpoint is about to be taken. */
  void checkpointBegins();

  /** It has written some of its pages. */
  void checkpointWrote(int written, int all);

  /**
   * Says how much space large values take after a checkpoint.
   *
   * @param excess bytes above what they may take, as far as extents can be emptied
   * @param room bytes of new ones for which the next checkpoint does not begin earlier
   * @param nanos how long the thread that keeps the rows has worked since the checkpoint before
   */
  void valuesCounted(long excess, long room, long nanos);

  /** The manifest is replaced, and replay starts at this position from now on. */
  void checkpointEnds(long position) throws IOException;
}

package io.bg3.core.recovery;

import io.bg3.core.commit.ReplayStart;
import io.bg3.core.commit.Replayer;
import io.bg3.core.commit.TotalsImage;
import io.bg3.core.entry.Horizon;
import io.bg3.storage.log.WriteAheadLog;
import java.util.List;

/**
 * The commits that a replay has applied so far. Nobody reads, so only the newest version of a key
 * is wanted. The log is durable to its end, because it was repaired before the first checkpoint.
 * Its files stay until the opened store takes a checkpoint: the replay reads them.
 *
 * <p>Belongs to the thread that replays.
 */
final class ReplaySource implements CheckpointSource {
  private final OpenedStore store;
  private final Replayer replayer;
  private WriteAheadLog log;
  private long position;
  private Throwable failure;

  ReplaySource(OpenedStore store, Replayer replayer) {
    this.store = store;
    this.replayer = replayer;
    this.position = store.logPosition();
  }

  /** Says that the log has been repaired. */
  void repaired(WriteAheadLog repaired) {
    log = repaired;
  }

  /** Says that every record before a position is in the pages. */
  void replayedTo(long end) {
    position = end;
  }

  @Override
  public ReplayStart replayStart() {
    return new ReplayStart(position, replayer.stamp());
  }

  /** An image that the last manifest names may hold commits that come later in the log. */
  @Override
  public long newest() {
    return Math.max(Math.max(store.newest(), replayer.stamp()), replayer.totals().stamp());
  }

  @Override
  public TotalsImage totals(ReplayStart start) {
    return replayer.totals();
  }

  @Override
  public List<Long> takeWrittenValues() {
    return replayer.takeWrittenValues();
  }

  @Override
  public void storedValues(long[] locations) {
    replayer.storedValues(locations);
  }

  @Override
  public Horizon horizon() {
    return Horizon.at(replayer.stamp());
  }

  @Override
  public boolean awaitsClock(int family, long newest) {
    return false; // the opening that replays has a clock of its own
  }

  @Override
  public boolean clockLeads() {
    return false; // nobody reads
  }

  @Override
  public void commitClock() {
    throw new IllegalStateException("there are no commits in replay");
  }

  @Override
  public long syncLog() {
    return log.durable();
  }

  @Override
  public Throwable failure() {
    return failure;
  }

  @Override
  public void fail(Throwable cause) {
    failure = cause;
  }

  @Override
  public void workBegins() {}

  @Override
  public void workEnds() {}

  @Override
  public void checkpointPauses() {}

  @Override
  public void checkpointGoesOn() {}

  @Override
  public boolean commitsWait() {
    return false;
  }

  @Override
  public void checkpointBegins() {}

  @Override
  public void checkpointWrote(int written, int all) {}

  @Override
  public void valuesCounted(long excess, long room, long nanos) {}

  @Override
  public void checkpointEnds(long replayed) {}
}

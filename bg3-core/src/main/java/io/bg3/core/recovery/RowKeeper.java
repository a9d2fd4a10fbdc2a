package io.bg3.core.recovery;

import io.bg3.core.thread.StoreThread;
import io.bg3.core.tree.DirtyPages;
import io.bg3.core.tree.PageEvictor;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.log.WriteAheadLog;
import io.bg3.storage.memory.MemoryBudget;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that flushes pages and takes checkpoints (R24).
 *
 * <p>It starts a checkpoint by bytes written, never by time: when the log has grown by its limit,
 * when what was appended to the extents since the last manifest reaches a fifth of the live bytes,
 * when flushes between checkpoints have changed very many rows, or when it frees space that is
 * wanted. Where it is not the log that asks, a manifest of rows (R52) may be enough.
 *
 * <p>Between checkpoints it keeps a part of the memory budget free: it evicts leaves, and where
 * {@linkplain DirtyPages#isMany too many of them are dirty}, it flushes those that changed first.
 * So a thread that asks for memory finds some, or leaves to evict, without waiting for the disk.
 *
 * <p>When garbage takes more space than the settings allow, it copies the images out of extents
 * that are live in part, some at a time. Nobody else appends images, so it keeps ahead of them: it
 * copies up to twice as many bytes as it has written. In a store that is at rest ({@link QuietLog})
 * it goes on to a lower bound, slowly.
 *
 * <p>It spreads the writes of a checkpoint and of the copies behind it, so that commits need not
 * wait behind them, unless somebody might wait for it ({@link CheckpointPacer}).
 */
public final class RowKeeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RowKeeper.class);

  private static final long LOOK_NANOS = 5_000_000;

  /** So long is waited behind each slice that is copied in a store at rest. */
  private static final long REST_LOOK_NANOS = 4 * LOOK_NANOS;

  /** Checkpoints are due when a fifth of the live bytes has been appended. */
  private static final int APPENDED_SHARE = 5;

  /** This part of the budget is kept free. */
  private static final int FREE_SHARE = 16;

  /** Memory of the leaves that are flushed at once. */
  private static final int FLUSHED_BYTES = 1 << 20;

  /** Bytes that are copied, where that is wanted, for each one written. */
  private static final int RECLAIMED_FOR_ONE = 2;

  /** A checkpoint is put off until the log has used up this part of its room. */
  private static final int PUT_OFF_SHARE = 8;

  /**
   * How long a request for memory waits for this thread, which may be in the middle of a
   * checkpoint.
   */
  private static final long PATIENCE_MILLIS = 5_000;

  /** How long nothing is tried after nothing could be flushed. */
  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Checkpointer checkpointer;
  private final SpaceReclaim reclaiming;
  private final PageEvictor evictor;
  private final WriteAheadLog log;
  private final ExtentStore extents;
  private final MemoryBudget budget;
  private final DirtyPages dirty;
  private final long logLimit;
  private final long logRoom;
  private final long free;
  private final StoreThread thread;
  private final CheckpointPacer pacer;
  private final QuietLog quiet;
  private final ClockCommits clock;
  private final LongSupplier nanos;
  private long restsUntil;

  /** Bytes that may be copied for those that flushes have written. */
  private long owed;

  /**
   * Starts the thread.
   *
   * @param budget whose requests wait for this thread from now on
   * @param dirty of which some are flushed where they are many
   */
  public RowKeeper(
      Checkpointer checkpointer,
      PageEvictor evictor,
      WriteAheadLog log,
      ExtentStore extents,
      CheckpointSettings settings,
      MemoryBudget budget,
      DirtyPages dirty) {
    this.checkpointer = checkpointer;
    this.reclaiming = checkpointer.reclaiming();
    this.evictor = evictor;
    this.log = log;
    this.extents = extents;
    this.budget = budget;
    this.dirty = dirty;
    this.logLimit = settings.logLimit();
    this.logRoom = settings.logRoom();
    this.pacer = settings.paced() ? pacer(settings) : CheckpointPacer.NONE;
    this.nanos = settings.clock();
    this.restsUntil = nanos.getAsLong();
    this.quiet = new QuietLog(log::end, nanos);
    this.clock = new ClockCommits(reclaiming::commitClock);
    this.free = budget.limit() / FREE_SHARE;
    budget.setPatience(PATIENCE_MILLIS);
    this.thread = new StoreThread("bg3-row-keeper", this::run);
    evictor.helpedBy(thread::wake);
    thread.start();
  }

  private void run() {
    try {
      while (!thread.isEnding()) {
        boolean more = false;
        boolean rests = quiet.isQuiet();
        reclaiming.rests(rests);
        if (isDue() && (logLength() >= logLimit || !checkpointer.nameRows())) {
          long before = extents.appendedBytes();
          checkpointer.run(checkpointer.hasManyChangedRows() ? CheckpointPacer.NONE : pacer);
          reclaimAfterCheckpoint(extents.appendedBytes() - before);
        } else {
          makeRoom();
          more = reclaim();
        }
        wantClock();
        if (!more) { // garbage grows while a round is under way
          LockSupport.parkNanos(this, LOOK_NANOS);
        } else if (rests) { // who reads has the disk first
          LockSupport.parkNanos(this, REST_LOOK_NANOS);
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      checkpointer.fail(e); // commits would wait for ever: no other thread shortens the log
      LOG.error("writing pages failed; the store accepts no more writes", e);
    } finally {
      evictor.helpedBy(null);
      budget.resetPatience();
    }
  }

  private CheckpointPacer pacer(CheckpointSettings settings) {
    return new CheckpointPacer(
        logLimit,
        settings.logRoom(),
        this::logLength,
        this::isAwaited,
        settings.clock(),
        this::pause);
  }

  private void wantClock() {
    if (reclaiming.awaitsClock()) {
      clock.want();
    }
  }

  /** Waits in the middle of a checkpoint. */
  private void pause(long nanos) {
    wantClock();
    LockSupport.parkNanos(this, nanos);
  }

  private long logLength() {
    return log.end() - checkpointer.logPosition();
  }

  /**
   * Whether anybody might wait for this thread while a checkpoint waits. Leaves are evicted and
   * moved meanwhile as they are between checkpoints; where that is not enough, memory waits too.
   */
  private boolean isAwaited() {
    return thread.isEnding() || checkpointer.isAwaited() || !hasRoom();
  }

  private boolean hasRoom() {
    if (dirty.isMany()) {
      return false;
    }
    long asked = wanted() + evictor.compact(0);
    if (evictor.missing(asked) > 0) {
      evictor.relieve(asked);
    }
    return evictor.missing(asked) <= 0;
  }

  private boolean isDue() {
    if (logLength() >= logLimit || checkpointer.hasManyChangedRows() || checkpointer.freesSpace()) {
      return true;
    }
    long appended = checkpointer.appendedSince();
    return appended >= logLimit && appended * APPENDED_SHARE >= extents.liveBytes();
  }

  /**
   * Evicts and flushes until a part of the budget is free, the request fits that waits, and not too
   * much of memory is dirty, or a checkpoint is due.
   */
  private void makeRoom() throws IOException {
    long lacking = evictor.compact(0);
    if (nanos.getAsLong() - restsUntil < 0) {
      return;
    }
    while ((evictor.missing(wanted() + lacking) > 0 || dirty.isMany())
        && !isDue()
        && !thread.isEnding()) {
      evictor.relieve(wanted() + lacking);
      long before = extents.appendedBytes();
      if ((evictor.missing(wanted() + lacking) > 0 || dirty.isMany())
          && checkpointer.flush(dirty.flushedFor(FLUSHED_BYTES)) == 0) {
        restsUntil = nanos.getAsLong() + REST_NANOS; // what is left is pinned, inner, or being read
        return;
      }
      if (reclaiming.isCopying()) {
        reclaimAfterFlush(extents.appendedBytes() - before);
      }
      lacking = evictor.compact(0);
    }
  }

  private long wanted() {
    return Math.max(free, budget.awaited());
  }

  /**
   * Copies one slice when flushes have written half as many bytes as a slice has. Memory is short,
   * so the next flush comes before a second slice.
   */
  private void reclaimAfterFlush(long written) throws IOException {
    owed += RECLAIMED_FOR_ONE * written;
    if (owed >= ImageMover.SLICE_BYTES) {
      checkpointer.reclaim();
      owed = 0;
    }
  }

  /**
   * Copies slices until twice as many bytes are copied as the checkpoint has written, or the round
   * needs no more, and has a manifest name the copies. A round may put the next checkpoint off
   * until the log has used up an eighth of the room that it has beyond its limit: checkpoints that
   * follow one another free nothing alone. Where memory is short, this ends after one slice.
   */
  private void reclaimAfterCheckpoint(long written) throws IOException {
    long end = extents.appendedBytes() + RECLAIMED_FOR_ONE * written;
    boolean more = written > 0;
    evictor.relieve(wanted()); // most leaves are clean now
    while (more && !thread.isEnding()) {
      more =
          reclaim()
              && extents.appendedBytes() < end
              && !isBehind()
              && evictor.missing(free) <= 0
              && !dirty.isMany();
    }
    checkpointer.nameRows();
  }

  /**
   * Copies one slice, and rests behind it if it is not the last one. A thread that waits for this
   * one ends the rest.
   */
  private boolean reclaim() throws IOException {
    long before = extents.appendedBytes();
    long began = nanos.getAsLong();
    boolean more = checkpointer.reclaim();
    if (more && extents.appendedBytes() > before) {
      pacer.rest(nanos.getAsLong() - began);
    }
    return more;
  }

  private boolean isBehind() {
    return logLength() - logLimit >= logRoom / PUT_OFF_SHARE || checkpointer.hasManyChangedRows();
  }

  /** Stops the thread; waits for a checkpoint that is under way. */
  @Override
  public void close() {
    clock.close(); // its commit may wait for this thread
    thread.close();
  }
}

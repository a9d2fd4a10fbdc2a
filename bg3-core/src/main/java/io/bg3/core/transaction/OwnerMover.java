package io.bg3.core.transaction;

import io.bg3.core.forest.Forest;
import io.bg3.core.forest.InitLimit;
import io.bg3.core.forest.MoveOut;
import io.bg3.core.forest.TreeRemoval;
import io.bg3.core.lock.HeldLocks;
import io.bg3.core.lock.Locks;
import io.bg3.core.snapshot.SnapshotTooOldException;
import io.bg3.core.thread.StoreThread;
import io.bg3.core.tree.EmptyTree;
import io.bg3.storage.format.UnreadableException;
import io.bg3.storage.memory.MemoryExceededException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves vertices with many edges out of their INIT trees, each under its stripe, in a thread of its
 * own (R19), and has their degrees kept from then on (R36). A vertex that cannot be moved now is
 * moved when its leaves are consolidated again, and it has been left alone for a while. The leaves
 * of a vertex are loaded, and it is found out whether they are too many, before its stripe is
 * taken. A vertex whose degrees are not kept, because a crash came in between, is looked at again
 * when somebody asks for its degree.
 *
 * <p>If INIT trees have a limit of their size, it looks from time to time whether one is larger,
 * and moves the vertices with the most edges out of it. It spends a fiftieth of its time on
 * looking.
 *
 * <p>It also takes the tree away from a vertex that has no edges any more (R41). While a snapshot
 * may read what there was, the vertex waits, and is looked at again from time to time.
 */
public final class OwnerMover implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OwnerMover.class);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** Between two looks at the sizes of INIT trees at least; and so many times what a look took. */
  private static final long SURVEY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final int SURVEY_PAUSE = 50;

  private final TransactionManager manager;
  private final Forest forest;
  private final int entries;
  private final InitLimit limit; // null for none
  private final StoreThread thread;
  private final PutOffOwners putOff = PutOffOwners.ofMoves();
  private final PutOffOwners emptied = PutOffOwners.ofRemovals();

  /**
   * A mover that has not started, of a store whose INIT trees have no limit.
   *
   * @param entries an owner with more moves
   */
  public OwnerMover(TransactionManager manager, Forest forest, int entries) {
    this(manager, forest, entries, 0);
  }

  /**
   * A mover that has not started.
   *
   * @param entries an owner with more moves
   * @param initBytes of the leaves of an INIT tree; of one with more, owners with fewer entries
   *     move too ({@link InitLimit}). 0 for no limit
   */
  public OwnerMover(TransactionManager manager, Forest forest, int entries, long initBytes) {
    this.manager = manager;
    this.forest = forest;
    this.entries = entries;
    this.limit = initBytes == 0 ? null : new InitLimit(forest, initBytes, entries);
    this.thread = new StoreThread("bg3-owner-mover", this::run);
  }

  /** Starts the thread. */
  public void start() {
    forest.heavyOwners().noticeAbove(entries);
    thread.start();
  }

  private void run() {
    long nextSurvey = System.nanoTime();
    try {
      while (!thread.isEnding() && manager.failure() == null) {
        Long owner = forest.heavyOwners().poll();
        if (owner == null) {
          owner = emptied.poll();
        }
        long now = System.nanoTime();
        if (owner != null) {
          tryMove(owner, entries);
        } else if (limit != null && now - nextSurvey >= 0) {
          relieve();
          long end = System.nanoTime();
          nextSurvey = end + Math.max(SURVEY_NANOS, SURVEY_PAUSE * (end - now));
        } else {
          LockSupport.parkNanos(this, LOOK_NANOS);
        }
      }
    } catch (RuntimeException | Error e) {
      LOG.error("no further vertex is moved to a tree of its own", e);
    }
  }

  /** Moves vertices out of INIT trees that are too large. Called by one thread. */
  public void relieve() {
    for (long owner : limit.surplus()) {
      if (thread.isEnding() || manager.failure() != null) {
        return;
      }
      tryMove(owner, limit.least());
    }
  }

  private void tryMove(long owner, int above) {
    try {
      moveAbove(owner, above);
    } catch (MemoryExceededException
        | UnreadableException
        | SnapshotTooOldException
        | UncheckedIOException e) {
      if (manager.failure() != null) { // the vertex may be in two trees
        throw e;
      }
      putOff.putOff(owner);
      LOG.warn(
          "a vertex stays in the tree where it is, or its degrees are not kept: vertex={}: {}",
          owner,
          e.getMessage());
    }
  }

  /**
   * Moves a vertex if it has enough entries, and a move has not failed a moment ago; takes the tree
   * away from one that has no entries; and has the degrees kept of one that has a tree of its own
   * and entries.
   *
   * @return whether the tree of the vertex is another one now
   */
  public boolean move(long owner) {
    return moveAbove(owner, entries);
  }

  private boolean moveAbove(long owner, int above) {
    boolean moved = forest.isDedicated(owner) ? tryMoveBack(owner) : tryMoveOut(owner, above);
    if (manager.failure() == null && forest.isDedicated(owner) && !emptied.contains(owner)) {
      keepDegrees(owner);
    }
    return moved;
  }

  private boolean tryMoveBack(long owner) {
    TreeRemoval removal = forest.treeRemoval(owner);
    EmptyTree.Content content = removal.content(manager.horizon());
    if (content == EmptyTree.Content.ENTRIES) {
      emptied.forget(owner);
      return false;
    }
    emptied.putOff(owner); // also if the next step fails
    if (content == EmptyTree.Content.OLD_VERSIONS || !removeLocked(owner, removal)) {
      return false;
    }
    emptied.forget(owner);
    return true;
  }

  private boolean removeLocked(long owner, TreeRemoval removal) {
    manager.update(
        new long[] {owner},
        update -> {
          manager.degrees().end(update, owner);
          return null;
        });
    return locked(owner, () -> removal.run(manager.horizon(), manager::fail));
  }

  private boolean tryMoveOut(long owner, int above) {
    MoveOut move = forest.moveOut(owner);
    if (putOff.rests(owner) || !move.isWanted(above)) {
      return false;
    }
    if (!move.fits() || !locked(owner, () -> move.run(manager::fail))) {
      putOff.putOff(owner);
      return false;
    }
    putOff.forget(owner);
    return true;
  }

  /** Does something with the stripe of a vertex in hand. */
  private boolean locked(long owner, BooleanSupplier work) {
    Locks locks = manager.committer().locks();
    HeldLocks held = new HeldLocks(locks, LockScope.lockSet(locks, owner));
    try {
      return manager.failure() == null && work.getAsBoolean();
    } finally {
      held.release();
    }
  }

  private void keepDegrees(long owner) {
    if (manager.degrees().areKept(owner)) {
      return; // nobody but this thread ends that
    }
    manager.update(
        new long[] {owner},
        update -> {
          manager.degrees().begin(update, owner);
          return null;
        });
  }

  /** Ends the thread, behind the move that it is in. */
  @Override
  public void close() {
    thread.close();
  }
}

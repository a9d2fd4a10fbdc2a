package io.bg3.core.commit;

import io.bg3.core.keyspace.WriteSet;
import io.bg3.core.table.Pins;
import io.bg3.core.tree.LeafAdmission;
import io.bg3.storage.Waiting;
import io.bg3.storage.memory.MemoryBudget;
import io.bg3.storage.memory.MemoryExceededException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Admits commits to the memory that they take until they are applied: that of their entries, and
 * that of the leaves to which these go, which must not be evicted meanwhile (R29).
 *
 * <pre>
 *   commit A                        commit B                       C, after some attempts
 *   entries, leaf, leaf
 *                                   entries, leaf
 *   a leaf more: no memory
 *   lets go of all
 *   waits for memory, with nothing  applied, lets go
 *   entries, leaf, leaf, leaf                                      queues up for the turn
 *                                                                  has it: waits with leaves in hand
 *   applied, lets go                                               entries, leaf, leaf, …
 * </pre>
 *
 * <ul>
 *   <li>A1: a commit waits for memory, or for others to let go of theirs, either with nothing in
 *       hand, or in its turn. Only one thread has the turn, and it gives the turn up when it has
 *       found all of its leaves.
 *   <li>A2: all commits together keep half of the budget at most, or one commit keeps more alone.
 *       So readers find room for the leaf that they want, however long commits wait for the log.
 *   <li>A3: no commit begins while the thread that has the turn waits for others to let go, or is
 *       alone. A commit counts what it keeps before it looks whether it may begin, and the thread
 *       with the turn says that it is alone before it looks what others keep, so one of the two
 *       sees the other.
 *   <li>A4: a commit that would take more than three quarters of the budget is refused.
 *   <li>A5: entries are counted among what commits keep before the budget is asked for them. So no
 *       commit stands in the budget's queue, before one with the turn, for memory that the latter
 *       keeps.
 *   <li>A6: the thread with the turn waits for memory for long only when it is alone: it has let go
 *       of all, the others have, and it has registered behind that ({@link Pins}). A registration
 *       keeps every leaf in memory that a commit pins behind it, also those of commits that have
 *       ended and count no more. So while a commit with leaves in hand waits, commits that come and
 *       go may pin all that could be evicted for it.
 * </ul>
 *
 * <p>By A1 those that the thread with the turn waits for have all that they need, so they end: no
 * two commits fail each other. A commit holds its stripes while it waits here; those that it waits
 * for hold all the stripes that they want.
 *
 * <p>Commits of the store's own (codes, blocks of ids) are made with the dictionary's lock in hand,
 * for which an admitted commit may wait. So they are admitted at once; they are small and few. For
 * A6 they let go some times before they wait with leaves in hand.
 *
 * <p>Threads: any.
 */
public final class CommitAdmission {
  private static final int LARGEST_PART_OF_BUDGET = 4;

  /** All commits may keep this part of the budget. */
  private static final int SHARE = 2;

  /** How a commit comes by what it keeps. */
  enum Mode {
    /** It waits for nothing while it keeps something. */
    FREE,
    /** It has the turn, and waits for others to let go. */
    TURN,
    /** It is the store's own: it waits for memory only. */
    OWN
  }

  /** So often a commit waits for memory with nothing in hand before it asks for the turn. */
  private static final int ATTEMPTS = 3;

  /** So long a commit that has the turn, or is the store's own, waits with leaves in hand first. */
  private static final long PATIENCE_MILLIS = 100;

  /** The thread with the turn looks again after this long at most. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final MemoryBudget budget;
  private final Pins pins;
  private final Supplier<Throwable> failure;

  /** Bytes that all commits keep, with those that they may still find without asking. */
  private final AtomicLong kept = new AtomicLong();

  private final ReentrantLock turn = new ReentrantLock(true); // fair: commits queue up for it
  private volatile Thread waiting; // has the turn, and waits for others to let go
  private volatile boolean isAlone; // the thread that has the turn (A6)

  /**
   * Admits commits that share a budget.
   *
   * @param failure why the store has stopped writing, null while it writes
   */
  public CommitAdmission(MemoryBudget budget, Pins pins, Supplier<Throwable> failure) {
    this.budget = budget;
    this.pins = pins;
    this.failure = failure;
  }

  /**
   * Waits until there is memory for a commit, finds its leaves and keeps them in memory.
   *
   * @param batches the writes, filled
   * @param writes what they are filled from
   * @param snapshot what the keys are looked at for, as {@link AdmittedCommit#newer} then says;
   *     {@link Long#MAX_VALUE} for nothing
   * @return to be closed when the commit has been applied, or is given up
   * @throws MemoryExceededException if the commit does not fit into the budget, even alone; nothing
   *     has happened
   * @throws StoreFailedException if the store has stopped writing
   */
  public AdmittedCommit admit(TreeBatches batches, WriteSet writes, long snapshot) {
    long bytes = entryBytes(writes);
    for (int i = 0; i < ATTEMPTS; i++) {
      AdmittedCommit commit = commit(batches, bytes, Mode.FREE, 0);
      if (isAdmitted(commit, snapshot)) {
        return commit;
      }
      Waiting.require("memory, or a leaf");
      if (commit.isRefused() || !batches.loadMissing()) {
        break;
      }
    }
    turn.lock();
    try {
      AdmittedCommit commit = commit(batches, bytes, Mode.TURN, PATIENCE_MILLIS);
      return isAdmitted(commit, snapshot) ? commit : admitAlone(batches, bytes, snapshot);
    } finally {
      turn.unlock();
    }
  }

  private AdmittedCommit admitAlone(TreeBatches batches, long bytes, long snapshot) {
    isAlone = true;
    try {
      awaitOthers(0, () -> kept.get() <= 0);
      return admitWaiting(batches, bytes, Mode.TURN, snapshot);
    } finally {
      isAlone = false;
    }
  }

  /** Admits a commit of the store's own, which has no turn to wait for. */
  public AdmittedCommit admitOwn(TreeBatches batches, WriteSet writes) {
    long bytes = entryBytes(writes);
    for (int i = 0; i < ATTEMPTS; i++) {
      AdmittedCommit commit = commit(batches, bytes, Mode.OWN, PATIENCE_MILLIS);
      if (isAdmitted(commit, Long.MAX_VALUE)) {
        return commit;
      }
      Waiting.require("memory, or a leaf");
      boolean unused = batches.loadMissing();
    }
    return admitWaiting(batches, bytes, Mode.OWN, Long.MAX_VALUE);
  }

  private AdmittedCommit commit(TreeBatches batches, long bytes, Mode mode, long patienceMillis) {
    return new AdmittedCommit(this, budget, batches, bytes, mode, patienceMillis);
  }

  private AdmittedCommit admitWaiting(TreeBatches batches, long bytes, Mode mode, long snapshot) {
    AdmittedCommit commit = commit(batches, bytes, mode, LeafAdmission.UNTIL_REFUSED);
    boolean admitted = isAdmitted(commit, snapshot);
    assert admitted : "a commit that may wait was not admitted";
    return commit;
  }

  /** Finds the leaves of a commit; one that is not admitted lets go of everything. */
  private boolean isAdmitted(AdmittedCommit commit, long snapshot) {
    boolean admitted = false;
    try {
      admitted = commit.begin(pins) && isFound(commit, snapshot);
      return admitted;
    } finally {
      if (!admitted) {
        commit.close();
      }
    }
  }

  private static boolean isFound(AdmittedCommit commit, long snapshot) {
    try {
      return commit.batches().find(snapshot, commit);
    } catch (MemoryExceededException e) {
      throw commit.exceeded(e);
    }
  }

  /** The bytes that one commit may keep, alone. */
  long most() {
    return budget.limit() / 4 * 3;
  }

  /** The bytes that all commits may keep. */
  long shared() {
    return budget.limit() / SHARE;
  }

  /** Whether a commit may look for its leaves now. */
  boolean mayBegin(Mode mode) {
    return mode != Mode.FREE || (waiting == null && !isAlone); // A3
  }

  /**
   * Keeps more for a commit, if others leave it; waits for that where the commit may.
   *
   * @param own what the commit keeps already
   * @return whether it may keep more
   */
  boolean keepMore(Mode mode, long own, long bytes) {
    if (mode == Mode.OWN) {
      kept.addAndGet(bytes);
    } else if (!tryMore(bytes)) {
      if (mode == Mode.FREE) {
        return false;
      }
      awaitMore(own, bytes);
    }
    return true;
  }

  private boolean tryMore(long bytes) {
    long before = kept.get();
    while (before + bytes <= shared()) {
      long witness = kept.compareAndExchange(before, before + bytes);
      if (witness == before) {
        return true;
      }
      before = witness;
    }
    return false;
  }

  private void awaitMore(long own, long bytes) {
    awaitOthers(own, () -> tryMore(bytes) || kept.compareAndSet(own, own + bytes));
  }

  /** Waits until others have let go of enough; {@code own} is what remains when all have. */
  private void awaitOthers(long own, BooleanSupplier isEnough) {
    boolean interrupted = false;
    try {
      while (!isEnough.getAsBoolean()) {
        if (failure.get() != null) {
          throw new StoreFailedException(failure.get());
        }
        waiting = Thread.currentThread();
        if (kept.get() != own) { // else the last of the others has let go meanwhile
          LockSupport.parkNanos(this, LOOK_NANOS);
        }
        interrupted |= Thread.interrupted();
      }
    } finally {
      waiting = null;
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Keeps less. */
  void letGo(long bytes) {
    kept.addAndGet(-bytes);
    Thread thread = waiting;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  private long entryBytes(WriteSet writes) {
    long bytes = TreeBatches.bytes(writes);
    if (bytes > budget.limit() / LARGEST_PART_OF_BUDGET) {
      throw new MemoryExceededException(
          "a commit is larger than a quarter of the memory budget",
          budget.settingName(),
          bytes,
          budget.used(),
          budget.limit());
    }
    return bytes;
  }
}

package io.bg3.core.transaction;

import io.bg3.core.commit.CommitAdmission;
import io.bg3.core.commit.CommitPipeline;
import io.bg3.core.commit.CommitSettings;
import io.bg3.core.commit.CommitThrottle;
import io.bg3.core.commit.Durability;
import io.bg3.core.commit.DurableLog;
import io.bg3.core.commit.GroupSync;
import io.bg3.core.commit.LogWriter;
import io.bg3.core.commit.PendingCommit;
import io.bg3.core.commit.ReplayStart;
import io.bg3.core.commit.Sequencer;
import io.bg3.core.commit.Totals;
import io.bg3.core.commit.TotalsImage;
import io.bg3.core.commit.Visibility;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Lifetimes;
import io.bg3.core.forest.Forest;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.SequenceReservations;
import io.bg3.core.keyspace.Trees;
import io.bg3.core.keyspace.WriteSet;
import io.bg3.core.lock.HeldLocks;
import io.bg3.core.lock.LockSet;
import io.bg3.core.lock.Locks;
import io.bg3.core.snapshot.AgeLimit;
import io.bg3.core.snapshot.SnapshotSlots;
import io.bg3.core.snapshot.StoreClock;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.log.WriteAheadLog;
import io.bg3.storage.memory.MemoryBudget;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Begins transactions and puts their commits into one order; answers what a checkpoint has to know.
 *
 * <p>Threads: any.
 */
public final class TransactionManager implements AutoCloseable {
  /** The key in the META tree of a commit of which only the timestamp counts. */
  private static final byte[] CLOCK = "clock".getBytes(StandardCharsets.US_ASCII);

  private final TransactionContext context;
  private final Validation validation;
  private final StoreClock clock;
  private final Lifetimes lifetimes;
  private final Sequencer sequencer;
  private final CommitThrottle throttle;
  private final IdAllocator ids;
  private final LogWriter writer;
  private final Retry retry;
  private final LockedUpdates updates;
  private volatile boolean closed;

  private TransactionManager(
      CommitSettings settings,
      Forest forest,
      WriteAheadLog log,
      ExtentStore extents,
      MemoryBudget budget,
      Totals totals,
      long stamp,
      LongSupplier millis,
      ComponentFactory parts) {
    Trees trees = new Trees(forest, settings.valueStore(extents, forest.largeValues()));
    PendingCommit origin = PendingCommit.origin(stamp, log.end());
    this.clock = new StoreClock(millis, stamp >>> Sequencer.COUNTER_BITS);
    this.sequencer = new Sequencer(log, clock, origin);
    Optional<GroupSync> group =
        settings.durability() == Durability.SYNC
            ? Optional.of(new GroupSync(log))
            : Optional.empty();
    DurableLog synced = group.isPresent() ? group.get() : () -> Long.MAX_VALUE;
    Visibility visibility = parts.visibility(origin, totals, synced);
    this.throttle =
        new CommitThrottle(
            log::end,
            forest.dirtyPages(),
            () -> extents.appendedBytes(Stream.VALUE) + extents.movedBytes(Stream.VALUE),
            visibility::failure);
    SnapshotSlots slots = parts.slots(visibility::visible);
    AgeLimit age = new AgeLimit(slots, settings.ageMillis());
    totals.pruneBy(slots::horizon);
    CodeTable codes = parts.codes();
    Dictionary.load(codes, trees);
    this.lifetimes = codes.lifetimes();
    slots.expireBy(clock, lifetimes);
    Locks locks = new Locks(settings.stripes());
    CommitPipeline pipeline = new CommitPipeline(log, sequencer, visibility, slots::horizon);
    CommitAdmission admission = new CommitAdmission(budget, trees.pins(), visibility::failure);
    SchemaVersion schema = new SchemaVersion();
    this.validation = parts.validation(trees, totals, codes);
    AppliedCounts applied = new AppliedCounts(validation);
    Degrees degrees = parts.degrees(trees, validation, applied, lifetimes);
    PartialCounters partial = new PartialCounters(trees, validation, degrees);
    Committer committer =
        new Committer(
            trees,
            locks,
            codes,
            admission,
            pipeline,
            sequencer,
            visibility,
            throttle,
            validation,
            schema,
            degrees,
            partial,
            applied);
    this.context =
        new TransactionContext(
            trees,
            totals,
            slots,
            age,
            visibility,
            committer,
            parts.reservations(trees),
            new Dictionary(codes, committer, visibility, trees),
            schema,
            degrees,
            partial);
    this.ids = new IdAllocator(committer, visibility, trees);
    this.retry = new Retry(this, locks, settings.patienceMillis());
    this.updates = parts.updates(this, locks);
    this.writer =
        new LogWriter(
            log,
            group,
            settings.durability(),
            settings.intervalMillis(),
            visibility,
            visibility::fail);
  }

  /**
   * Begins to serve a store that is new, or whose log has been replayed.
   *
   * @param log open behind its last record; written from now on by nobody else
   * @param totals as the checkpoint and replay left them
   * @param stamp the newest stamp in the checkpoint's images and the log: what has happened up to
   *     it is seen, and new timestamps are above it
   */
  public static TransactionManager open(
      CommitSettings settings,
      Forest forest,
      WriteAheadLog log,
      ExtentStore extents,
      MemoryBudget budget,
      Totals totals,
      long stamp) {
    return open(settings, forest, log, extents, budget, totals, stamp, StoreClock.system());
  }

  /**
   * Begins to serve a store as the method above, by a clock of the caller's.
   *
   * @param millis milliseconds since 1970; may go back, and {@link StoreClock} does not
   */
  public static TransactionManager open(
      CommitSettings settings,
      Forest forest,
      WriteAheadLog log,
      ExtentStore extents,
      MemoryBudget budget,
      Totals totals,
      long stamp,
      LongSupplier millis) {
    return open(
        settings, forest, log, extents, budget, totals, stamp, millis, new ComponentFactory());
  }

  /**
   * Opens the commit layer with a clock and parts of the caller's.
   *
   * @param millis milliseconds since 1970; may go back, and {@link StoreClock} does not
   */
  static TransactionManager open(
      CommitSettings settings,
      Forest forest,
      WriteAheadLog log,
      ExtentStore extents,
      MemoryBudget budget,
      Totals totals,
      long stamp,
      LongSupplier millis,
      ComponentFactory parts) {
    TransactionManager manager =
        new TransactionManager(
            settings, forest, log, extents, budget, totals, stamp, millis, parts);
    manager.writer.start();
    manager.context.age().start();
    return manager;
  }

  /**
   * Begins a transaction that sees every commit that has returned.
   *
   * @throws IllegalStateException if the manager is closed
   */
  public Transaction begin(Isolation isolation, boolean readOnly) {
    return begin(isolation, readOnly, null);
  }

  Transaction begin(Isolation isolation, boolean readOnly, HeldLocks held) {
    checkNotClosed();
    return new Transaction(context, isolation, readOnly, LockScope.of(held));
  }

  /** Begins the transaction of an update. */
  Transaction beginUpdate(LockScope scope) {
    checkNotClosed();
    return new Transaction(context, Isolation.STRICT, false, scope);
  }

  /**
   * Does {@code work} in a transaction and commits it; after a conflict once more, until it
   * succeeds. After three conflicts it keeps the others away from what the work touches, so it
   * cannot starve; then the time that the work may take undisturbed is limited. Any other exception
   * rolls back and goes to the caller.
   */
  public <T> T retry(Isolation isolation, TransactionWork<T> work) {
    return retry.run(isolation, work);
  }

  /**
   * Does {@code work} while nobody else can change what belongs to some vertices, and commits it.
   *
   * <p>Its transaction reads what was applied last, so that it never conflicts and never has to be
   * done again: a thread that wants the same vertex queues up. It may only touch keys that belong
   * to one of the vertices: their edge entries and counters, records and properties. Totals may be
   * added to, codes be made.
   *
   * <p>When it returns or throws, everything is visible that {@code work} has written or read, also
   * when it wrote nothing. The locks are given back before that, as soon as the commit is in the
   * pages. All others that want these vertices wait while {@code work} runs, and so do closing the
   * store and transactions that take the whole gate: it should do nothing slow. Pages that it wants
   * are loaded, and large values that it writes are stored, under the locks. It must not begin or
   * commit another transaction, which may wait for these very locks, and it must not end its own.
   * If a text that had no code gets one meanwhile, it is called again.
   *
   * @param owners internal ids of the vertices, one or more; they need not exist
   * @throws IllegalArgumentException if {@code work} touches anything else
   * @throws io.bg3.core.snapshot.SnapshotTooOldException if {@code work} takes longer than a
   *     transaction may be open
   */
  public <T> T update(long[] owners, TransactionWork<T> work) {
    checkNotClosed();
    return updates.run(owners.clone(), work);
  }

  /**
   * Updates of one thread that are waited for together.
   *
   * @throws IllegalStateException if the manager is closed
   */
  public UpdateGroup updates() {
    checkNotClosed();
    return new UpdateGroup(updates, context.visibility());
  }

  /** Which indexes there are, in numbers; what commits compare. */
  public SchemaVersion schema() {
    return context.schema();
  }

  /** The labels whose counters are being built. */
  public PartialCounters partialCounters() {
    return context.partial();
  }

  /**
   * Commits writes of the store's own to keys that the caller keeps all others from, while no other
   * commit is under way. When it returns, every transaction sees them, and also what was committed
   * before. Not to be called inside of a transaction's work, nor of an update's.
   *
   * @param then is run when the writes are in the pages and before any other commit
   * @return the stamp of the commit
   * @throws io.bg3.core.commit.StoreFailedException if the store has stopped writing
   */
  public long commitExclusively(WriteSet writes, Runnable then) {
    return commitExclusively(writes, () -> {}, then);
  }

  /**
   * Runs a check and then commits as {@link #commitExclusively(WriteSet, Runnable)} does.
   *
   * @param first is run when no other commit is under way; if it throws, nothing is written
   */
  public long commitExclusively(WriteSet writes, Runnable first, Runnable then) {
    checkNotClosed();
    throttle.await();
    LockSet everything = new LockSet();
    everything.addGate();
    HeldLocks held = new HeldLocks(context.committer().locks(), everything.seal());
    PendingCommit commit;
    try {
      first.run();
      commit = context.committer().commitAlone(writes);
      then.run();
    } finally {
      held.release();
    }
    context.visibility().await(commit);
    return commit.stamp;
  }

  /**
   * The value that the newest commit has left of a key of a byte-key tree, visible or not; null if
   * there is none. Stays true for as long as no other commit is under way.
   */
  public byte[] newest(int tree, byte[] key) {
    return validation.newest(KeySpace.ofTree(tree), key);
  }

  /** Something that reads from the newest snapshots; belongs to the thread that uses it. */
  public NewestReader newestReader() {
    return new NewestReader(this);
  }

  /** How long the edges live whose labels have a time to live. */
  public Lifetimes lifetimes() {
    return lifetimes;
  }

  /** The codes of labels and property keys. */
  public Dictionary dictionary() {
    return context.dictionary();
  }

  /**
   * Takes {@code count} consecutive ids that were never handed out before from the counter named
   * {@code sequence} and returns the first. Ids are dense from 1; only a crash skips some, at most
   * one block of 4,096.
   *
   * @param sequence which counter, 0 to 255
   * @param count 1 or more
   * @throws io.bg3.core.commit.StoreFailedException if a new block was needed and the store has
   *     stopped writing
   */
  public long allocateIds(int sequence, int count) {
    return ids.allocate(sequence, count);
  }

  /** Takes ids from counter 0, as {@link #allocateIds(int, int)} does. */
  public long allocateIds(int count) {
    return allocateIds(0, count);
  }

  /** The largest timestamp below which every commit is seen by new readers. */
  public long visible() {
    return context.visibility().visible();
  }

  /** The largest timestamp below which every commit is in the pages. */
  public long applied() {
    return context.visibility().applied().stamp;
  }

  /** The newest timestamp given to any commit. */
  public long issued() {
    return sequencer.issued();
  }

  /** The start of a replay that adds to what is in the pages now. */
  public ReplayStart replayStart() {
    PendingCommit applied = context.visibility().applied();
    return new ReplayStart(applied.end, applied.stamp);
  }

  /**
   * The totals at one stamp, not below {@code stamp}, encoded with it for {@link Totals#decode}.
   * Waits until that much is visible.
   *
   * @throws io.bg3.core.commit.StoreFailedException if the store has stopped writing before
   */
  public TotalsImage totals(long stamp) {
    context.visibility().awaitVisible(stamp);
    int slot = context.slots().register();
    try {
      long snapshot = context.slots().snapshot(slot);
      return new TotalsImage(snapshot, context.totals().encode(snapshot));
    } finally {
      context.slots().release(slot);
    }
  }

  /**
   * The large values whose entries got into the pages since the last call, and that no image has
   * been {@linkplain #storedValues said} to refer to before, for a checkpoint to find out which are
   * still wanted.
   */
  public List<Long> takeWrittenValues() {
    return context.trees().values().takeWritten();
  }

  /** Says that an image that was written refers to large values. */
  public void storedValues(long[] locations) {
    context.trees().values().stored(locations);
  }

  /** The versions that a snapshot may still read, for pruning. Raises the cut. */
  public Horizon horizon() {
    return context.slots().horizon();
  }

  /** The number of transactions with writes that were committed since the store was opened. */
  public long commits() {
    return context.committer().commits();
  }

  /** The number of commits that were refused by a conflict since the store was opened. */
  public long conflicts() {
    return context.committer().conflicts();
  }

  /** The throttle that keeps committers from outrunning checkpoints; unlimited at first. */
  public CommitThrottle throttle() {
    return throttle;
  }

  /** Number of open transactions. */
  public int openTransactions() {
    return context.slots().count();
  }

  /**
   * Makes durable every commit whose timestamp was given before the call, in every durability.
   *
   * @return the log position up to which the log is durable
   * @throws io.bg3.core.commit.StoreFailedException if the log fails or has failed
   */
  public long syncLog() {
    return writer.sync();
  }

  /**
   * Hands every commit whose timestamp was given before the call to the operating system, without a
   * sync: when the call returns, these commits survive the end of the process, but not a power cut.
   * With {@link Durability#ASYNC} and {@link Durability#NONE} a commit returns before that, and the
   * log is written about a millisecond later. A caller that must not lose a commit when the process
   * is killed calls this after the commit. Threads that call at the same time share one write.
   *
   * @throws io.bg3.core.commit.StoreFailedException if the log fails or has failed
   */
  public void writeLog() {
    writer.write();
  }

  /** The first cause why the store has stopped writing, null while it writes. */
  public Throwable failure() {
    return context.visibility().failure();
  }

  /**
   * Stops the writing because something failed that the store cannot go on without. Only the first
   * cause is kept.
   */
  public void fail(Throwable cause) {
    context.visibility().fail(cause);
  }

  /**
   * Ends the writing of the log after everything in it has been synced. Open transactions can only
   * be rolled back. The log, the trees and the rest stay open.
   *
   * @throws io.bg3.core.commit.StoreFailedException if the store has stopped writing before
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    retry.close();
    context.age().close();
    LockSet everything = new LockSet();
    everything.addGate();
    HeldLocks held = new HeldLocks(context.committer().locks(), everything.seal());
    try {
      // No commit is between its timestamp and its pages now; a thread that comes later finds the
      // failure.
      if (failure() == null) {
        ids.logExactly();
        logClock();
        writer.sync();
      }
    } finally {
      context.visibility().fail(new IllegalStateException("the store is closed"));
      held.release();
      writer.close();
    }
  }

  /**
   * Makes the time that the clock has reached that of a commit, so that nothing that has expired is
   * there again when the store is opened after the system's clock was put back (R13).
   */
  private void logClock() {
    if (!lifetimes.isEmpty() && clock.now() > newestMillis()) {
      context.committer().commitAlone(clockEntry());
    }
  }

  private static WriteSet clockEntry() {
    WriteSet writes = new WriteSet();
    writes.add(TreeIds.META, CLOCK, new byte[0]);
    return writes;
  }

  private long newestMillis() {
    return sequencer.issued() >>> Sequencer.COUNTER_BITS;
  }

  /**
   * Commits the time that the clock has reached, in a store that nobody else writes to: what has
   * expired by the clock alone goes only when a commit is as new, and is there again after a kill
   * if the system's clock is put back (R13, R46).
   */
  public void commitClock() {
    commitExclusively(clockEntry(), () -> {});
  }

  /**
   * Whether a reader judges by a time that is so much later than the newest commit that a kill must
   * not take it back (R13).
   */
  public boolean clockLeads() {
    return clock.leads(newestMillis());
  }

  /**
   * Whether everything that a family wrote up to a millisecond has expired by the clock, and no
   * commit is as new as that.
   */
  public boolean awaitsClock(int family, long newest) {
    long time = lifetimes.ofFamily(family);
    long expires = newest + time;
    return time > 0 && expires <= clock.now() && expires > newestMillis();
  }

  void checkNotClosed() {
    if (closed) {
      throw new IllegalStateException("the store is closed");
    }
  }

  Trees trees() {
    return context.trees();
  }

  SnapshotSlots slots() {
    return context.slots();
  }

  AgeLimit age() {
    return context.age();
  }

  Committer committer() {
    return context.committer();
  }

  Visibility visibility() {
    return context.visibility();
  }

  Degrees degrees() {
    return context.degrees();
  }

  SequenceReservations reservations() {
    return context.reservations();
  }
}

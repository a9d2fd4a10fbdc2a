package io.bg3.core.transaction;

import io.bg3.core.commit.AdmittedCommit;
import io.bg3.core.commit.CommitAdmission;
import io.bg3.core.commit.CommitPipeline;
import io.bg3.core.commit.CommitRecord;
import io.bg3.core.commit.CommitThrottle;
import io.bg3.core.commit.OutcomeUnknownException;
import io.bg3.core.commit.PendingCommit;
import io.bg3.core.commit.Sequencer;
import io.bg3.core.commit.StoreFailedException;
import io.bg3.core.commit.TotalIncrements;
import io.bg3.core.commit.TreeBatches;
import io.bg3.core.commit.Visibility;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.SpaceReads;
import io.bg3.core.keyspace.SpaceWrites;
import io.bg3.core.keyspace.Trees;
import io.bg3.core.keyspace.ValueStore;
import io.bg3.core.keyspace.Write;
import io.bg3.core.keyspace.WriteSet;
import io.bg3.core.lock.HeldLocks;
import io.bg3.core.lock.LockSet;
import io.bg3.core.lock.Locks;
import io.bg3.core.thread.PerThread;
import io.bg3.storage.Waiting;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Lock;

/**
 * Makes the writes of one transaction happen, by the steps that the package describes: what can be
 * done before the locks, the locks, validation, {@link CommitAdmission}, the {@link
 * CommitPipeline}, and what can be done after them. Threads: any.
 */
final class Committer {
  private final Trees trees;
  private final Locks locks;
  private final CodeTable codes;
  private final CommitAdmission admission;
  private final CommitPipeline pipeline;
  private final Sequencer sequencer;
  private final Visibility visibility;
  private final CommitThrottle throttle;
  private final Validation validation;
  private final SchemaVersion schema;
  private final Degrees degrees;
  private final PartialCounters partial;
  private final AppliedCounts applied;
  private final PerThread<TreeBatches> batches = PerThread.of(TreeBatches::new);
  private final LongAdder commits = new LongAdder();
  private final LongAdder conflicts = new LongAdder();

  Committer(
      Trees trees,
      Locks locks,
      CodeTable codes,
      CommitAdmission admission,
      CommitPipeline pipeline,
      Sequencer sequencer,
      Visibility visibility,
      CommitThrottle throttle,
      Validation validation,
      SchemaVersion schema,
      Degrees degrees,
      PartialCounters partial,
      AppliedCounts applied) {
    this.trees = trees;
    this.locks = locks;
    this.codes = codes;
    this.admission = admission;
    this.pipeline = pipeline;
    this.sequencer = sequencer;
    this.visibility = visibility;
    this.throttle = throttle;
    this.validation = validation;
    this.schema = schema;
    this.degrees = degrees;
    this.partial = partial;
    this.applied = applied;
  }

  /**
   * Commits a transaction that has writes and whose cursors are closed. The caller waits for the
   * result to be visible.
   *
   * @throws ConflictException and what {@link CommitAdmission#admit} and {@link CommitPipeline#run}
   *     throw; OutOfMemoryError becomes MemoryExceededException
   */
  PendingCommit commit(TransactionContents transaction) {
    boolean begins = Waiting.beginCommit();
    try {
      transaction.requireShort(0);
      return commitOrFail(transaction);
    } catch (OutOfMemoryError e) {
      throw outOfMemory(transaction.writes(), e);
    } finally {
      if (begins) {
        Waiting.endCommit();
      }
    }
  }

  /** The exception of a commit that ran out of heap: before its timestamp nothing has happened. */
  private RuntimeException outOfMemory(WriteSet writes, OutOfMemoryError e) {
    if (writes.stamp() == 0) {
      return CommitRecord.heapExceeded(CommitRecord.size(writes, null), e);
    }
    visibility.fail(e);
    return new OutcomeUnknownException(writes.stamp(), visibility.failure());
  }

  private PendingCommit commitOrFail(TransactionContents transaction) {
    WriteSet writes = transaction.writes();
    if (transaction.scope().held() == null) { // a retry has waited before it took its locks
      throttle.await(hasLargeValues(writes));
    }
    checkWriting();
    LockSet lockSet = lockSet(transaction);
    transaction.needs(lockSet);
    boolean counts =
        transaction.sums().counts() != null; // then only the locks tell what is written
    ByteBuffer record =
        counts || degrees.mayBeIn(writes)
            ? null
            : CommitRecord.encode(writes, transaction.sums().increments());
    boolean unknown = false;
    appendLargeValues(writes);
    try {
      PendingCommit commit = commit(transaction, lockSet, record);
      commits.increment();
      trees.values().markWritten(writes); // for the next checkpoint, once they are in the pages
      return commit;
    } catch (OutcomeUnknownException e) {
      unknown = true;
      throw e;
    } finally {
      if (!unknown && writes.stamp() == 0) {
        releaseLargeValues(writes);
        if (counts) {
          transaction.sums().counts().withdraw(writes); // next time they may have to be others
        }
        Degrees.withdraw(writes);
      }
    }
  }

  private PendingCommit commit(
      TransactionContents transaction, LockSet lockSet, ByteBuffer record) {
    ReadSet reads = transaction.reads();
    long checked = transaction.snapshot();
    if (reads != null && lockSet.isGate()) {
      long applied = Math.max(checked, visibility.applied().stamp);
      refuse(validation.changedRead(reads, checked));
      checked = applied;
    }
    TreeBatches own = batches.get();
    String changed;
    HeldLocks held = lock(transaction, lockSet);
    try {
      checkWriting(); // again: closing excludes commits by the gate
      requireEntries(transaction);
      changed = changedRead(transaction, lockSet, checked);
      List<Write> more = changed == null ? degrees.of(transaction.writes(), own) : List.of();
      ByteBuffer encoded = record;
      if (changed == null && (record == null || !more.isEmpty())) {
        encoded = encodeWithCounts(transaction, more);
        changed = encoded == null ? conflictOfCounts(transaction, own) : null;
      }
      if (changed == null) {
        own.fill(transaction.writes(), trees);
        try (AdmittedCommit admitted =
            admission.admit(own, transaction.writes(), transaction.snapshot())) {
          changed = admitted.newer(); // first committer wins; an update has no snapshot
          PendingCommit commit =
              changed == null ? runUnlessCodeFound(transaction, encoded, admitted) : null;
          if (commit != null) {
            noteCounts(transaction, more);
            degrees.applied(transaction.writes(), more);
            return commit;
          }
        }
        changed = changed == null ? validation.foundCode(reads) : changed;
        changed = changed == null ? "an edge that has expired" : changed; // nothing else is left
      }
    } finally {
      held.release();
      finish(own);
    }
    refuse(changed);
    throw new AssertionError("neither committed nor in conflict: " + transaction);
  }

  /**
   * Throws unless the writes have the entries of all indexes that there are (R27), were held
   * against all schemas that there are (R42), were added to all counters that there are (R44), and
   * stand in all orders that there are (R49).
   */
  private void requireEntries(TransactionContents transaction) {
    SchemaMarks marks = transaction.marks();
    if (marks.hasOldEntries(schema)
        || marks.hasOldRules(schema)
        || marks.hasOldCounters(schema)
        || marks.hasOldOrders(schema)) {
      throw new SchemaChangedException();
    }
  }

  /** The record with what counters and degrees become; null if a counter cannot hold it. */
  private ByteBuffer encodeWithCounts(TransactionContents transaction, List<Write> more) {
    WriteSet writes = transaction.writes();
    CounterIncrements counts = transaction.sums().counts();
    if (counts != null && !counts.resolve(applied, partial, writes)) {
      return null;
    }
    writes.addAll(KeySpace.EDGES, more);
    return CommitRecord.encode(writes, transaction.sums().increments());
  }

  /**
   * Names what has been written since the snapshot, which is why a counter cannot hold what it
   * would become.
   *
   * @throws IllegalArgumentException if nothing has: the increment is wrong
   */
  private String conflictOfCounts(TransactionContents transaction, TreeBatches own) {
    String changed = newer(transaction, own);
    if (changed == null) {
      throw transaction.sums().counts().refusal();
    }
    return changed;
  }

  private void noteCounts(TransactionContents transaction, List<Write> more) {
    applied.applied(more);
    if (transaction.sums().counts() != null) {
      applied.applied(transaction.sums().counts().resolved());
    }
  }

  /**
   * Takes the locks, or goes on with those that a retry holds for this transaction if they suffice.
   */
  private HeldLocks lock(TransactionContents transaction, LockSet lockSet) {
    HeldLocks held = transaction.scope().held();
    if (held != null) {
      if (held.lockSet().covers(lockSet) && held.claim()) {
        return held;
      }
      held.release(); // no thread waits for locks while it holds some
    }
    return new HeldLocks(locks, lockSet);
  }

  /**
   * Names what has changed of what was read; null if nothing. Leaves are loaded for it, so nothing
   * of the commit is kept in memory yet.
   */
  private String changedRead(TransactionContents transaction, LockSet lockSet, long checked) {
    if (transaction.scope().isUpdate()) {
      return null; // its locks are older than all it has read
    }
    if (transaction.marks().hasLostIndexes(schema)) {
      return "a dropped index"; // writers of values write no entries of it any more (R27)
    }
    ReadSet reads = transaction.reads();
    String changed = reads == null ? null : validation.changedRead(reads, checked);
    if (changed == null && reads != null && !reads.totals().isEmpty()) {
      assert lockSet.isGate() : lockSet;
      visibility.awaitVisible(sequencer.issued());
      changed = validation.changedTotal(reads, transaction.snapshot());
    }
    return changed;
  }

  /** Names what has been written since the snapshot of what is overwritten; null if nothing. */
  private String newer(TransactionContents transaction, TreeBatches own) {
    WriteSet writes = transaction.writes();
    own.fill(writes, trees);
    try (AdmittedCommit admitted = admission.admit(own, writes, transaction.snapshot())) {
      return admitted.newer();
    } finally {
      own.clear();
    }
  }

  /** Null if a text that had no code has got one, or something that was read has expired. */
  private PendingCommit runUnlessCodeFound(
      TransactionContents transaction, ByteBuffer record, AdmittedCommit admitted) {
    ReadSet reads = transaction.reads();
    WriteSet writes = transaction.writes();
    TotalIncrements increments = transaction.sums().increments();
    long expires = transaction.expires();
    if (reads == null || reads.missing().isEmpty()) {
      return pipeline.run(writes, increments, record, admitted, expires);
    }
    Lock shared = codes.lock().readLock();
    if (!Waiting.isForbidden()) {
      shared.lock();
    } else if (!shared.tryLock()) {
      Waiting.require("a new code");
    }
    try {
      return validation.foundCode(reads) == null
          ? pipeline.run(writes, increments, record, admitted, expires)
          : null;
    } finally {
      shared.unlock();
    }
  }

  /**
   * Commits writes of the store's own, to keys that the caller keeps all others from. Not yet
   * visible when it returns.
   */
  PendingCommit commitAlone(WriteSet writes) {
    try {
      return commitAloneOrFail(writes);
    } catch (OutOfMemoryError e) {
      throw outOfMemory(writes, e);
    }
  }

  private PendingCommit commitAloneOrFail(WriteSet writes) {
    checkWriting();
    Waiting.require("a commit of the store's own");
    ByteBuffer record = CommitRecord.encode(writes, null);
    appendLargeValues(writes);
    TreeBatches own = batches.get();
    boolean unknown = false;
    own.fill(writes, trees);
    try (AdmittedCommit admitted = admission.admitOwn(own, writes)) {
      PendingCommit commit = pipeline.run(writes, null, record, admitted, Long.MAX_VALUE);
      trees.values().markWritten(writes);
      return commit;
    } catch (OutcomeUnknownException e) {
      unknown = true;
      throw e;
    } finally {
      finish(own);
      if (!unknown && writes.stamp() == 0) {
        releaseLargeValues(writes);
      }
    }
  }

  private void finish(TreeBatches own) {
    own.clear();
    if (!pipeline.settle(own)) {
      batches.remove();
    }
  }

  /**
   * The stripes of what was written and read; the whole gate for what lies in no single stripe. An
   * update has them already.
   *
   * @throws MissingLocksException if an update lacks stripes of its index entries
   */
  private LockSet lockSet(TransactionContents transaction) {
    if (transaction.scope().isUpdate()) {
      return requireEntryLocks(transaction);
    }
    LockSet lockSet = new LockSet();
    for (SpaceWrites space : transaction.writes().spaces()) {
      for (int i = 0; i < space.count(); i++) {
        Write write = space.at(i);
        lockSet.add(stripe(space.space, write.key), true);
      }
    }
    if (transaction.sums().counts() != null) {
      for (byte[] key : transaction.sums().counts().keys()) {
        lockSet.add(stripe(KeySpace.EDGES, key), true);
      }
    }
    if (transaction.reads() != null) {
      addReads(transaction.reads(), lockSet);
    }
    return lockSet.seal();
  }

  /**
   * The locks of an update, if the stripes of its index entries are among them: a transaction that
   * has looked for a value keeps only these from changing under it (R28).
   *
   * @throws MissingLocksException if they are not
   */
  LockSet requireEntryLocks(TransactionContents transaction) {
    LockSet held = transaction.scope().held().lockSet();
    SpaceWrites entries = transaction.writes().space(TreeIds.INDEX_ENTRIES);
    if (entries == null) {
      return held;
    }
    LockSet needed = new LockSet();
    for (int i = 0; i < entries.count(); i++) {
      needed.add(stripe(TreeIds.INDEX_ENTRIES, entries.at(i).key), true);
    }
    if (!held.covers(needed.seal())) {
      throw new MissingLocksException(held.union(needed));
    }
    return held;
  }

  private void addReads(ReadSet reads, LockSet lockSet) {
    if (!reads.totals().isEmpty()) {
      lockSet.addGate();
    }
    for (SpaceReads space : reads.spaces()) {
      for (SpaceReads.Range range : space.ranges()) {
        if (!KeySpace.isOneStripe(space.space, range.low(), range.high())) {
          lockSet.addGate();
          return;
        }
        lockSet.add(stripe(space.space, range.low()), false);
      }
      for (SpaceReads.Existence existence : space.existences()) {
        lockSet.add(stripe(space.space, existence.key()), false);
      }
    }
  }

  private int stripe(int space, byte[] key) {
    return locks.stripeOf(KeySpace.stripeHash(space, key));
  }

  private boolean hasLargeValues(WriteSet writes) {
    for (SpaceWrites space : writes.spaces()) {
      for (int i = 0; i < space.count(); i++) {
        Write write = space.at(i);
        if (write.isPut() && trees.values().isLarge(write.value)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Appends the large values to their stream. Only I/O that fails is the store's failure; what else
   * may fail, as memory for a buffer, is this commit's.
   */
  private void appendLargeValues(WriteSet writes) {
    if (Waiting.isForbidden() && hasLargeValues(writes)) {
      Waiting.require("the disk, for large values");
    }
    ValueStore values = trees.values();
    boolean appended = false;
    try {
      for (SpaceWrites space : writes.spaces()) {
        for (int i = 0; i < space.count(); i++) {
          Write write = space.at(i);
          if (write.isPut() && values.isLarge(write.value)) {
            write.location = values.append(space.space, write.key, write.value);
          }
        }
      }
      appended = true;
    } catch (IOException e) {
      visibility.fail(e);
      throw new StoreFailedException(visibility.failure());
    } finally {
      if (!appended) {
        releaseLargeValues(writes);
      }
    }
  }

  private void releaseLargeValues(WriteSet writes) {
    for (SpaceWrites space : writes.spaces()) {
      for (int i = 0; i < space.count(); i++) {
        Write write = space.at(i);
        if (write.location != 0) {
          trees.values().release(write.location);
          write.location = 0;
        }
      }
    }
  }

  private void checkWriting() {
    Throwable failure = visibility.failure();
    if (failure != null) {
      throw new StoreFailedException(failure);
    }
  }

  /**
   * Throws the conflict, if there is one, once everything is visible that it may rest on: no crash
   * may take back what an answer was based on, and a thread that tries again shall see it.
   */
  private void refuse(String changed) {
    if (changed != null) {
      Waiting.require("what a conflict rests on"); // a thread that may wait finds it again
      conflicts.increment();
      visibility.awaitVisible(sequencer.issued());
      throw new ConflictException(changed);
    }
  }

  /** Whether anything that was read is newer than a stamp. */
  boolean isChanged(ReadSet reads, long stamp) {
    return validation.changedRead(reads, stamp) != null;
  }

  /** The number of transactions with writes that have been committed. */
  long commits() {
    return commits.sum();
  }

  /** The number of commits that were refused by a conflict. */
  long conflicts() {
    return conflicts.sum();
  }

  /** The locks, for a caller that holds them over several commits. */
  Locks locks() {
    return locks;
  }
}

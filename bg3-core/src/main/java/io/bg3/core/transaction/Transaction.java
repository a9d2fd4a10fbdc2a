package io.bg3.core.transaction;

import io.bg3.core.commit.CommitListener;
import io.bg3.core.commit.CommitRecord;
import io.bg3.core.commit.PendingCommit;
import io.bg3.core.entry.DegreeKey;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.keyspace.SequenceReservations;
import io.bg3.core.keyspace.SpaceWrites;
import io.bg3.core.keyspace.Write;
import io.bg3.core.limit.Limit;
import io.bg3.core.limit.LimitExceededException;
import io.bg3.core.snapshot.SnapshotClaim;
import io.bg3.core.snapshot.SnapshotTooOldException;
import io.bg3.core.tree.Neighbours;
import io.bg3.storage.memory.MemoryExceededException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * One transaction: reads at its snapshot, its own writes visible to itself and buffered until the
 * commit.
 *
 * <p>Trees with byte keys are named by their ids ({@code TreeIds}); edges are named by owner, tag
 * and label, other end and sequence, and which tree holds them is no business of the caller. What
 * is read is remembered, so that a commit with {@link Isolation#STRICT} happens only if nothing of
 * it has changed; with {@link Isolation#SNAPSHOT} only {@link #exists}, {@link #edgeExists} and
 * what is guarded ({@link #guard}, {@link #guardEdges}) are, and reads of a read-only transaction
 * are not.
 *
 * <p>Every transaction ends with {@link #commit} or {@link #rollback}, also after an exception:
 * until then it holds back the removal of old versions. {@link #commit} ends it in any case,
 * whether it returns or throws, except for {@code MemoryExceededException}, {@link
 * LimitExceededException} and {@link SchemaChangedException}, after which it is still open and can
 * be committed again or rolled back.
 *
 * <p>That of an update ({@link TransactionManager#update}) reads what was applied last instead of a
 * snapshot, and may only touch what belongs to the vertices that the update has locked.
 *
 * <p>A transaction that is open for longer than the store allows is given up: from then on reads
 * and {@link #commit} throw {@link SnapshotTooOldException}, and it holds back nothing any more.
 *
 * <p>Threads: one at a time.
 */
public final class Transaction extends TransactionContents implements AutoCloseable {
  /** Stands for every tag of edge entries. */
  public static final int ANY_TAG = EdgeScanCursor.ANY_TAG;

  private static final byte[] NO_VALUE = {};

  private enum State {
    OPEN,
    COMMITTED,
    ROLLED_BACK
  }

  private final TransactionContext context;
  private final boolean readOnly;
  private final boolean strict;
  private final SnapshotClaim claim;
  private final boolean remembersAll;
  private final PointReads lookups;

  /** Null until they are needed: many transactions end after a read or two. */
  private CodeLookups codes;

  private TransactionScans scans;
  private List<SequenceReservations.Pair> reserved;
  private long[] single;
  private State state = State.OPEN;

  /** Begins at the newest snapshot, with the locks in {@code scope}. */
  Transaction(TransactionContext context, Isolation isolation, boolean readOnly, LockScope scope) {
    this(context, isolation, readOnly, scope, new SnapshotClaim(context.slots(), context.age()));
  }

  private Transaction(
      TransactionContext context,
      Isolation isolation,
      boolean readOnly,
      LockScope scope,
      SnapshotClaim claim) {
    super(
        scope.isUpdate() ? Long.MAX_VALUE : claim.snapshot(),
        claim.expiry(),
        scope,
        readOnly ? null : new ReadSet());
    this.context = context;
    this.readOnly = readOnly;
    this.claim = claim;
    this.strict = !readOnly && isolation == Isolation.STRICT;
    this.remembersAll = strict && !scope.isUpdate();
    if (strict) {
      claim.expiry().relyOnScans();
    }
    this.lookups = new PointReads(this, context.trees(), remembersAll);
  }

  /**
   * Lets the layer above throw an exception of its own in place of {@link SnapshotTooOldException},
   * from reads that are under way when the age limit passes as well.
   */
  public void translateTooOld(Function<SnapshotTooOldException, RuntimeException> translation) {
    claim.translate(translation);
  }

  /** Whether it has neither been committed nor rolled back. */
  public boolean isOpen() {
    return state == State.OPEN;
  }

  /** Whether it has been committed. */
  public boolean isCommitted() {
    return state == State.COMMITTED;
  }

  /**
   * Whether its commit has got a timestamp: then its writes have happened, or it is not known
   * whether they have, also if {@link #commit} has thrown.
   */
  public boolean hasTimestamp() {
    return writes().stamp() != 0;
  }

  /**
   * Whether it was given up because it was open for too long, so that it can only be rolled back.
   * Any thread may ask.
   */
  public boolean isTooOld() {
    return !claim.isHeld() && state == State.OPEN; // in this order: the state is written first
  }

  /** Whether it has buffered a write or an increment of a total or counter. */
  public boolean hasWrites() {
    return !writes().isEmpty() || !sums().isEmpty();
  }

  /** The number of keys that it has buffered a write of; increments are not among them. */
  public int writeCount() {
    return writes().count();
  }

  /**
   * The value of a key, null if it is absent. Counts as a read of the value. The caller must not
   * change the array.
   */
  public byte[] get(int tree, byte[] key) {
    return lookups.value(KeySpace.ofTree(tree), key);
  }

  /**
   * The values of many keys, looked up in step, which takes less time where their pages are not in
   * the processor's caches. Counts as a read of each.
   *
   * @param keys from index 0 up to {@code count}
   * @param into gets the values at the indexes of their keys, null for a key that is absent
   */
  public void getAll(int tree, byte[][] keys, int count, byte[][] into) {
    Objects.checkFromToIndex(0, count, keys.length);
    lookups.values(KeySpace.ofTree(tree), keys, count, into);
  }

  /**
   * Whether a key is present. Counts as a read of existence only: a changed value is no conflict.
   */
  public boolean exists(int tree, byte[] key) {
    return lookups.exists(KeySpace.ofTree(tree), key);
  }

  /**
   * Says that some keys of a tree are about to be read: what is not in memory is loaded together.
   * Is no read.
   *
   * @param key the keys by their indexes; asked only if some may not be in memory
   */
  public void prefetch(int tree, int count, IntFunction<byte[]> key) {
    checkOpen();
    context.trees().prefetch(KeySpace.ofTree(tree), count, key);
  }

  /**
   * Says that edge entries of one owner under one tag and label are about to be read, as {@link
   * #prefetch} does.
   *
   * @param others the other ends of the entries with sequence 0
   */
  public void prefetchEdges(long owner, int tagLabel, long... others) {
    checkOpen();
    context
        .trees()
        .prefetch(
            KeySpace.EDGES, others.length, i -> EdgeKey.encode(owner, tagLabel, others[i], 0));
  }

  /**
   * Says that edge entries are about to be read or written, as {@link #prefetch} does.
   *
   * @param key the keys, or the bounds below ranges, by their indexes
   */
  public void prefetchEdges(int count, IntFunction<byte[]> key) {
    checkOpen();
    context.trees().prefetch(KeySpace.EDGES, count, key);
  }

  /** Whether anything may not be in memory, so that it helps to say what is about to be read. */
  public boolean mayPrefetch() {
    return context.trees().mayPrefetch();
  }

  /**
   * The entries with {@code low <= key < high}; null stands for an open end. The range that the
   * cursor has passed counts as read.
   */
  public ByteCursor scan(int tree, byte[] low, byte[] high, ScanOrder order) {
    return scan(tree, low, high, order, writtenBy());
  }

  /**
   * The entries as {@link #scan(int, byte[], byte[], ScanOrder)} shows them, without those keys
   * that this transaction has put later than at some moment: for several scans that are to look as
   * if they had been opened together.
   *
   * @param written what {@link #writtenBy} said at that moment
   */
  public ByteCursor scan(int tree, byte[] low, byte[] high, ScanOrder order, long written) {
    checkRange(tree, low, high);
    return scans().bytes(KeySpace.ofTree(tree), low, high, order, written);
  }

  /** The number of this moment among those at which this transaction has written. */
  public long writtenBy() {
    return writes().now();
  }

  /** All entries of a tree, in a steady cursor ({@link ByteCursor}). */
  public ByteCursor steadyScan(int tree) {
    checkRange(tree, null, null);
    return scans().steadyBytes(KeySpace.ofTree(tree));
  }

  /** This moment, for {@link #steadyEdges(long, int, int, boolean, long)}. */
  public long steadyNow() {
    checkOpen();
    return writes().keepNow();
  }

  /**
   * Buffers a value for a key. The transaction keeps both arrays; the caller must not change them
   * afterwards.
   *
   * @throws LimitExceededException if the key or the value is too long; nothing was buffered
   */
  public void put(int tree, byte[] key, byte[] value) {
    writePut(KeySpace.ofTree(tree), key, value);
  }

  /** Buffers the removal of a key. The transaction keeps the array. */
  public void delete(int tree, byte[] key) {
    write(KeySpace.ofTree(tree), key, null);
  }

  /**
   * The value that a key had before this transaction, whatever this transaction has written; null
   * if it was absent. Is no read: the caller writes the key, or has read it.
   */
  public byte[] before(int tree, byte[] key) {
    int space = KeySpace.ofTree(tree);
    checkKey(space, key);
    return lookups.applied(space, key);
  }

  /**
   * The value that an edge entry had before this transaction, as {@link #before} gives it.
   *
   * @param key whole
   */
  public byte[] edgeBefore(byte[] key) {
    checkKey(KeySpace.EDGES, key);
    return lookups.applied(KeySpace.EDGES, key);
  }

  /**
   * The value of a key that this transaction has removed, as it was before; null if it is not known
   * any more. It is, if there was a value before this transaction, or if a steady cursor was opened
   * when there was one. Is no read.
   */
  public byte[] removed(int tree, byte[] key) {
    int space = KeySpace.ofTree(tree);
    checkKey(space, key);
    Write write = writes().get(space, key);
    if (write == null || write.isPut()) {
      return null;
    }
    Write before = write.removed();
    return before == null ? lookups.applied(space, key) : before.value;
  }

  /** How often this transaction has written so far. */
  public long writesSoFar() {
    return writes().now();
  }

  /** Whether edge entries were written after so many writes. */
  public boolean hasEdgesSince(long writes) {
    SpaceWrites edges = writes().space(KeySpace.EDGES);
    return edges != null && edges.isWrittenSince(writes);
  }

  /** The keys of the edge entries that were written after so many writes, ascending. */
  public List<byte[]> edgesSince(long writes) {
    SpaceWrites edges = writes().space(KeySpace.EDGES);
    return edges == null ? List.of() : edges.writtenSince(writes);
  }

  /**
   * Buffers an entry of a property index. An update may do so for any value: before it commits it
   * takes the stripes of its entries. The transaction keeps the array.
   */
  public void putEntry(byte[] key) {
    writeEntry(key, NO_VALUE);
  }

  /** Buffers the removal of an entry of a property index, as {@link #putEntry} does. */
  public void deleteEntry(byte[] key) {
    writeEntry(key, null);
  }

  private void writeEntry(byte[] key, byte[] value) {
    checkWritable();
    CommitRecord.check(TreeIds.INDEX_ENTRIES, key, value);
    writes().add(TreeIds.INDEX_ENTRIES, key, value);
  }

  /** Takes back entries, or removals of entries, that this transaction has buffered; ascending. */
  public void takeBackEntries(Iterable<byte[]> keys) {
    checkWritable();
    writes().removeAll(TreeIds.INDEX_ENTRIES, keys);
  }

  /** Whether it is that of an update. */
  public boolean isUpdate() {
    return scope().isUpdate();
  }

  /** Whether this transaction has buffered an entry of a property index, not its removal. */
  public boolean putsEntry(byte[] key) {
    Write write = writes().get(TreeIds.INDEX_ENTRIES, key);
    return write != null && write.isPut();
  }

  /**
   * The entries of one value of a property index that it has buffered an entry with, its own among
   * them; and lets the commit happen, in every isolation, only if none of them has changed since
   * the snapshot. An update that lacks the stripes of its entries is done again with them: then
   * nobody changes these either.
   *
   * @param low bound of the entries with the value
   * @param high bound of the entries with the value
   */
  public ByteCursor guardEntries(byte[] low, byte[] high) {
    checkWritable();
    if (scope().isUpdate()) {
      context.committer().requireEntryLocks(this);
    } else {
      reads().addRange(TreeIds.INDEX_ENTRIES, low, high);
    }
    return scans().bytes(TreeIds.INDEX_ENTRIES, low, high, ScanOrder.FORWARD);
  }

  /**
   * Says that the writes so far have their index entries. If the schema has another version when
   * this transaction commits, {@link #commit} throws {@link SchemaChangedException}.
   *
   * @param changes {@link SchemaVersion#changes} when the indexes were looked at
   */
  public void madeEntriesAt(long changes) {
    checkWritable();
    ownMarks().noteEntriesAt(changes);
  }

  /**
   * Says that the writes so far meet the schemas. If there are others when this transaction
   * commits, {@link #commit} throws {@link SchemaChangedException}.
   *
   * @param rules {@link SchemaVersion#rules} when the schemas were looked at
   */
  public void metRulesAt(long rules) {
    checkWritable();
    ownMarks().noteRulesAt(rules);
  }

  /**
   * Says that the writes so far were added to the counters of their vertices. If there are more
   * counters when this transaction commits, {@link #commit} throws {@link SchemaChangedException}.
   *
   * @param counters {@link SchemaVersion#counters} when it was asked what is counted
   */
  public void countedAt(long counters) {
    checkWritable();
    ownMarks().noteCountersAt(counters);
  }

  /**
   * Says that the edges written so far have their entries in the orders of labels that have become
   * ordered. If there are others when this transaction commits, {@link #commit} throws {@link
   * SchemaChangedException}.
   *
   * @param orders {@link SchemaVersion#orders} when it was asked which there are
   */
  public void orderedAt(long orders) {
    checkWritable();
    ownMarks().noteOrdersAt(orders);
  }

  /**
   * Says that this transaction is about to read from an index. If an index is dropped before it
   * commits, what it has read cannot be validated, and it conflicts.
   *
   * @param drops {@link SchemaVersion#drops}, not newer than what the indexes were looked at
   */
  public void readsIndexesAt(long drops) {
    if (remembersAll) {
      ownMarks().noteIndexesReadAt(drops);
    }
  }

  /** Whether an edge entry is present. Counts as a read of existence only. */
  public boolean edgeExists(long owner, int tagLabel, long other, int sequence) {
    return lookups.exists(KeySpace.EDGES, EdgeKey.encode(owner, tagLabel, other, sequence));
  }

  /** The value of an edge entry, null if the entry is absent. Counts as a read of the value. */
  public byte[] edgeValue(long owner, int tagLabel, long other, int sequence) {
    return lookups.edgeValue(owner, tagLabel, other, sequence);
  }

  /**
   * The value of an entry of an index, null if the entry is absent. Counts as a read of the value.
   */
  public byte[] edgeValue(long owner, int tagLabel, long sortKey, long other, int sequence) {
    return lookups.value(KeySpace.EDGES, EdgeKey.encode(owner, tagLabel, sortKey, other, sequence));
  }

  /**
   * The edge entries of one owner whose tag and label, as unsigned numbers, lie from {@code
   * tagLabelLow} to {@code tagLabelHigh}, both included, in the order of the keys or its reverse.
   */
  public EdgeCursor edges(
      long owner, int tagLabelLow, int tagLabelHigh, boolean values, ScanOrder order) {
    byte[] low = EdgeKey.prefix(owner, tagLabelLow);
    byte[] high = EdgeKey.after(EdgeKey.prefix(owner, tagLabelHigh));
    checkRange(KeySpace.EDGES, low, high);
    return scans().edges(owner, low, high, values, order);
  }

  /**
   * As {@link #edges(long, int, int, boolean, ScanOrder)}, forward and in a steady cursor: for
   * several that are to look as if they had been opened together.
   *
   * @param moment what {@link #steadyNow} said then
   */
  public EdgeCursor steadyEdges(
      long owner, int tagLabelLow, int tagLabelHigh, boolean values, long moment) {
    byte[] low = EdgeKey.prefix(owner, tagLabelLow);
    byte[] high = EdgeKey.after(EdgeKey.prefix(owner, tagLabelHigh));
    checkRange(KeySpace.EDGES, low, high);
    return scans().steadyEdges(owner, low, high, values, moment);
  }

  /**
   * As {@link #edges(long, int, int, boolean, ScanOrder)}, of which about so many are read first.
   */
  public EdgeCursor edges(
      long owner, int tagLabelLow, int tagLabelHigh, boolean values, ScanOrder order, int most) {
    byte[] low = EdgeKey.prefix(owner, tagLabelLow);
    byte[] high = EdgeKey.after(EdgeKey.prefix(owner, tagLabelHigh));
    checkRange(KeySpace.EDGES, low, high);
    return scans().edges(owner, low, high, values, order, most);
  }

  /**
   * The entries of one owner's index whose sort keys lie from {@code sortLow} to {@code sortHigh},
   * both included, with their values. About {@code most} are read at first.
   */
  public EdgeCursor sortedEdges(
      long owner, int tagLabel, long sortLow, long sortHigh, ScanOrder order, int most) {
    byte[] low = EdgeKey.prefix(owner, tagLabel, sortLow);
    byte[] high = EdgeKey.after(EdgeKey.prefix(owner, tagLabel, sortHigh));
    checkRange(KeySpace.EDGES, low, high);
    return scans().edges(owner, low, high, true, order, most);
  }

  /**
   * The other ends of the edge entries of one owner under one tag and label, in their order: the
   * same as {@link #edges} shows, without a cursor.
   *
   * @param limit the first ones of a longer list
   * @param into filled anew
   */
  public void neighbours(long owner, int tagLabel, int limit, Neighbours into) {
    if (single == null) {
      single = new long[1];
    }
    single[0] = owner;
    neighbours(single, 0, 1, tagLabel, limit, into);
  }

  /**
   * The neighbours of many owners, looked up in step, which takes less than half of the time where
   * their pages are not in the processor's caches. Counts as a read of every range.
   *
   * @param owners asked about from index {@code from} up to {@code to}
   * @param limit neighbours of each, the first ones of a longer list
   * @param into filled anew; holds all of them at once
   */
  public void neighbours(
      long[] owners, int from, int to, int tagLabel, int limit, Neighbours into) {
    Objects.checkFromToIndex(from, to, owners.length);
    checkOpen();
    for (int i = from; i < to; i++) {
      scope().requireOwner(owners[i]);
    }
    into.clear();
    scans().neighbours(owners, from, to, tagLabel, limit, into);
    checkAge();
  }

  /**
   * Counts as a read of the edge entries of one owner whose tag and label, as unsigned numbers, lie
   * from {@code tagLabelLow} to {@code tagLabelHigh}: for a caller that reads those with each label
   * that there is, so that an entry with a new label is noticed too.
   */
  public void readsEdges(long owner, int tagLabelLow, int tagLabelHigh) {
    checkOpen();
    scope().requireOwner(owner);
    scans().reads(owner, tagLabelLow, tagLabelHigh);
  }

  /** Counts as a read of the edge entries of all owners. */
  public void readsAllEdges() {
    checkRange(KeySpace.EDGES, null, null);
    scans().reads(null, null);
  }

  /** The parallel edge entries between two vertices, lowest sequence first. */
  public EdgeCursor edgesBetween(long owner, int tagLabel, long other, boolean values) {
    byte[] low = EdgeKey.prefix(owner, tagLabel, other);
    byte[] high = EdgeKey.after(low);
    checkRange(KeySpace.EDGES, low, high);
    return scans().edges(owner, low, high, values, ScanOrder.FORWARD);
  }

  /**
   * The parallel edge entries between two vertices, as {@link #edgesBetween} gives them; and lets
   * the commit happen, in every isolation, only if none of them has changed since the snapshot.
   */
  public EdgeCursor guardEdgesBetween(long owner, int tagLabel, long other, boolean values) {
    checkWritable();
    byte[] low = EdgeKey.prefix(owner, tagLabel, other);
    byte[] high = EdgeKey.after(low);
    checkRange(KeySpace.EDGES, low, high);
    reads().addRange(KeySpace.EDGES, low, high);
    return scans().edges(owner, low, high, values, ScanOrder.FORWARD);
  }

  /**
   * All edge entries with this tag, or of any for {@link #ANY_TAG}, in the order of their owners.
   * Counts as a read of all edges: a transaction that writes too excludes all other commits for a
   * moment when it commits.
   */
  public EdgeCursor allEdges(int tag, boolean values) {
    return allEdges(tag, null, values);
  }

  /** All edge entries of any tag, as {@link #allEdges(int, boolean)}, in a steady cursor. */
  public EdgeCursor allSteadyEdges(boolean values) {
    checkRange(KeySpace.EDGES, null, null);
    return scans().steadyEdges(values);
  }

  /**
   * The edge entries with this tag from a key on, as above.
   *
   * @param from null for all
   */
  public EdgeCursor allEdges(int tag, byte[] from, boolean values) {
    checkRange(KeySpace.EDGES, from, null);
    return scans().allEdges(tag, from, values);
  }

  /**
   * All edge entries of some families, and those that this transaction has written, of any. Counts
   * as a read of all edges, as {@link #allEdges} does, and reads the trees of these families alone.
   *
   * @param families their numbers; 0 is that of the labels without one
   */
  public EdgeCursor edgesOf(BitSet families) {
    checkRange(KeySpace.EDGES, null, null);
    return scans().edgesOf(families);
  }

  /**
   * Lets the commit happen, in every isolation, only if the value of a key has not changed since
   * the snapshot.
   */
  public void guard(int tree, byte[] key) {
    checkWritable();
    int space = KeySpace.ofTree(tree);
    checkKey(space, key);
    reads().addRange(space, key, KeySpace.successor(key));
  }

  /**
   * Lets the commit happen, in every isolation, only if no edge entry of this owner whose tag and
   * label, as unsigned numbers, lie from {@code tagLabelLow} to {@code tagLabelHigh} has changed
   * since the snapshot: for a caller that removes a vertex, that nobody adds an edge to it
   * meanwhile.
   */
  public void guardEdges(long owner, int tagLabelLow, int tagLabelHigh) {
    checkWritable();
    byte[] low = EdgeKey.prefix(owner, tagLabelLow);
    byte[] high = EdgeKey.after(EdgeKey.prefix(owner, tagLabelHigh));
    checkRange(KeySpace.EDGES, low, high);
    reads().addRange(KeySpace.EDGES, low, high);
  }

  /**
   * Buffers an edge entry; {@code value} may be empty but not null. The transaction keeps the
   * array.
   */
  public void putEdge(long owner, int tagLabel, long other, int sequence, byte[] value) {
    writePut(KeySpace.EDGES, EdgeKey.encode(owner, tagLabel, other, sequence), value);
  }

  /**
   * Buffers an entry of an index; {@code value} may be empty but not null. The transaction keeps
   * the array.
   */
  public void putEdge(
      long owner, int tagLabel, long sortKey, long other, int sequence, byte[] value) {
    writePut(KeySpace.EDGES, EdgeKey.encode(owner, tagLabel, sortKey, other, sequence), value);
  }

  /**
   * Buffers an edge entry as {@link #putEdge} does, for a caller that knows that there was none
   * with this key at the snapshot but one that has expired: it has looked, or it has reserved the
   * sequence. Then the commit need not look, to keep the degrees of the owner (R43).
   */
  public void putNewEdge(long owner, int tagLabel, long other, int sequence, byte[] value) {
    writeNew(EdgeKey.encode(owner, tagLabel, other, sequence), value);
  }

  /** Buffers an entry of an index that was not there, as above. */
  public void putNewEdge(
      long owner, int tagLabel, long sortKey, long other, int sequence, byte[] value) {
    writeNew(EdgeKey.encode(owner, tagLabel, sortKey, other, sequence), value);
  }

  /** Buffers the removal of an entry of an index. */
  public void deleteEdge(long owner, int tagLabel, long sortKey, long other, int sequence) {
    write(KeySpace.EDGES, EdgeKey.encode(owner, tagLabel, sortKey, other, sequence), null);
  }

  /**
   * Buffers the removals of edge entries, as {@link #deleteEdge} does one after the other; many
   * take less time together.
   *
   * @param keys whole, no two alike; put in order here, and kept by the transaction
   */
  public void deleteEdges(List<byte[]> keys) {
    for (byte[] key : keys) {
      checkWrite(KeySpace.EDGES, key, null);
    }
    keys.sort(Arrays::compareUnsigned);
    writes().removeKeys(KeySpace.EDGES, keys);
  }

  /** Buffers the removal of an edge entry. */
  public void deleteEdge(long owner, int tagLabel, long other, int sequence) {
    write(KeySpace.EDGES, EdgeKey.encode(owner, tagLabel, other, sequence), null);
  }

  /**
   * A sequence for a new edge between two vertices that no other edge between them has or is about
   * to get, until this transaction ends. Reserving is no read: transactions that add parallel edges
   * do not conflict. Numbers that are not used leave gaps.
   *
   * @throws LimitExceededException if the highest number is taken ({@link Limit#PARALLEL_EDGES})
   */
  public int reserveSequence(long owner, int tagLabel, long other) {
    checkWritable();
    scope().requireOwner(owner);
    var pair = new SequenceReservations.Pair(owner, tagLabel, other);
    int sequence = context.reservations().reserve(pair, snapshot());
    if (reserved == null) {
      reserved = new ArrayList<>();
    }
    reserved.add(pair);
    return sequence;
  }

  /** Whether this transaction has buffered an edge entry, not its removal. Is no read. */
  public boolean putsEdge(long owner, int tagLabel, long other, int sequence) {
    return putsEdge(EdgeKey.encode(owner, tagLabel, other, sequence));
  }

  /** Whether this transaction has buffered an edge entry, or its removal. Is no read. */
  public boolean writesEdge(long owner, int tagLabel, long other, int sequence) {
    return writes().space(KeySpace.EDGES) != null
        && writesEdge(EdgeKey.encode(owner, tagLabel, other, sequence));
  }

  /** Whether this transaction has buffered an edge entry, or its removal. Is no read. */
  public boolean writesEdge(byte[] key) {
    return writes().get(KeySpace.EDGES, key) != null;
  }

  /** Whether this transaction has buffered the removal of an edge entry. Is no read. */
  public boolean removesEdge(byte[] key) {
    Write write = writes().get(KeySpace.EDGES, key);
    return write != null && !write.isPut();
  }

  /**
   * Whether this transaction has buffered an edge entry, as above.
   *
   * @param key whole
   */
  public boolean putsEdge(byte[] key) {
    Write write = writes().get(KeySpace.EDGES, key);
    return write != null && write.isPut();
  }

  /**
   * Buffers an increment of a total; {@code counter} is not negative. Increments never conflict.
   *
   * @throws LimitExceededException if this transaction's increments of the total together exceed 63
   *     bits ({@link Limit#COUNTER})
   */
  public void addTotal(int counter, long delta) {
    checkWritable();
    sums().addTotal(counter, delta);
  }

  /**
   * A total at this transaction's snapshot with its own increments. Counts as a read: a transaction
   * that writes too excludes all other commits for a moment when it commits.
   */
  public long total(int counter) {
    checkOpen();
    scope().requireTotal(counter);
    if (remembersAll) {
      reads().addTotal(counter);
    }
    long total = context.totals().read(counter, snapshot());
    checkAge();
    return total + sums().ofTotal(counter);
  }

  /**
   * Buffers an increment of a counter that belongs to a vertex and an edge label. Commits write the
   * value applied last plus their increments, so increments never conflict. Where counters are
   * being built ({@link PartialCounters}), an increment of 0 writes one that is not there.
   *
   * @param increment may be negative; the commit throws IllegalArgumentException if the counter
   *     would fall below zero or exceed 63 bits
   */
  public void addCount(long owner, int label, long increment) {
    checkWritable();
    scope().requireOwner(owner);
    sums().addCount(CounterIncrements.key(owner, label), increment);
  }

  /** Replaces this transaction's increment of a counter, as {@link #addCount} adds to it. */
  public void setCount(long owner, int label, long increment) {
    checkWritable();
    scope().requireOwner(owner);
    sums().setCount(CounterIncrements.key(owner, label), increment);
  }

  /**
   * A counter of a vertex and an edge label with this transaction's own increments; 0 if it was
   * never added to. Counts as a read of the value, with which increments do conflict.
   */
  public long count(long owner, int label) {
    byte[] key = CounterIncrements.key(owner, label);
    return CounterIncrements.decode(lookups.value(KeySpace.EDGES, key)) + sums().ofCount(key);
  }

  /**
   * The number of edge entries of one owner whose tag and label, as unsigned numbers, lie from
   * {@code tagLabelLow} to {@code tagLabelHigh}, both included and of one tag, if the store keeps
   * it: of owners that have trees of their own with many leaves (R36). Counts as a read of the
   * number.
   *
   * @return the number with what this transaction has written; -1 if it is not kept
   */
  public long degree(long owner, int tagLabelLow, int tagLabelHigh) {
    checkOpen();
    scope().requireOwner(owner);
    return context.degrees().read(this, owner, tagLabelLow, tagLabelHigh);
  }

  /** Whether {@link #degree} knows what an owner has. Counts as no read. */
  public boolean keepsDegrees(long owner) {
    checkOpen();
    return context.degrees().areKeptFor(this, owner);
  }

  /** Whether any owner may have degrees that are kept. */
  public boolean hasDegrees() {
    return context.trees().hasDedicated();
  }

  /** The degrees of an owner's entries whose tag and label lie from one to another. */
  EdgeCursor degrees(long owner, int tagLabelLow, int tagLabelHigh) {
    byte[] low = DegreeKey.from(owner, tagLabelLow);
    byte[] high = DegreeKey.after(owner, tagLabelHigh);
    checkRange(KeySpace.EDGES, low, high);
    return scans().edges(owner, low, high, true, ScanOrder.FORWARD);
  }

  /** The value of an entry of an owner, null if it is absent. Counts as a read of the value. */
  byte[] owned(byte[] key) {
    return lookups.value(KeySpace.EDGES, key);
  }

  /**
   * The code of a text, 0 if there is none. That there is none counts as a read: a commit conflicts
   * if the code has been made meanwhile.
   */
  public int findCode(Dictionary.Kind kind, String text) {
    checkOpen();
    return codes().find(kind, text);
  }

  /**
   * The code of a text, made if there is none. If this transaction has looked for the text before
   * and found no code, it has in effect looked for everything that could carry it and found
   * nothing: now that there is a code, that counts as having read all vertices or edges.
   *
   * @throws IllegalArgumentException if the text is empty or longer than 1,024 bytes in UTF-8
   */
  public int code(Dictionary.Kind kind, String text) {
    checkWritable();
    return codes().findOrMake(kind, text);
  }

  /**
   * Makes the writes happen, all or none. When it returns, every transaction that begins later sees
   * them and, with {@link io.bg3.core.commit.Durability#SYNC}, no crash can take them back. An
   * interrupt does not end the wait; the flag is set again afterwards.
   *
   * @throws ConflictException if what was read or overwritten has changed; nothing was done, and it
   *     can be done again
   * @throws SnapshotTooOldException if it was open for too long; nothing was done
   * @throws io.bg3.storage.memory.MemoryExceededException if the memory budget does not suffice;
   *     nothing was done, the transaction is still open
   * @throws LimitExceededException if it writes more than a commit may; nothing was done, the
   *     transaction is still open
   * @throws SchemaChangedException if index entries have to be made again ({@link #madeEntriesAt}),
   *     schemas have to be looked at again ({@link #metRulesAt}), or edges have to be counted or
   *     added to orders again ({@link #countedAt}, {@link #orderedAt}); nothing was done, the
   *     transaction is still open
   * @throws io.bg3.core.commit.StoreFailedException if the store has stopped writing; nothing was
   *     done
   * @throws io.bg3.core.commit.OutcomeUnknownException if the log failed while the commit was under
   *     way
   * @throws io.bg3.storage.WouldWaitException if the thread may not wait and would have to (R58);
   *     nothing was done
   * @throws IllegalStateException if the transaction has ended, or is that of an update
   */
  public void commit() {
    requireNoUpdate();
    context.visibility().await(apply());
  }

  /**
   * Makes the writes happen as {@link #commit()} does, and returns when they are in the pages,
   * without waiting until they are visible and durable. If they are not, {@code listener} is told
   * when they are (R59).
   *
   * @param listener is told nothing if this throws
   */
  public void commitUnawaited(CommitListener listener) {
    requireNoUpdate();
    context.visibility().awaitBy(listener, apply());
  }

  private void requireNoUpdate() {
    if (scope().isUpdate()) {
      throw new IllegalStateException("an update commits when its work has returned: " + this);
    }
  }

  /** Commits as far as the pages; what is to be waited for, null if nothing was written. */
  PendingCommit apply() {
    checkOpen();
    closeScans();
    PendingCommit commit = null;
    try {
      if (hasWrites()) {
        claim.keep(); // validation needs the versions above the snapshot
        commit = context.committer().commit(this);
      }
    } catch (MemoryExceededException | LimitExceededException | SchemaChangedException e) {
      claim.unkeep();
      throw e; // still open
    } catch (RuntimeException | Error e) {
      end(State.ROLLED_BACK);
      throw e;
    }
    end(State.COMMITTED);
    return commit;
  }

  /** Drops the writes and ends the transaction. Does nothing when it has ended. */
  public void rollback() {
    if (state == State.OPEN) {
      closeScans();
      end(State.ROLLED_BACK);
    }
  }

  /** Rolls back, as {@link #rollback} does. */
  @Override
  public void close() {
    rollback();
  }

  private void writePut(int space, byte[] key, byte[] value) {
    requireValue(space, key, value);
    write(space, key, value);
  }

  private void writeNew(byte[] key, byte[] value) {
    requireValue(KeySpace.EDGES, key, value);
    checkWrite(KeySpace.EDGES, key, value);
    writes().addNew(KeySpace.EDGES, key, value);
  }

  private static void requireValue(int space, byte[] key, byte[] value) {
    if (value == null) {
      throw new IllegalArgumentException(
          "a value must not be null: " + KeySpace.describe(space, key, KeySpace.successor(key)));
    }
  }

  private void write(int space, byte[] key, byte[] value) {
    checkWrite(space, key, value);
    writes().add(space, key, value);
  }

  private void checkWrite(int space, byte[] key, byte[] value) {
    checkWritable();
    checkKey(space, key);
    if (CounterIncrements.isCounter(space, key)) {
      throw new IllegalArgumentException(
          "a counter is only added to: " + KeySpace.describe(space, key, KeySpace.successor(key)));
    }
    CommitRecord.check(space, key, value);
  }

  /** The value of a key in the trees. */
  byte[] valueAt(byte[] key, int space) {
    return lookups.applied(space, key);
  }

  /** The look-ups of single keys, and of values of which a scan has copied the locations. */
  PointReads lookups() {
    return lookups;
  }

  /**
   * Called after what was read from pages and before anybody sees it: what a transaction that is
   * too old has read may lack versions.
   */
  void checkAge() {
    claim.check();
  }

  private void end(State how) {
    state = how;
    if (reserved != null) {
      for (SequenceReservations.Pair pair : reserved) {
        context.reservations().drop(pair);
      }
    }
    claim.release();
  }

  private CodeLookups codes() {
    if (codes == null) {
      codes = new CodeLookups(context.dictionary(), reads(), strict);
    }
    return codes;
  }

  private TransactionScans scans() {
    if (scans == null) {
      scans = new TransactionScans(this, context.trees(), claim, remembersAll ? reads() : null);
    }
    return scans;
  }

  private void closeScans() {
    if (scans != null) {
      scans.close();
    }
  }

  private void checkOpen() {
    if (state != State.OPEN) {
      throw new IllegalStateException("the transaction has ended: " + this);
    }
  }

  /** Throws if it has ended or may not touch the key. */
  void checkKey(int space, byte[] key) {
    checkOpen();
    scope().require(space, key);
  }

  private void checkRange(int space, byte[] low, byte[] high) {
    checkOpen();
    scope().require(space, low, high);
  }

  private void checkWritable() {
    checkOpen();
    if (readOnly) {
      throw new IllegalStateException("the transaction is read-only: " + this);
    }
  }

  @Override
  public String toString() {
    return "Transaction[snapshot="
        + snapshot()
        + ", state="
        + state
        + ", readOnly="
        + readOnly
        + "]";
  }
}

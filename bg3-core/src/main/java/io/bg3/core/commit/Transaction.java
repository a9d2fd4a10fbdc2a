package io.bg3.core.commit;

/**
 * One transaction: reads at its snapshot, its own writes visible to itself and buffered until the
 * commit.
 *
 * <p>Trees with byte keys are named by their ids ({@code TreeIds}); edges are named by owner, tag
 * and label, other end and sequence, and which tree holds them is no business of the caller. What
 * is read is remembered, so that a commit with {@link Isolation#STRICT} happens only if nothing of
 * it has changed; reads of a read-only transaction are not remembered.
 *
 * <p>Every transaction ends with {@link #commit} or {@link #rollback}, also after an exception:
 * until then it holds back the removal of old versions. {@link #commit} ends it in any case,
 * whether it returns or throws, except for {@code MemoryExceededException}, after which it is still
 * open and can be committed again or rolled back.
 *
 * <p>Threads: one at a time.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class Transaction implements AutoCloseable {
  Transaction() {}

  /** The timestamp at which this transaction reads: it sees exactly the commits at or below it. */
  public long snapshot() {
    throw new UnsupportedOperationException();
  }

  /** Whether it has neither been committed nor rolled back. */
  public boolean isOpen() {
    throw new UnsupportedOperationException();
  }

  /** Whether it was begun read-only: then it must not write. */
  public boolean isReadOnly() {
    throw new UnsupportedOperationException();
  }

  /** Whether it has buffered a write or an increment of a total. */
  public boolean hasWrites() {
    throw new UnsupportedOperationException();
  }

  /**
   * The value of a key, null if it is absent. Counts as a read of the value. The caller must not
   * change the array.
   */
  public byte[] get(int tree, byte[] key) {
    throw new UnsupportedOperationException();
  }

  /**
   * Whether a key is present. Counts as a read of existence only: a changed value is no conflict.
   */
  public boolean exists(int tree, byte[] key) {
    throw new UnsupportedOperationException();
  }

  /**
   * The entries with {@code low <= key < high}; null stands for an open end. What the cursor has
   * passed counts as a read of that range.
   */
  public ByteCursor scan(int tree, byte[] low, byte[] high, Order order) {
    throw new UnsupportedOperationException();
  }

  /**
   * Buffers a value for a key. The transaction keeps both arrays; the caller must not change them
   * afterwards.
   */
  public void put(int tree, byte[] key, byte[] value) {
    throw new UnsupportedOperationException();
  }

  /** Buffers the removal of a key. The transaction keeps the array. */
  public void delete(int tree, byte[] key) {
    throw new UnsupportedOperationException();
  }

  /** Whether an edge entry is present. Counts as a read of existence only. */
  public boolean edgeExists(long owner, int tagLabel, long other, int sequence) {
    throw new UnsupportedOperationException();
  }

  /** The value of an edge entry, null if the entry is absent. Counts as a read of the value. */
  public byte[] edgeValue(long owner, int tagLabel, long other, int sequence) {
    throw new UnsupportedOperationException();
  }

  /**
   * The edge entries of one owner whose tag and label, as unsigned numbers, lie from {@code
   * tagLabelLow} to {@code tagLabelHigh}, both included, in the order of the keys or its reverse.
   */
  public EdgeCursor edges(
      long owner, int tagLabelLow, int tagLabelHigh, boolean values, Order order) {
    throw new UnsupportedOperationException();
  }

  /** The parallel edge entries between two vertices, lowest sequence first. */
  public EdgeCursor edgesBetween(long owner, int tagLabel, long other, boolean values) {
    throw new UnsupportedOperationException();
  }

  /**
   * All edge entries with this tag (0 out, 1 in, 2 index), in the order of their owners. Counts as
   * a read of all edges: a transaction that writes too excludes all other commits for a moment when
   * it commits.
   */
  public EdgeCursor allEdges(int tag, boolean values) {
    throw new UnsupportedOperationException();
  }

  /**
   * Buffers an edge entry; {@code value} may be empty but not null. The transaction keeps the
   * array.
   */
  public void putEdge(long owner, int tagLabel, long other, int sequence, byte[] value) {
    throw new UnsupportedOperationException();
  }

  /** Buffers the removal of an edge entry. */
  public void deleteEdge(long owner, int tagLabel, long other, int sequence) {
    throw new UnsupportedOperationException();
  }

  /**
   * A sequence for a new edge between two vertices that no other edge between them has or is about
   * to get, until this transaction ends. Reserving is no read: transactions that add parallel edges
   * do not conflict. Numbers that are not used leave gaps.
   */
  public int reserveSequence(long owner, int tagLabel, long other) {
    throw new UnsupportedOperationException();
  }

  /**
   * Buffers an increment of a total; {@code counter} is not negative. Increments never conflict.
   */
  public void addTotal(int counter, long delta) {
    throw new UnsupportedOperationException();
  }

  /**
   * A total at this transaction's snapshot with its own increments. Counts as a read: a transaction
   * that writes too excludes all other commits for a moment when it commits.
   */
  public long total(int counter) {
    throw new UnsupportedOperationException();
  }

  /**
   * The code of a text, 0 if there is none. That there is none counts as a read: a commit conflicts
   * if the code has been made meanwhile.
   */
  public int findCode(Dictionary.Kind kind, String text) {
    throw new UnsupportedOperationException();
  }

  /**
   * Makes the writes happen, all or none. When it returns, every transaction that begins later sees
   * them and, with {@link Durability#SYNC}, no crash can take them back. An interrupt does not end
   * the wait; the flag is set again afterwards.
   *
   * @throws ConflictException if what was read or overwritten has changed; nothing was done, and it
   *     can be done again
   * @throws io.bg3.storage.memory.MemoryExceededException if the memory budget does not suffice;
   *     nothing was done, the transaction is still open
   * @throws StoreFailedException if the store has stopped writing; nothing was done
   * @throws OutcomeUnknownException if the log failed while the commit was under way
   * @throws IllegalStateException if the transaction has ended
   */
  public void commit() {
    throw new UnsupportedOperationException();
  }

  /** Drops the writes and ends the transaction. Does nothing when it has ended. */
  public void rollback() {
    throw new UnsupportedOperationException();
  }

  /** The same as {@link #rollback}. */
  @Override
  public void close() {
    rollback();
  }
}

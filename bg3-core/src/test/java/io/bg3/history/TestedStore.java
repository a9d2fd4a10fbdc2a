package io.bg3.history;

/**
 * The operations that a load needs of a store: lists, sets and counts by key, and transactions over
 * them. Threads: all of them.
 */
public interface TestedStore {
  /** Begins a transaction; a read-only one will not be asked to write. */
  Transaction begin(boolean readOnly);

  /** A transaction of the tested store. Threads: one. */
  interface Transaction {
    /** The list of the key as this transaction sees it, own appends included. */
    int[] list(long key);

    /** Appends to the list of the key. */
    void append(long key, int value);

    /** Every list that is not empty with low &lt;= key &lt; high. */
    Rows lists(long low, long high);

    /** The set of the key as this transaction sees it, own members included. */
    int[] set(long key);

    /** Adds to the set of the key without reading it. */
    void add(long key, int value);

    /** Every set that is not empty with low &lt;= key &lt; high. */
    Rows sets(long low, long high);

    /** A count that is kept beside other things and goes up by {@link #increment}. */
    int count(long key);

    /** Adds one to a count; the value that stands for it is not stored. */
    void increment(long key);

    /** Commits, and says what is known about it; the transaction is over whatever that is. */
    Outcome commit();

    /** Gives up. */
    void rollback();
  }

  /** The answer of a range, keys ascending. */
  final class Rows {
    /** The keys. */
    public final long[] keys;

    /** The values of each key. */
    public final int[][] values;

    /** Takes both arrays over. */
    public Rows(long[] keys, int[][] values) {
      this.keys = keys;
      this.values = values;
    }
  }

  /**
   * Thrown by an operation when the store refuses to go on with the transaction, which is then
   * rolled back.
   */
  final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** With what the store said. */
    public Refused(Throwable cause) {
      super(cause);
    }
  }
}

package io.bg3.bench.store;

/** Writes edges in transactions. One thread. */
public interface StoreWriter extends AutoCloseable {
  /**
   * Adds an edge to the transaction, or replaces its value.
   *
   * @param value its first {@code length} bytes; it may be reused after the call
   */
  void put(long owner, int label, long other, byte[] value, int length);

  /** Makes what was put happen, and waits as long as the store's durability says. */
  void commit();

  @Override
  void close();
}

package io.bg3.bench.work;

/** The operations of one thread of several, for as long as a round takes. */
interface Session extends AutoCloseable {
  /**
   * Does one operation.
   *
   * @return false if there is none left; it has done nothing then
   */
  boolean next();

  @Override
  void close();
}

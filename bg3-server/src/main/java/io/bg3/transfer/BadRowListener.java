package io.bg3.transfer;

/** Receives the rows that a load skips. */
public interface BadRowListener {
  /**
   * Receives a bad row.
   *
   * @throws BadRowException if there are more bad rows than the limit allows
   */
  void report(BadRow row) throws BadRowException;
}

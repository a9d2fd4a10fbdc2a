package io.bg3.transfer;

/** Who is told of rows that are left out. */
public interface BadRows {
  /**
   * Takes notice of a bad row.
   *
   * @throws BadRowException if that is not to be put up with
   */
  void report(BadRow row) throws BadRowException;
}

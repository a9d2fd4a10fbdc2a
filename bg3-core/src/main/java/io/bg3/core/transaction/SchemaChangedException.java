package io.bg3.core.transaction;

/**
 * An index was registered or dropped since a transaction made the index entries of its writes.
 * Nothing was done, and the transaction is still open: it makes the entries again and commits.
 */
public final class SchemaChangedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SchemaChangedException() {
    super("the entries of indexes have to be made again", null, false, false);
  }
}

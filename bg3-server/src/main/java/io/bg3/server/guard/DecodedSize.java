package io.bg3.server.guard;

/**
 * What reading a message makes of it. An estimate from above, from the bytes of the message alone,
 * so that a server can count what it keeps before it reads it.
 *
 * @param values how many values the message has, also those that hold others
 * @param bytes how much heap they take, at most, while they are kept
 */
record DecodedSize(long values, long bytes) {
  /** An object of a fixed size or an empty text, and the reference to it. */
  private static final int VALUE = 64;

  /** A list without its elements: itself and its array, or an instruction of a query. */
  private static final int LIST = 64;

  /** A map or a set without its entries, with the least table. */
  private static final int HASHED = 208;

  /** An entry of a hash table, and its share of a table that is half empty. */
  private static final int ENTRY = 72;

  /** A text takes two bytes for each of a message at most; a name is a text with its headers. */
  private static final int BYTES_A_BYTE = 2;

  /** Adds up while a message is walked. */
  static final class Counter {
    private long values;
    private long bytes;

    /** Counts a value of any kind; what it holds is counted beside it. */
    void value() {
      values++;
      bytes += VALUE;
    }

    /** Counts a list, whose elements are values. */
    void list() {
      bytes += LIST;
    }

    /** Counts a map or a set, whose keys and elements are values. */
    void hashed() {
      bytes += HASHED;
    }

    /** Counts entries of a map or a set. */
    void entries(long count) {
      bytes += count * ENTRY;
    }

    /** Counts bytes of the message that are kept as they are: texts, long numbers. */
    void bytes(long length) {
      bytes += BYTES_A_BYTE * length;
    }

    DecodedSize size() {
      return new DecodedSize(values, bytes);
    }
  }
}

package io.bg3.server.guard;

import java.util.List;
import java.util.Map;

/**
 * The heap that a decoded message takes: an upper estimate from the bytes of the message alone, so
 * that the server can reserve the memory before it decodes the message.
 *
 * @param values the number of values in the message, containers included
 * @param bytes the most heap that the decoded values take, in bytes
 */
public record DecodedSize(long values, long bytes) {
  /** An object of fixed size or an empty string, with the reference to it, in bytes. */
  private static final int VALUE = 64;

  /** A list with its array but without its elements, or an instruction of a query, in bytes. */
  private static final int LIST = 64;

  /** A map or set with the smallest table but without its entries, in bytes. */
  private static final int HASHED = 208;

  /** An entry of a hash table, with its share of a table that is half empty, in bytes. */
  private static final int ENTRY = 72;

  /**
   * Heap bytes per byte of a string: each byte of UTF-8 decodes to at most one two-byte character.
   */
  private static final int BYTES_A_BYTE = 2;

  /** The heap that a value of strings, numbers, lists and maps takes, in bytes. */
  public static long of(Object value) {
    if (value instanceof CharSequence text) {
      return VALUE + (long) BYTES_A_BYTE * text.length();
    }
    long bytes = VALUE;
    if (value instanceof List<?> list) {
      bytes += LIST;
      for (Object element : list) {
        bytes += of(element);
      }
    } else if (value instanceof Map<?, ?> map) {
      bytes += HASHED + (long) ENTRY * map.size();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        bytes += of(entry.getKey()) + of(entry.getValue());
      }
    }
    return bytes;
  }

  /** Adds up the estimate while a validator walks the message. Threads: one. */
  static final class Counter {
    private long values;
    private long bytes;

    /** Counts one value of any kind. The caller counts the content of a container separately. */
    void value() {
      values++;
      bytes += VALUE;
    }

    /** Counts a list. The caller counts each element as a value. */
    void list() {
      bytes += LIST;
    }

    /** Counts a map or a set. The caller counts each key and element as a value. */
    void hashed() {
      bytes += HASHED;
    }

    /** Counts the table entries of a map or a set. */
    void entries(long count) {
      bytes += count * ENTRY;
    }

    /** Counts bytes of the message that the decoded value keeps: strings and big numbers. */
    void bytes(long length) {
      bytes += BYTES_A_BYTE * length;
    }

    DecodedSize size() {
      return new DecodedSize(values, bytes);
    }
  }
}

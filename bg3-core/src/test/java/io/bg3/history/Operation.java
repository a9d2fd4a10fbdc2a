package io.bg3.history;

import java.util.Arrays;

/**
 * One thing that a transaction did, and what it got. Immutable; the arrays belong to it from then
 * on.
 */
public final class Operation {
  /** The kinds of operations. */
  public enum Kind {
    /** Appended (or, for a set, added) {@link #values}[0] to {@link #key}. */
    APPEND,
    /** Read the list of {@link #key}: {@link #values}, in order. */
    READ,
    /** Read the set of {@link #key}: {@link #values}, in any order. */
    SET,
    /** Read how many values {@link #key} has: {@link #values}[0]. */
    COUNT,
    /**
     * Read all lists with {@link #key} &lt;= key &lt; {@link #high}: {@link #keys} and {@link
     * #rows}.
     */
    RANGE,
    /**
     * Read all sets with {@link #key} &lt;= key &lt; {@link #high}: {@link #keys} and {@link
     * #rows}.
     */
    SET_RANGE
  }

  final Kind kind;
  final long key;
  final long high;
  final int[] values;
  final long[] keys;
  final int[][] rows;

  private Operation(Kind kind, long key, long high, int[] values, long[] keys, int[][] rows) {
    this.kind = kind;
    this.key = key;
    this.high = high;
    this.values = values;
    this.keys = keys;
    this.rows = rows;
  }

  static Operation one(Kind kind, long key, int... values) {
    return new Operation(kind, key, key, values, null, null);
  }

  static Operation range(Kind kind, long low, long high, long[] keys, int[][] rows) {
    if (keys.length != rows.length) {
      throw new IllegalArgumentException("range: keys=" + keys.length + ", rows=" + rows.length);
    }
    return new Operation(kind, low, high, null, keys, rows);
  }

  @Override
  public String toString() {
    return switch (kind) {
      case APPEND -> "append(" + key + ", " + values[0] + ")";
      case READ -> "read(" + key + ") = " + Arrays.toString(values);
      case SET -> "set(" + key + ") = " + Arrays.toString(values);
      case COUNT -> "count(" + key + ") = " + values[0];
      case RANGE, SET_RANGE -> {
        StringBuilder text = new StringBuilder();
        text.append(kind == Kind.RANGE ? "range[" : "sets[");
        text.append(key).append(", ").append(high).append(") = {");
        for (int i = 0; i < keys.length; i++) {
          text.append(i == 0 ? "" : ", ")
              .append(keys[i])
              .append(": ")
              .append(Arrays.toString(rows[i]));
        }
        yield text.append("}").toString();
      }
    };
  }
}

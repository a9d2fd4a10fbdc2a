package io.bg3.gremlin.process.computer;

import java.util.Arrays;

/**
 * The values of one block of a column. While all are of class Double, Long or Integer they take the
 * width of the number; once one is of another class, each takes a reference.
 *
 * <p>Threads: one at a time.
 */
final class Cells {
  private enum Kind {
    NONE,
    DOUBLE,
    LONG,
    INTEGER,
    OBJECT
  }

  private final int size;
  private final long[] present;
  private Kind kind = Kind.NONE;
  private double[] doubles;
  private long[] longs;
  private int[] integers;
  private Object[] objects;

  Cells(int size) {
    this.size = size;
    this.present = new long[(size + Long.SIZE - 1) / Long.SIZE];
  }

  boolean has(int place) {
    return (present[place >> 6] & 1L << place) != 0;
  }

  /** The value, null if there is none. */
  Object get(int place) {
    if (!has(place)) {
      return null;
    }
    return switch (kind) {
      case DOUBLE -> doubles[place];
      case LONG -> (Object) longs[place];
      case INTEGER -> (Object) integers[place];
      case OBJECT -> objects[place];
      case NONE -> throw new AssertionError("present without a kind: place=" + place);
    };
  }

  /** Stores a value that is not null in the place of the one that is there. */
  void set(int place, Object value) {
    if (kind != Kind.OBJECT) {
      Kind wanted = kindOf(value);
      if (wanted != kind) {
        become(kind == Kind.NONE ? wanted : Kind.OBJECT);
      }
    }
    switch (kind) {
      case DOUBLE -> doubles[place] = (Double) value;
      case LONG -> longs[place] = (Long) value;
      case INTEGER -> integers[place] = (Integer) value;
      default -> objects[place] = value;
    }
    present[place >> 6] |= 1L << place;
  }

  void remove(int place) {
    present[place >> 6] &= ~(1L << place);
    if (kind == Kind.OBJECT) {
      objects[place] = null;
    }
  }

  /** Removes all values and keeps the room of numbers for those that come. */
  void clear() {
    Arrays.fill(present, 0);
    if (kind == Kind.OBJECT) {
      objects = null;
      kind = Kind.NONE;
    }
  }

  private static Kind kindOf(Object value) {
    if (value instanceof Double) {
      return Kind.DOUBLE;
    }
    if (value instanceof Long) {
      return Kind.LONG;
    }
    return value instanceof Integer ? Kind.INTEGER : Kind.OBJECT;
  }

  private void become(Kind wanted) {
    switch (wanted) {
      case DOUBLE -> doubles = new double[size];
      case LONG -> longs = new long[size];
      case INTEGER -> integers = new int[size];
      default -> {
        Object[] all = new Object[size];
        for (int i = 0; i < size; i++) {
          all[i] = get(i);
        }
        objects = all;
        doubles = null;
        longs = null;
        integers = null;
      }
    }
    kind = wanted;
  }
}

package io.bg3.core.block;

import java.util.Arrays;
import java.util.List;

/**
 * The columns of a block in their order, without gaps: what {@link ColumnPacking} has to know of
 * it. A block's writer describes it once; the packed bytes repeat the description, so that
 * unpacking needs none.
 */
public final class Columns {
  /** The content of a column, with the code that stands for it on the disk. */
  enum Kind {
    /** Bytes that stay as they are. */
    RAW(0, 1),
    /** Bytes of which many are zero. */
    SPARSE(1, 1),
    /** Numbers of 1, 2, 4 and 8 bytes. */
    BYTES(2, 1),
    SHORTS(3, 2),
    INTS(4, 4),
    LONGS(5, 8),
    /** Commit stamps: milliseconds above 20 bits of a counter. */
    STAMPS(6, 8),
    /** Rows of an owner, a tag with a label and an index. */
    RUNS(7, 16);

    private static final Kind[] BY_CODE = values();

    final int code;

    /** Bytes of a row in memory. */
    final int bytes;

    Kind(int code, int bytes) {
      this.code = code;
      this.bytes = bytes;
    }

    /** The numbers of a row, in their order; none if the bytes are not numbers. */
    List<Field> fields() {
      return switch (this) {
        case RAW, SPARSE -> List.of();
        case BYTES -> List.of(Field.BYTE);
        case SHORTS -> List.of(Field.SHORT);
        case INTS -> List.of(Field.INT);
        case LONGS -> List.of(Field.LONG);
        case STAMPS -> List.of(Field.MILLIS, Field.COUNTER);
        case RUNS -> List.of(Field.LONG, Field.TAG_LABEL, Field.INT);
      };
    }

    static Kind of(int code) {
      return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }
  }

  /** A number of a row. */
  enum Field {
    BYTE(1),
    SHORT(2),
    INT(4),
    LONG(8),
    TAG_LABEL(4), // two bits of the tag above the label change places with it
    MILLIS(0), // at the place of the counter, which comes next
    COUNTER(8);

    /** The distance to the next field of the row. */
    final int bytes;

    Field(int bytes) {
      this.bytes = bytes;
    }
  }

  private Kind[] kinds = new Kind[12];
  private int[] counts = new int[12];
  private int size;
  private int length;

  /** Adds bytes that stay as they are. */
  public Columns raw(int bytes) {
    return add(Kind.RAW, bytes);
  }

  /** Adds bytes of which many are zero. */
  public Columns sparse(int bytes) {
    return add(Kind.SPARSE, bytes);
  }

  /** Adds numbers of 1 byte. */
  public Columns bytes(int count) {
    return add(Kind.BYTES, count);
  }

  /** Adds numbers of 4 bytes. */
  public Columns ints(int count) {
    return add(Kind.INTS, count);
  }

  /** Adds numbers of 2 or of 4 bytes. */
  public Columns indexes(int count, int width) {
    return add(width == Short.BYTES ? Kind.SHORTS : Kind.INTS, count);
  }

  /** Adds numbers of 8 bytes. */
  public Columns longs(int count) {
    return add(Kind.LONGS, count);
  }

  /** Adds commit stamps. */
  public Columns stamps(int count) {
    return add(Kind.STAMPS, count);
  }

  /** Adds rows of an owner, a tag with a label and an index. */
  public Columns runs(int count) {
    return add(Kind.RUNS, count);
  }

  /** Adds what remains of a block of this length. */
  public Columns rest(int blockLength) {
    return raw(blockLength - length);
  }

  /** Bytes of all columns. */
  public int length() {
    return length;
  }

  int size() {
    return size;
  }

  Kind kind(int i) {
    return kinds[i];
  }

  int count(int i) {
    return counts[i];
  }

  private Columns add(Kind kind, int count) {
    if (count < 0) {
      throw new IllegalArgumentException("no column: kind=" + kind + ", count=" + count);
    } else if (count > 0) {
      if (size == kinds.length) {
        kinds = Arrays.copyOf(kinds, 2 * size);
        counts = Arrays.copyOf(counts, 2 * size);
      }
      kinds[size] = kind;
      counts[size] = count;
      size++;
      length += kind.bytes * count;
    }
    return this;
  }
}

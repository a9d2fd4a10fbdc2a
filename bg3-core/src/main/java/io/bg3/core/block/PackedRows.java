package io.bg3.core.block;

import io.bg3.core.block.Columns.Field;
import io.bg3.core.block.Columns.Kind;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.Varints;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Packs the rows of a column of numbers: each number of a row, for all rows, in groups of {@value
 * #GROUP} rows of which the last one is shorter. {@link ColumnPacking} has the layout of a group.
 *
 * <p>Threads: an object belongs to one.
 */
final class PackedRows {
  /** Rows of a group: few enough for one width, enough for the base not to count. */
  static final int GROUP = 128;

  /** Bits of a stamp that count the commits of a millisecond. */
  static final int COUNTER_BITS = 20;

  static final long COUNTER_MASK = (1L << COUNTER_BITS) - 1;

  /** Bits of the tag above a label. */
  private static final int TAG_BITS = 2;

  private static final int DIFFERENCES = 0x80;
  private static final long INT_MASK = 0xFFFFFFFFL;

  /** A number of any width, at any bit, is read by one load of this many bytes. */
  private static final int LOAD = Long.BYTES + 1;

  private final long[] numbers = new long[GROUP];

  /** Subtracted from the milliseconds of stamps. */
  private long millis;

  /** Bytes of a group's rest and, behind them, enough for a load of its last number. */
  private final ByteBuffer tail =
      ByteBuffer.allocate(GROUP * Long.BYTES + LOAD).order(ByteOrder.LITTLE_ENDIAN);

  /** The most bytes that some rows take. */
  static long bound(Kind kind, long count) {
    long groups = Math.max(1, kind.fields().size()) * (count / GROUP + 1);
    // MILLIS has 44 bits and COUNTER 20, so the two of a stamp are no longer than it was.
    return kind.bytes * count + count / Byte.SIZE + 1 + groups * (1 + Varints.MAX_BYTES + 1);
  }

  /** Says what is subtracted from the milliseconds of stamps; 0 if nobody says anything. */
  void relativeTo(long milliseconds) {
    millis = milliseconds;
  }

  /** Packs a single row without the mode and the base of a group: its numbers as signed varints. */
  void packOne(ByteBuffer block, int at, Kind kind, ByteBuffer packed) {
    int fieldAt = at;
    for (Field field : kind.fields()) {
      read(block, fieldAt, kind.bytes, field, 1);
      Varints.putSigned(packed, numbers[0]);
      fieldAt += field.bytes;
    }
  }

  /**
   * Unpacks what {@link #packOne} packed.
   *
   * @throws CorruptionException if the packed bytes end before, or a number does not fit its field
   */
  void unpackOne(ByteBuffer packed, ByteBuffer block, int at, Kind kind) {
    int fieldAt = at;
    for (Field field : kind.fields()) {
      int start = packed.position();
      numbers[0] = Varints.getSigned(packed);
      if (!write(block, fieldAt, kind.bytes, field, 1)) {
        throw tooLarge(start, field);
      }
      fieldAt += field.bytes;
    }
  }

  private static CorruptionException tooLarge(int start, Field field) {
    return new CorruptionException("packed", start, "numbers of " + field, "larger ones");
  }

  /** Packs rows, the first of which is at {@code at}. */
  void pack(ByteBuffer block, int at, Kind kind, int count, ByteBuffer packed) {
    int fieldAt = at;
    for (Field field : kind.fields()) {
      long before = 0;
      for (int from = 0; from < count; from += GROUP) {
        int n = Math.min(GROUP, count - from);
        read(block, fieldAt + from * kind.bytes, kind.bytes, field, n);
        long last = numbers[n - 1];
        packGroup(n, before, packed);
        before = last;
      }
      fieldAt += field.bytes;
    }
  }

  /** Packs {@link #numbers}, which are no longer the same afterwards. */
  private void packGroup(int n, long before, ByteBuffer packed) {
    long least = Long.MAX_VALUE;
    long most = Long.MIN_VALUE;
    long leastStep = Long.MAX_VALUE;
    long mostStep = Long.MIN_VALUE;
    long previous = before;
    for (int i = 0; i < n; i++) {
      long number = numbers[i];
      long step = number - previous;
      least = Math.min(least, number);
      most = Math.max(most, number);
      leastStep = Math.min(leastStep, step);
      mostStep = Math.max(mostStep, step);
      previous = number;
    }
    int width = width(most - least);
    int stepWidth = width(mostStep - leastStep);
    int bitsOfNumbers = width * n + Byte.SIZE * Varints.sizeSigned(least);
    int bitsOfSteps = stepWidth * n + Byte.SIZE * Varints.sizeSigned(leastStep);
    boolean steps = bitsOfSteps < bitsOfNumbers;
    if (steps) {
      previous = before;
      for (int i = 0; i < n; i++) {
        long number = numbers[i];
        numbers[i] = number - previous;
        previous = number;
      }
    }
    long base = steps ? leastStep : least;
    int bits = steps ? stepWidth : width;
    packed.put((byte) (steps ? bits | DIFFERENCES : bits));
    Varints.putSigned(packed, base);
    if (bits > 0) {
      writeBits(n, base, bits, packed);
    }
  }

  private void writeBits(int n, long base, int width, ByteBuffer packed) {
    long word = 0;
    int filled = 0;
    for (int i = 0; i < n; i++) {
      long number = numbers[i] - base;
      word |= number << filled;
      if (filled + width >= Long.SIZE) {
        packed.putLong(word);
        int written = Long.SIZE - filled;
        word = written == Long.SIZE ? 0 : number >>> written;
        filled = width - written;
      } else {
        filled += width;
      }
    }
    for (; filled > 0; filled -= Byte.SIZE) {
      packed.put((byte) word);
      word >>>= Byte.SIZE;
    }
  }

  /**
   * Unpacks rows.
   *
   * @throws CorruptionException if the packed bytes end before, or a number does not fit its field
   */
  void unpack(ByteBuffer packed, ByteBuffer block, int at, Kind kind, int count) {
    int fieldAt = at;
    for (Field field : kind.fields()) {
      long before = 0;
      for (int from = 0; from < count; from += GROUP) {
        int n = Math.min(GROUP, count - from);
        int start = packed.position();
        unpackGroup(n, before, packed);
        before = numbers[n - 1];
        if (!write(block, fieldAt + from * kind.bytes, kind.bytes, field, n)) {
          throw tooLarge(start, field);
        }
      }
      fieldAt += field.bytes;
    }
  }

  private void unpackGroup(int n, long before, ByteBuffer packed) {
    int start = packed.position();
    require(packed, 1);
    int mode = packed.get() & 0xFF;
    int width = mode & ~DIFFERENCES;
    if (width > Long.SIZE) {
      throw new CorruptionException("packed", start, "a width up to 64", Integer.toString(width));
    }
    long base = Varints.getSigned(packed);
    int bytes = (n * width + Byte.SIZE - 1) / Byte.SIZE;
    require(packed, bytes);
    int from = packed.position();
    if (packed.limit() - from >= bytes + LOAD) {
      readBits(packed, from, n, base, width);
    } else {
      tail.put(0, packed, from, bytes);
      readBits(tail, 0, n, base, width);
    }
    packed.position(from + bytes);
    if ((mode & DIFFERENCES) != 0) {
      long sum = before;
      for (int i = 0; i < n; i++) {
        sum += numbers[i];
        numbers[i] = sum;
      }
    }
  }

  private void readBits(ByteBuffer from, int at, int n, long base, int width) {
    if (width == 0) {
      for (int i = 0; i < n; i++) {
        numbers[i] = base;
      }
      return;
    }
    long mask = -1L >>> (Long.SIZE - width);
    int bit = 0;
    if (width <= Long.SIZE - Byte.SIZE) {
      for (int i = 0; i < n; i++) {
        numbers[i] = base + (from.getLong(at + (bit >>> 3)) >>> (bit & 7) & mask);
        bit += width;
      }
      return;
    }
    for (int i = 0; i < n; i++) {
      int shift = bit & 7;
      int byteAt = at + (bit >>> 3);
      long low = from.getLong(byteAt) >>> shift;
      long high = shift == 0 ? 0 : (long) from.get(byteAt + Long.BYTES) << (Long.SIZE - shift);
      numbers[i] = base + ((low | high) & mask);
      bit += width;
    }
  }

  /** Reads a field of some rows into {@link #numbers}. */
  private void read(ByteBuffer from, int at, int stride, Field field, int n) {
    switch (field) {
      case BYTE -> {
        for (int i = 0; i < n; i++) {
          numbers[i] = from.get(at + i * stride) & 0xFF;
        }
      }
      case SHORT -> {
        for (int i = 0; i < n; i++) {
          numbers[i] = from.getShort(at + i * stride) & 0xFFFF;
        }
      }
      case INT -> {
        for (int i = 0; i < n; i++) {
          numbers[i] = from.getInt(at + i * stride);
        }
      }
      case LONG -> {
        for (int i = 0; i < n; i++) {
          numbers[i] = from.getLong(at + i * stride);
        }
      }
      case TAG_LABEL -> {
        for (int i = 0; i < n; i++) {
          numbers[i] = Integer.rotateLeft(from.getInt(at + i * stride), TAG_BITS) & INT_MASK;
        }
      }
      case MILLIS -> {
        for (int i = 0; i < n; i++) {
          numbers[i] = (from.getLong(at + i * stride) >> COUNTER_BITS) - millis;
        }
      }
      case COUNTER -> {
        for (int i = 0; i < n; i++) {
          numbers[i] = from.getLong(at + i * stride) & COUNTER_MASK;
        }
      }
    }
  }

  /** Writes {@link #numbers} and says whether all of them fit their field. */
  private boolean write(ByteBuffer to, int at, int stride, Field field, int n) {
    long lost = 0;
    switch (field) {
      case BYTE -> {
        for (int i = 0; i < n; i++) {
          to.put(at + i * stride, (byte) numbers[i]);
          lost |= numbers[i] & ~0xFFL;
        }
      }
      case SHORT -> {
        for (int i = 0; i < n; i++) {
          to.putShort(at + i * stride, (short) numbers[i]);
          lost |= numbers[i] & ~0xFFFFL;
        }
      }
      case INT -> {
        for (int i = 0; i < n; i++) {
          to.putInt(at + i * stride, (int) numbers[i]);
          lost |= numbers[i] ^ (int) numbers[i];
        }
      }
      case LONG -> {
        for (int i = 0; i < n; i++) {
          to.putLong(at + i * stride, numbers[i]);
        }
      }
      case TAG_LABEL -> {
        for (int i = 0; i < n; i++) {
          to.putInt(at + i * stride, Integer.rotateRight((int) numbers[i], TAG_BITS));
          lost |= numbers[i] & ~INT_MASK;
        }
      }
      case MILLIS -> {
        for (int i = 0; i < n; i++) {
          long number = numbers[i] + millis;
          to.putLong(at + i * stride, number << COUNTER_BITS);
          lost |= number ^ (number << COUNTER_BITS >> COUNTER_BITS);
        }
      }
      case COUNTER -> {
        for (int i = 0; i < n; i++) {
          to.putLong(at + i * stride, to.getLong(at + i * stride) | (numbers[i] & COUNTER_MASK));
          lost |= numbers[i] & ~COUNTER_MASK;
        }
      }
    }
    return lost == 0;
  }

  private static int width(long span) {
    return Long.SIZE - Long.numberOfLeadingZeros(span);
  }

  /** Refuses packed bytes that end too early. */
  static void require(ByteBuffer packed, int bytes) {
    if (packed.remaining() < bytes) {
      throw new CorruptionException(
          "packed", packed.position(), bytes + " bytes", packed.remaining() + " bytes");
    }
  }
}

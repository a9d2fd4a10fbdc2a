package io.bg3.core.block;

import io.bg3.core.block.Columns.Field;
import io.bg3.core.block.Columns.Kind;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.Varints;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Packs the columns of a block for the disk: most of their numbers are close to their neighbours,
 * and ids of eight bytes have five or six that are zero.
 *
 * <pre>
 *  size    field      for each column of the block, in its order
 *     1    kind       0 raw, 1 sparse, 2 bytes, 3 shorts, 4 ints, 5 longs, 6 stamps, 7 runs
 *  varint  count      rows; bytes of a raw or sparse column
 *
 *  raw:    the bytes
 *  sparse: a bit for each byte, lowest first, set if the byte is not zero; the bytes that are not zero
 *  else:   for each number of a row (6: milliseconds, counter; 7: owner, label << 2 | tag, index),
 *          groups of 128 rows, the last one shorter:
 *
 *     1    mode       bits 0 to 6: width w in bits, 0 to 64; bit 7: differences
 *  varint  base       signed: the least of the numbers, or of their differences
 *  w/8*n   rest       number or difference minus base, w bits each, lowest first; zeros up to a byte
 * </pre>
 *
 * <p>A difference is that to the number before it in the column, which is 0 before the first. Sums
 * and differences are those of 64 bits, which wrap around. Bytes, shorts, a label with its tag and
 * the counter of a stamp are unsigned, the others signed.
 *
 * <p>Unpacking trusts nothing: the rows must fill the block to its last byte and the packed bytes
 * must end with them, and each number must fit its field.
 *
 * <p>Threads: an object belongs to one.
 */
final class ColumnPacking {
  /** Rows of a group: few enough for one width, enough for the base not to count. */
  static final int GROUP = 128;

  /** Bits of a stamp that count the commits of a millisecond. */
  static final int COUNTER_BITS = 20;

  /** Bits of the tag above a label. */
  private static final int TAG_BITS = 2;

  private static final int DIFFERENCES = 0x80;
  private static final long INT_MASK = 0xFFFFFFFFL;
  private static final long COUNTER_MASK = (1L << COUNTER_BITS) - 1;

  /** A number of any width, at any bit, is read by one load of this many bytes. */
  private static final int LOAD = Long.BYTES + 1;

  private final long[] numbers = new long[GROUP];

  /** Bytes of a group's rest and, behind them, enough for a load of its last number. */
  private final ByteBuffer tail =
      ByteBuffer.allocate(GROUP * Long.BYTES + LOAD).order(ByteOrder.LITTLE_ENDIAN);

  /**
   * Packs a block.
   *
   * @param block its bytes from 0 to the capacity
   * @param columns of exactly these bytes
   * @return the packed bytes, on the heap
   */
  ByteBuffer pack(ByteBuffer block, Columns columns) {
    if (columns.length() != block.capacity()) {
      throw new IllegalArgumentException(
          "columns of another block: columns=" + columns.length() + ", block=" + block.capacity());
    }
    ByteBuffer packed = ByteBuffer.allocate(bound(columns)).order(ByteOrder.LITTLE_ENDIAN);
    int at = 0;
    for (int i = 0; i < columns.size(); i++) {
      Kind kind = columns.kind(i);
      int count = columns.count(i);
      packed.put((byte) kind.code);
      Varints.put(packed, count);
      switch (kind) {
        case RAW -> packed.put(block.slice(at, count));
        case SPARSE -> packSparse(block, at, count, packed);
        default -> packRows(block, at, kind, count, packed);
      }
      at += kind.bytes * count;
    }
    return packed.flip().slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Unpacks a block.
   *
   * @param packed from 0 to its capacity, little-endian
   * @param block filled from 0 to its capacity, little-endian
   * @throws CorruptionException if these are not the packed bytes of a block of that length, with
   *     offsets from the first packed byte
   */
  void unpack(ByteBuffer packed, ByteBuffer block) {
    packed.clear();
    int at = 0;
    while (packed.hasRemaining()) {
      int start = packed.position();
      int code = packed.get();
      Kind kind = Kind.of(code);
      if (kind == null) {
        throw new CorruptionException("packed", start, "a kind of column", "kind " + code);
      }
      long count = Varints.get(packed);
      if (count < 1 || count > (block.capacity() - at) / kind.bytes) {
        throw new CorruptionException(
            "packed", start + 1, "rows within a block of " + block.capacity(), count + " rows");
      }
      int rows = (int) count;
      switch (kind) {
        case RAW -> {
          require(packed, rows);
          block.put(at, packed, packed.position(), rows);
          packed.position(packed.position() + rows);
        }
        case SPARSE -> unpackSparse(packed, block, at, rows);
        default -> unpackRows(packed, block, at, kind, rows);
      }
      at += kind.bytes * rows;
    }
    if (at != block.capacity()) {
      throw new CorruptionException(
          "packed", packed.position(), "columns of " + block.capacity() + " bytes", at + " bytes");
    }
  }

  private static int bound(Columns columns) {
    long bytes = 0;
    for (int i = 0; i < columns.size(); i++) {
      Kind kind = columns.kind(i);
      long count = columns.count(i);
      long groups = Math.max(1, kind.fields().size()) * (count / GROUP + 1);
      bytes += 1 + Varints.MAX_BYTES + kind.bytes * count + count / Byte.SIZE + 1;
      // MILLIS has 44 bits and COUNTER 20, so the two of a stamp are no longer than it was.
      bytes += groups * (1 + Varints.MAX_BYTES + 1);
    }
    return Math.toIntExact(bytes);
  }

  private static void packSparse(ByteBuffer block, int at, int count, ByteBuffer packed) {
    int mapAt = packed.position();
    int mapLength = (count + Byte.SIZE - 1) / Byte.SIZE;
    packed.position(mapAt + mapLength);
    for (int i = 0; i < count; i++) {
      byte value = block.get(at + i);
      if (value != 0) {
        int bitAt = mapAt + i / Byte.SIZE;
        packed.put(bitAt, (byte) (packed.get(bitAt) | 1 << i % Byte.SIZE));
        packed.put(value);
      }
    }
  }

  private static void unpackSparse(ByteBuffer packed, ByteBuffer block, int at, int count) {
    int mapAt = packed.position();
    int mapLength = (count + Byte.SIZE - 1) / Byte.SIZE;
    require(packed, mapLength);
    packed.position(mapAt + mapLength);
    for (int i = 0; i < count; i++) {
      boolean set = (packed.get(mapAt + i / Byte.SIZE) >> i % Byte.SIZE & 1) != 0;
      if (set) {
        require(packed, 1);
      }
      block.put(at + i, set ? packed.get() : 0);
    }
  }

  private void packRows(ByteBuffer block, int at, Kind kind, int count, ByteBuffer packed) {
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

  private void unpackRows(ByteBuffer packed, ByteBuffer block, int at, Kind kind, int count) {
    int fieldAt = at;
    for (Field field : kind.fields()) {
      long before = 0;
      for (int from = 0; from < count; from += GROUP) {
        int n = Math.min(GROUP, count - from);
        int start = packed.position();
        unpackGroup(n, before, packed);
        before = numbers[n - 1];
        if (!write(block, fieldAt + from * kind.bytes, kind.bytes, field, n)) {
          throw new CorruptionException("packed", start, "numbers of " + field, "larger ones");
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
          numbers[i] = from.getLong(at + i * stride) >> COUNTER_BITS;
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
          to.putLong(at + i * stride, numbers[i] << COUNTER_BITS);
          lost |= numbers[i] ^ (numbers[i] << COUNTER_BITS >> COUNTER_BITS);
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

  private static void require(ByteBuffer packed, int bytes) {
    if (packed.remaining() < bytes) {
      throw new CorruptionException(
          "packed", packed.position(), bytes + " bytes", packed.remaining() + " bytes");
    }
  }
}

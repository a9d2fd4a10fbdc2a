package io.bg3.core.block;

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
  private final PackedRows rows = new PackedRows();

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
        default -> rows.pack(block, at, kind, count, packed);
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
      int n = (int) count;
      switch (kind) {
        case RAW -> {
          PackedRows.require(packed, n);
          block.put(at, packed, packed.position(), n);
          packed.position(packed.position() + n);
        }
        case SPARSE -> unpackSparse(packed, block, at, n);
        default -> rows.unpack(packed, block, at, kind, n);
      }
      at += kind.bytes * n;
    }
    if (at != block.capacity()) {
      throw new CorruptionException(
          "packed", packed.position(), "columns of " + block.capacity() + " bytes", at + " bytes");
    }
  }

  private static int bound(Columns columns) {
    long bytes = 0;
    for (int i = 0; i < columns.size(); i++) {
      bytes += 1 + Varints.MAX_BYTES + PackedRows.bound(columns.kind(i), columns.count(i));
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
    PackedRows.require(packed, mapLength);
    packed.position(mapAt + mapLength);
    for (int i = 0; i < count; i++) {
      boolean set = (packed.get(mapAt + i / Byte.SIZE) >> i % Byte.SIZE & 1) != 0;
      if (set) {
        PackedRows.require(packed, 1);
      }
      block.put(at + i, set ? packed.get() : 0);
    }
  }
}

package io.bg3.core.block;

import io.bg3.core.block.Columns.Kind;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.Varints;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Packs a delta for the disk, header, values and columns. A delta often has one entry or a few, so
 * what {@link ColumnPacking} spends on each column and each group counts here.
 *
 * <pre>
 *  size    field
 *     …    header      {@link DeltaHeader}
 *     …    value ends  the rows of a column of 2 or 4 bytes; with the flag of values
 *     …    values      up to the last end
 *
 *     1    column      bits 0 to 2: kind, as in {@link ColumnPacking}; bits 3 to 7: rows, or 31
 *  varint  rows        with 31; bytes of a raw column
 *     …    rows        of a raw column the bytes, else a signed varint for each number of a single
 *                      row, or groups as in {@link ColumnPacking}
 * </pre>
 *
 * <p>The columns are those of the block behind its header, in their order, up to the end of the
 * packed bytes. Three are left out: that of the only stamp, which is the newest of the header, the
 * zeros at the end of the block, and the header of the values. The milliseconds of stamps are
 * relative to those of the newest.
 *
 * <p>Unpacking trusts nothing, as in {@link ColumnPacking}.
 *
 * <p>Threads: an object belongs to one.
 */
final class DeltaPacking {
  private static final int KIND_BITS = 3;
  private static final int KIND_MASK = (1 << KIND_BITS) - 1;

  /** Stands for a number of rows that a varint gives. */
  static final int MANY = 31;

  private final PackedRows rows = new PackedRows();

  /**
   * Packs a delta.
   *
   * @param topology its block, from 0 to the capacity
   * @param columns of exactly these bytes, the first of which is the header
   * @param properties its values, from 0 to the capacity; null without values
   * @return the packed bytes, on the heap
   */
  ByteBuffer pack(ByteBuffer topology, Columns columns, ByteBuffer properties) {
    DeltaHeader header = new DeltaHeader(topology);
    ByteBuffer packed = ByteBuffer.allocate(bound(header, columns, properties));
    packed.order(ByteOrder.LITTLE_ENDIAN);
    header.write(packed);
    rows.relativeTo(DeltaHeader.millis(header.newest()));
    if (properties != null) {
      packValues(properties, header.count(), packed);
    }
    int at = header.columnsAt();
    assert columns.count(0) == at : "columns=" + columns.count(0) + ", at=" + at;
    for (int i = 1; i < columns.size(); i++) {
      Kind kind = columns.kind(i);
      boolean isLast = i == columns.size() - 1;
      int count = isLast ? withoutZeros(topology, at, kind, columns.count(i)) : columns.count(i);
      if (count > 0 && !(kind == Kind.STAMPS && header.hasOneStamp())) {
        packColumn(topology, at, kind, count, packed);
      }
      at += kind.bytes * columns.count(i);
    }
    return packed.flip().slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int bound(DeltaHeader header, Columns columns, ByteBuffer properties) {
    long bytes = header.bound();
    for (int i = 1; i < columns.size(); i++) {
      bytes += 1 + Varints.MAX_BYTES + PackedRows.bound(columns.kind(i), columns.count(i));
    }
    if (properties != null) {
      bytes += PackedRows.bound(Kind.INTS, header.count()) + properties.capacity();
    }
    return Math.toIntExact(bytes);
  }

  /** The bytes of the last column without zeros at its end that only fill the block. */
  private static int withoutZeros(ByteBuffer block, int at, Kind kind, int count) {
    int kept = count;
    if (kind == Kind.RAW) {
      while (kept > 0 && count - kept < Long.BYTES - 1 && block.get(at + kept - 1) == 0) {
        kept--;
      }
    }
    return kept;
  }

  private void packColumn(ByteBuffer block, int at, Kind kind, int count, ByteBuffer packed) {
    packed.put((byte) (kind.code | Math.min(count, MANY) << KIND_BITS));
    if (count >= MANY) {
      Varints.put(packed, count);
    }
    if (kind == Kind.RAW) {
      packed.put(block.slice(at, count));
    } else {
      packRows(block, at, kind, count, packed);
    }
  }

  private void packRows(ByteBuffer block, int at, Kind kind, int count, ByteBuffer packed) {
    if (count == 1) {
      rows.packOne(block, at, kind, packed);
    } else {
      rows.pack(block, at, kind, count, packed);
    }
  }

  private void packValues(ByteBuffer properties, int count, ByteBuffer packed) {
    ValueBlock values = new ValueBlock();
    values.place(properties, 0, count);
    packRows(properties, ValueBlock.ENDS, endsKind(values.width()), count, packed);
    packed.put(properties.slice(ValueBlock.ENDS + count * values.width(), values.end(count - 1)));
  }

  private static Kind endsKind(int width) {
    return width == Short.BYTES ? Kind.SHORTS : Kind.INTS;
  }

  /**
   * Unpacks a delta.
   *
   * @param packed from 0 to its capacity, little-endian
   * @param kind of the page
   * @param base a valid block of that kind
   * @param topology filled from 0 to its capacity, little-endian
   * @param properties filled likewise; null without values
   * @param width bytes of the end of a value, 2 or 4
   * @throws CorruptionException if these are not the packed bytes of blocks of these lengths, with
   *     offsets from the first packed byte
   */
  void unpack(
      ByteBuffer packed,
      int kind,
      ByteBuffer base,
      ByteBuffer topology,
      ByteBuffer properties,
      int width) {
    packed.clear();
    DeltaHeader header = new DeltaHeader(topology);
    header.read(packed, kind, base);
    rows.relativeTo(DeltaHeader.millis(header.newest()));
    if (properties != null) {
      unpackValues(packed, properties, header.count(), width);
    }
    int at = header.columnsAt();
    at = placeOnlyStamp(header, topology, at);
    while (packed.hasRemaining()) {
      at = placeOnlyStamp(header, topology, unpackColumn(packed, topology, at));
    }
    fillUp(packed, topology, at);
    header.fillOwners();
  }

  /** Puts the only stamp where it belongs, if that is here, and returns where to go on. */
  private static int placeOnlyStamp(DeltaHeader header, ByteBuffer topology, int at) {
    if (!header.hasOneStamp() || at != header.stampsAt() || at > topology.capacity() - Long.BYTES) {
      return at;
    }
    topology.putLong(at, header.newest());
    return at + Long.BYTES;
  }

  /** Unpacks a column and returns where the next one begins. */
  private int unpackColumn(ByteBuffer packed, ByteBuffer block, int at) {
    int start = packed.position();
    int code = packed.get() & 0xFF;
    Kind kind = Kind.of(code & KIND_MASK);
    long count = (long) code >>> KIND_BITS;
    if (count == MANY) {
      count = Varints.get(packed);
    }
    if (kind == Kind.SPARSE || count < 1 || count > (block.capacity() - at) / kind.bytes) {
      throw new CorruptionException(
          "packed",
          start,
          "a column within a block of " + block.capacity(),
          "kind " + kind + ", " + count + " rows");
    }
    if (kind == Kind.RAW) {
      copy(packed, block, at, (int) count);
    } else {
      unpackRows(packed, block, at, kind, (int) count);
    }
    return at + kind.bytes * (int) count;
  }

  private void unpackRows(ByteBuffer packed, ByteBuffer block, int at, Kind kind, int count) {
    if (count == 1) {
      rows.unpackOne(packed, block, at, kind);
    } else {
      rows.unpack(packed, block, at, kind, count);
    }
  }

  private void unpackValues(ByteBuffer packed, ByteBuffer properties, int count, int width) {
    int start = packed.position();
    long bytesAt = ValueBlock.ENDS + (long) count * width;
    if (count < 1 || bytesAt > properties.capacity()) {
      throw new CorruptionException(
          "packed", start, "values of " + count + " entries", properties.capacity() + " bytes");
    }
    ValueBlock.writeHeader(properties, 0, properties.capacity(), count, width);
    unpackRows(packed, properties, ValueBlock.ENDS, endsKind(width), count);
    int lastAt = (int) bytesAt - width;
    int end =
        width == Short.BYTES ? properties.getShort(lastAt) & 0xFFFF : properties.getInt(lastAt);
    if (end < 0 || end > properties.capacity() - bytesAt) {
      throw new CorruptionException("packed", start, "values in their block", end + " bytes");
    }
    copy(packed, properties, (int) bytesAt, end);
    fillUp(packed, properties, (int) bytesAt + end);
  }

  private static void copy(ByteBuffer packed, ByteBuffer block, int at, int bytes) {
    PackedRows.require(packed, bytes);
    block.put(at, packed, packed.position(), bytes);
    packed.position(packed.position() + bytes);
  }

  /** Fills the end of a block with zeros, fewer than 8. */
  private static void fillUp(ByteBuffer packed, ByteBuffer block, int at) {
    if (block.capacity() - at >= Long.BYTES) {
      throw new CorruptionException(
          "packed", packed.position(), "a block of " + block.capacity() + " bytes", at + " bytes");
    }
    for (int i = at; i < block.capacity(); i++) {
      block.put(i, (byte) 0);
    }
  }
}

package io.bg3.core.block;

import io.bg3.core.entry.Bytes;
import io.bg3.core.entry.Entries;
import java.nio.ByteBuffer;

/**
 * View of the values of a leaf: the property part, in memory a block of its own (in a delta the end
 * of its block).
 *
 * <pre>
 *  offset  size  field
 *       0     4  length   of all this, from byte 0; a multiple of 8
 *       4     4  count    values, as many as the leaf has entries
 *       8     4  width    bytes of an offset: 2 or 4
 *      12     4  reserved zero
 *      16   w*n  ends     end of value i, from the first byte of the values; it begins where the one before ends
 *       …     …  values, zeros up to a multiple of 8
 * </pre>
 */
public final class ValueBlock {
  public static final int LENGTH = 0;
  public static final int COUNT = LENGTH + Integer.BYTES;
  public static final int WIDTH = COUNT + Integer.BYTES;
  public static final int RESERVED = WIDTH + Integer.BYTES;
  public static final int ENDS = RESERVED + Integer.BYTES;

  private ByteBuffer slab;
  private int at;
  private int length;
  private int width;
  private int bytesAt;

  /** Places the view at the values of {@code count} entries. */
  public void place(ByteBuffer block, int offset, int count) {
    slab = block;
    at = offset;
    if (at < 0 || at > slab.capacity() - ENDS) {
      throw new IllegalStateException("no values here: offset=" + at);
    }
    length = slab.getInt(at + LENGTH);
    width = slab.getInt(at + WIDTH);
    bytesAt = at + ENDS + count * width;
    if (slab.getInt(at + COUNT) != count
        || (width != Short.BYTES && width != Integer.BYTES)
        || length > slab.capacity() - at
        || length < ENDS + count * width) {
      throw new IllegalStateException(
          "no values of this leaf here: length="
              + length
              + ", width="
              + width
              + ", count="
              + count);
    }
  }

  /** Bytes that {@code count} values of {@code bytes} in all take. */
  public static int length(int count, int bytes) {
    return Bytes.align8(Math.addExact(ENDS + count * width(bytes), bytes));
  }

  /** The columns of the block that {@code count} values of {@code bytes} in all take. */
  public static Columns columns(int count, int bytes) {
    return new Columns().sparse(ENDS).indexes(count, width(bytes)).rest(length(count, bytes));
  }

  /** Bytes that each end of a value takes in a block with so many bytes of values. */
  public static int width(int bytes) {
    return bytes <= 0xFFFF ? Short.BYTES : Integer.BYTES;
  }

  /** Bytes of the block. */
  public int length() {
    return length;
  }

  /** Bytes that each end of a value takes. */
  public int width() {
    return width;
  }

  /** The start of value {@code i}, from the first byte of the values. */
  public int start(int i) {
    return i == 0 ? 0 : end(i - 1);
  }

  /** The end of value {@code i}, from the first byte of the values. */
  public int end(int i) {
    return width == Short.BYTES
        ? slab.getShort(at + ENDS + i * Short.BYTES) & 0xFFFF
        : slab.getInt(at + ENDS + i * Integer.BYTES);
  }

  /** The {@link ValuePrefetch} of the values from one up to another; {@code block} is this one. */
  public long lines(long block, int from, int to) {
    int width = width();
    int bytes = bytesAt - at;
    return ValuePrefetch.of(block, ENDS + from * width, bytes + start(from), bytes + start(to));
  }

  /** Bytes of value {@code i}. */
  public int valueLength(int i) {
    return end(i) - start(i);
  }

  /** A copy of value {@code i}. */
  public byte[] value(int i) {
    int start = start(i);
    int end = checkedEnd(start, i);
    return start == end ? Entries.NO_VALUE : Bytes.copy(slab, bytesAt + start, end - start);
  }

  /**
   * Gives the entries of {@code into} from {@code first} on the values of the range; their bytes
   * are copied in one go.
   */
  public void copy(int from, int to, Entries into, int first) {
    int begin = start(from);
    int bytes = checkedEnd(begin, to - 1) - begin;
    if (bytes == 0) {
      return;
    }
    int target = into.reserveValueBytes(bytes);
    slab.get(bytesAt + begin, into.valueArray(), target, bytes);
    int start = begin;
    for (int i = from; i < to; i++) {
      int end = end(i);
      into.setValue(first + i - from, target + start - begin, end - start);
      start = end;
    }
  }

  /** Copies the block. */
  public void writeTo(ByteBuffer to, int position) {
    to.put(position, slab, at, length);
  }

  /** Writes the fields in front of the ends. */
  static void writeHeader(ByteBuffer to, int at, int length, int count, int width) {
    to.putInt(at + LENGTH, length);
    to.putInt(at + COUNT, count);
    to.putInt(at + WIDTH, width);
    to.putInt(at + RESERVED, 0);
  }

  /** Writes the values of some entries as a block. */
  public static void write(
      Entries entries, int from, int to, int bytes, ByteBuffer target, int at) {
    Filler filler = new Filler(target, at, to - from, bytes);
    filler.add(entries, from, to);
    filler.finish();
  }

  /** Fills a block of values in the order of their entries. */
  public static final class Filler {
    private final ByteBuffer to;
    private final int at;
    private final int width;
    private final int bytesAt;
    private final int bytes;
    private int index;
    private int end;

    /** Begins a block of {@code count} values that take {@code bytes} together. */
    public Filler(ByteBuffer to, int at, int count, int bytes) {
      this.to = to;
      this.at = at;
      this.width = width(bytes);
      this.bytesAt = at + ENDS + count * width;
      this.bytes = bytes;
      writeHeader(to, at, length(count, bytes), count, width);
    }

    /** Adds values of another block; empty ones if it is null. */
    public void copy(ValueBlock from, int first, int behind) {
      if (from == null) {
        for (int i = first; i < behind; i++) {
          putEnd();
        }
        return;
      }
      int begin = from.start(first);
      int length = from.checkedEnd(begin, behind - 1) - begin;
      to.put(bytesAt + end, from.slab, from.bytesAt + begin, length);
      int shift = end - begin;
      int i = first;
      if (width == Short.BYTES && from.width == Short.BYTES) { // four ends at once: none overflows
        long shifts = Math.abs(shift) * 0x0001_0001_0001_0001L;
        for (; i + 4 <= behind; i += 4) {
          long ends = from.slab.getLong(from.at + ENDS + i * Short.BYTES);
          to.putLong(at + ENDS + index * Short.BYTES, shift < 0 ? ends - shifts : ends + shifts);
          index += 4;
        }
      }
      for (; i < behind; i++) {
        end = from.end(i) + shift;
        putEnd();
      }
      end = begin + length + shift;
    }

    /** Adds the values of entries on the heap, at once those that stand one behind the other. */
    public void add(Entries from, int first, int behind) {
      int copied = end;
      int begin = from.valueStart(first);
      for (int i = first; i < behind; i++) {
        if (from.valueStart(i) != begin + end - copied) {
          to.put(bytesAt + copied, from.valueArray(), begin, end - copied);
          copied = end;
          begin = from.valueStart(i);
        }
        end += from.valueLength(i);
        putEnd();
      }
      to.put(bytesAt + copied, from.valueArray(), begin, end - copied);
    }

    /** Ends the block, after its last value. */
    public void finish() {
      assert end == bytes : "bytes=" + bytes + ", written=" + end;
      Bytes.zero(to, bytesAt + end, at + length(index, bytes));
    }

    private void putEnd() {
      if (width == Short.BYTES) {
        to.putShort(at + ENDS + index * Short.BYTES, (short) end);
      } else {
        to.putInt(at + ENDS + index * Integer.BYTES, end);
      }
      index++;
    }
  }

  /** The fault of the ends of the values, null if there is none; for bytes that may be anything. */
  public String problem(int count) {
    int end = 0;
    int limit = length - (bytesAt - at);
    for (int i = 0; i < count; i++) {
      int next = end(i);
      if (next < end || next > limit) {
        return "value " + i + " from " + end + " to " + next;
      }
      end = next;
    }
    return Bytes.align8(bytesAt - at + end) == length
        ? null
        : "values end at " + end + " of " + limit;
  }

  private int checkedEnd(int start, int i) {
    int end = end(i);
    if (start < 0 || end < start || end > length - (bytesAt - at)) {
      throw new IllegalStateException("value outside its block: start=" + start + ", end=" + end);
    }
    return end;
  }
}

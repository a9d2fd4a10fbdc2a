package io.bg3.core.commit;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.SpaceWrites;
import io.bg3.core.keyspace.Write;
import io.bg3.core.keyspace.WriteSet;
import io.bg3.core.limit.Limit;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.Varints;
import io.bg3.storage.memory.MemoryExceededException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The log record of one commit: its timestamp, what it added to totals, and what it wrote by key.
 * Nothing in it depends on pages or on which tree holds an edge.
 *
 * <pre>
 *  offset  size    field
 *       0     1    kind       2 = commit
 *       1     8    stamp
 *       9  varint  number of totals
 *               …  for each, ascending: varint counter, zigzag varint amount
 *          varint  number of key spaces
 *               …  for each, ascending: varint space (0 = edges, else the tree's id), varint number of entries, entries
 *
 *  entry      1    op         bit 0: 0 = put, 1 = removal; bit 1: the key ends with four zeros, which are left out;
 *                             bits 2-7: how many bytes it has in common with the key before, which are left out; or
 *                             63, in space 0: the key is a {@link KeyDifference}, and bit 1 is 0
 *          varint  key length, absent in space 0, where the tag in the key says whether it is 24 or 32
 *               …  key        what is not left out
 *          varint  value length, absent for a removal
 *               …  value      always the value itself, also when the page will hold its location
 * </pre>
 *
 * <p>A record of kind 1, as earlier versions wrote it, has no {@link KeyDifference}: 63 is a number
 * of bytes there.
 *
 * <p>Integers are little-endian. A record is <b>valid</b> if and only if
 *
 * <ul>
 *   <li>C1: the kind is known, no key leaves out more than it has, or has in common more than the
 *       key before in its space has, and everything lies inside the payload, which ends with the
 *       last entry;
 *   <li>C2: counters and spaces fit in 31 bits and ascend, no space is empty;
 *   <li>C3: the keys of a space ascend, as unsigned bytes, no two alike.
 * </ul>
 */
public final class CommitRecord {
  static final int KIND = 0;
  static final int STAMP = KIND + Byte.BYTES;
  static final int BODY = STAMP + Long.BYTES;

  static final byte COMMIT = 2;

  /** The kind of the version before. */
  static final byte PLAIN_COMMIT = 1;

  static final int REMOVAL = 1;
  static final int ZEROS = 2;
  static final int COMMON_SHIFT = 2;
  static final int MOST_COMMON = 62;

  /** In place of a number of bytes in common: the key is a {@link KeyDifference}. */
  static final int DIFFERENCE = 63;

  /** The number of bytes that {@link #ZEROS} stands for: those of a sequence. */
  static final int ZEROS_BYTES = Integer.BYTES;

  /**
   * A record that may become larger is measured before it is encoded: its buffer would be several
   * times too large.
   */
  static final int MEASURED_FROM = 1 << 20;

  /**
   * A record that is larger than this part of the heap does not fit into it beside the writes that
   * it is made of. The attempt would cost all others a collection of garbage, or the process its
   * life where it is to end when the heap does not suffice.
   */
  private static final int SHARE_OF_HEAP = 2;

  /** Op and two lengths of 31 bits. */
  private static final int LONGEST_ENTRY_HEAD = 1 + 5 + 5;

  private static final byte[] NO_KEY = {};

  private CommitRecord() {}

  /** Is told what a record says, in the order in which it stands there. */
  interface Reader {
    /** The commit's timestamp. */
    void stamp(long stamp);

    /** An amount that was added to a total. */
    void total(int counter, long amount);

    /** A put, or a removal if {@code value} is null. */
    void write(int space, byte[] key, byte[] value) throws IOException;
  }

  /**
   * Encodes everything but the stamp, which {@link #setStamp} puts in. Ready to be appended to the
   * log. Every commit comes through here before it takes its timestamp, so what pages, extents and
   * replay could not hold is refused here at the latest.
   *
   * @throws io.bg3.core.limit.LimitExceededException if it is too large, or something in it
   * @throws MemoryExceededException if it cannot fit into the heap
   */
  public static ByteBuffer encode(WriteSet writes, TotalIncrements increments) {
    Limit.COMMIT_ENTRIES.check(writes.count());
    long room = bound(writes, increments);
    if (room > MEASURED_FROM) {
      room = size(writes, increments);
    }
    Limit.COMMIT_BYTES.check(room);
    if (room > Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP) {
      throw heapExceeded(room, null);
    }
    ByteBuffer to = ByteBuffer.allocate((int) room).order(ByteOrder.LITTLE_ENDIAN);
    to.put(COMMIT).putLong(0);
    int totals = increments == null ? 0 : increments.count();
    Varints.put(to, totals);
    for (int i = 0; i < totals; i++) {
      Varints.put(to, increments.counter(i));
      Varints.putSigned(to, increments.amount(i));
    }
    Varints.put(to, writes.spaces().size());
    for (SpaceWrites space : writes.spaces()) {
      Varints.put(to, space.space);
      Varints.put(to, space.count());
      byte[] previous = NO_KEY;
      for (int i = 0; i < space.count(); i++) {
        Write write = space.at(i);
        check(space.space, write.key, write.value);
        encode(write, space.space, previous, to);
        previous = write.key;
      }
    }
    return to.flip();
  }

  /**
   * Refuses a write that pages or extents cannot hold.
   *
   * @param value null for a removal
   * @throws io.bg3.core.limit.LimitExceededException if key or value are too long
   * @throws IllegalArgumentException if the key is none of its space
   */
  public static void check(int space, byte[] key, byte[] value) {
    if (space != KeySpace.EDGES) {
      if (key.length > Limit.KEY_BYTES.most()) {
        throw Limit.KEY_BYTES.exceeded(key.length, KeySpace.describe(space, null, null));
      }
    } else if (key.length < EdgeKey.LENGTH || key.length != EdgeKey.length(EdgeKey.tagLabel(key))) {
      throw new IllegalArgumentException(
          "an edge key has 24 bytes, or 32 with a sort key: length=" + key.length);
    }
    if (value != null && value.length > Limit.ENTRY_BYTES.most()) {
      throw Limit.ENTRY_BYTES.exceeded(
          value.length, KeySpace.describe(space, key, KeySpace.successor(key)));
    }
  }

  /**
   * The exception of a commit for which the heap does not suffice before its timestamp: like every
   * failure up to there, it is that commit's alone.
   *
   * @param cause null if nothing has been tried
   */
  public static MemoryExceededException heapExceeded(long bytes, OutOfMemoryError cause) {
    Runtime runtime = Runtime.getRuntime();
    return new MemoryExceededException(
        "there is no memory for what the commit needs besides its writes",
        "-Xmx (BG3_HEAP)",
        bytes,
        runtime.totalMemory() - runtime.freeMemory(),
        runtime.maxMemory(),
        cause);
  }

  private static void encode(Write write, int space, byte[] previous, ByteBuffer to) {
    int form = form(space, previous, write.key);
    to.put((byte) (form | (write.isPut() ? 0 : REMOVAL)));
    if (space != KeySpace.EDGES) {
      Varints.put(to, write.key.length);
    }
    if (form == DIFFERENCE << COMMON_SHIFT) {
      KeyDifference.write(previous, write.key, to);
    } else {
      to.put(write.key, form >>> COMMON_SHIFT, rest(form, write.key));
    }
    if (write.isPut()) {
      Varints.put(to, write.value.length);
      to.put(write.value);
    }
  }

  /** The bits of an op for the form of a key that takes fewer bytes. */
  private static int form(int space, byte[] previous, byte[] key) {
    int leftOut = leftOut(previous, key);
    int rest = rest(leftOut, key);
    return space == KeySpace.EDGES
            && rest > KeyDifference.MASK_BYTES + 1
            && rest > KeyDifference.size(previous, key)
        ? DIFFERENCE << COMMON_SHIFT
        : leftOut;
  }

  /** Bytes of a key that are not left out. */
  private static int rest(int leftOut, byte[] key) {
    return key.length - (leftOut >>> COMMON_SHIFT) - zeros(leftOut);
  }

  /** The bits of an op for the parts of the key that are left out. */
  private static int leftOut(byte[] previous, byte[] key) {
    int zeros = key.length >= ZEROS_BYTES && endsWithZeros(key) ? ZEROS : 0;
    int common = Math.max(0, Arrays.mismatch(previous, key)); // -1 where a first key is empty
    return Math.min(Math.min(common, MOST_COMMON), key.length - zeros(zeros)) << COMMON_SHIFT
        | zeros;
  }

  private static boolean endsWithZeros(byte[] key) {
    for (int i = key.length - ZEROS_BYTES; i < key.length; i++) {
      if (key[i] != 0) {
        return false;
      }
    }
    return true;
  }

  /** The number of zeros at the end that are left out. */
  private static int zeros(int op) {
    return (op & ZEROS) != 0 ? ZEROS_BYTES : 0;
  }

  /** An upper bound for the record's bytes: the exact number takes as long as encoding. */
  private static long bound(WriteSet writes, TotalIncrements increments) {
    long totals = increments == null ? 0 : increments.count();
    long size = BODY + 2 * Varints.MAX_BYTES * (1 + totals + writes.spaces().size());
    for (SpaceWrites space : writes.spaces()) {
      size += (long) space.count() * LONGEST_ENTRY_HEAD;
      for (int i = 0; i < space.count(); i++) {
        Write write = space.at(i);
        size += write.key.length + (write.isPut() ? write.value.length : 0);
      }
    }
    return size;
  }

  /** The bytes of the record. */
  public static long size(WriteSet writes, TotalIncrements increments) {
    int totals = increments == null ? 0 : increments.count();
    long size = (long) BODY + Varints.size(totals) + Varints.size(writes.spaces().size());
    for (int i = 0; i < totals; i++) {
      size += Varints.size(increments.counter(i)) + Varints.sizeSigned(increments.amount(i));
    }
    for (SpaceWrites space : writes.spaces()) {
      size += Varints.size(space.space) + Varints.size(space.count());
      byte[] previous = NO_KEY;
      for (int i = 0; i < space.count(); i++) {
        Write write = space.at(i);
        int form = form(space.space, previous, write.key);
        size += 1 + (space.space == KeySpace.EDGES ? 0 : Varints.size(write.key.length));
        size +=
            form == DIFFERENCE << COMMON_SHIFT
                ? KeyDifference.size(previous, write.key)
                : rest(form, write.key);
        previous = write.key;
        size += write.isPut() ? Varints.size(write.value.length) + write.value.length : 0;
      }
    }
    return size;
  }

  /** Puts the stamp into an encoded record. */
  static void setStamp(ByteBuffer record, long stamp) {
    record.putLong(record.position() + STAMP, stamp);
  }

  /**
   * Reads the payload of a log record, from the buffer's position to its limit.
   *
   * @throws CorruptionException if it is not valid; its offset counts from the beginning of the
   *     payload. A part may have been told by then
   * @throws IOException if {@code to} throws it
   */
  static void read(ByteBuffer payload, Reader to) throws IOException {
    ByteBuffer from = payload.slice().order(ByteOrder.LITTLE_ENDIAN);
    if (from.remaining() < BODY) {
      throw invalid(from, "C1: at least " + BODY + " bytes", from.remaining());
    }
    byte kind = from.get();
    if (kind != COMMIT && kind != PLAIN_COMMIT) {
      String expected = "C1: kind " + PLAIN_COMMIT + " or " + COMMIT;
      throw new CorruptionException("log record", KIND, expected, Byte.toString(kind));
    }
    to.stamp(from.getLong());
    readTotals(from, to);
    int spaces = number(from, "C2: number of spaces");
    int previous = -1;
    for (int i = 0; i < spaces; i++) {
      int space = number(from, "C2: space");
      if (space <= previous) {
        throw invalid(from, "C2: a space above " + previous, space);
      }
      previous = space;
      readSpace(from, kind, space, to);
    }
    if (from.hasRemaining()) {
      throw invalid(from, "C1: the end", from.remaining() + " more bytes");
    }
  }

  private static void readTotals(ByteBuffer from, Reader to) {
    int count = number(from, "C1: number of totals");
    int previous = -1;
    for (int i = 0; i < count; i++) {
      int counter = number(from, "C2: counter");
      if (counter <= previous) {
        throw invalid(from, "C2: a counter above " + previous, counter);
      }
      previous = counter;
      to.total(counter, Varints.getSigned(from));
    }
  }

  private static void readSpace(ByteBuffer from, int kind, int space, Reader to)
      throws IOException {
    int count = number(from, "C2: number of entries");
    if (count == 0) {
      throw invalid(from, "C2: an entry", "an empty space");
    }
    byte[] previous = NO_KEY;
    for (int i = 0; i < count; i++) {
      if (!from.hasRemaining()) {
        throw invalid(from, "C1: an op", "the end");
      }
      int op = from.get();
      boolean differs = kind == COMMIT && (op & 0xff) >>> COMMON_SHIFT == DIFFERENCE;
      byte[] key =
          differs
              ? readDifference(from, space, op, previous)
              : readKey(from, space, op & 0xff, previous);
      if (i > 0 && Arrays.compareUnsigned(previous, key) >= 0) {
        throw invalid(from, "C3: a key above the one before", "another");
      }
      previous = key;
      boolean put = (op & REMOVAL) == 0;
      to.write(space, key, put ? bytes(from, number(from, "C1: value length")) : null);
    }
  }

  private static byte[] readDifference(ByteBuffer from, int space, int op, byte[] previous) {
    if (space != KeySpace.EDGES || (op & ZEROS) != 0) {
      throw invalid(from, "C1: a difference of edges", "op " + op + " in space " + space);
    }
    return KeyDifference.read(from, previous);
  }

  private static byte[] readKey(ByteBuffer from, int space, int op, byte[] previous) {
    int common = op >>> COMMON_SHIFT;
    if (common > previous.length) {
      throw invalid(from, "C1: at most " + previous.length + " bytes in common", common);
    }
    int length =
        space == KeySpace.EDGES
            ? edgeKeyLength(from, common, previous)
            : number(from, "C1: key length");
    int rest = length - common - zeros(op);
    if (rest < 0 || rest > from.remaining()) { // before anything is allocated by it
      throw invalid(from, "C1: " + rest + " bytes of a key", from.remaining());
    }
    byte[] key = Arrays.copyOf(previous, length);
    Arrays.fill(key, common, length, (byte) 0);
    from.get(key, common, rest);
    return key;
  }

  private static int edgeKeyLength(ByteBuffer from, int common, byte[] previous) {
    int tag = EdgeKey.TAG_LABEL - common; // its first byte, seen from here
    if (tag >= from.remaining()) {
      throw invalid(from, "C1: the tag of an edge", "the end");
    }
    return EdgeKey.length(
        (tag < 0 ? previous[EdgeKey.TAG_LABEL] : from.get(from.position() + tag)) << 24);
  }

  private static int number(ByteBuffer from, String what) {
    long value = Varints.get(from);
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw invalid(from, what + " of 31 bits", Long.toUnsignedString(value));
    }
    return (int) value;
  }

  private static byte[] bytes(ByteBuffer from, int length) {
    if (length > from.remaining()) { // before anything is allocated by it
      throw invalid(from, "C1: " + length + " bytes", from.remaining());
    }
    byte[] bytes = new byte[length];
    from.get(bytes);
    return bytes;
  }

  private static CorruptionException invalid(ByteBuffer from, String expected, Object found) {
    return new CorruptionException("log record", from.position(), expected, found.toString());
  }
}

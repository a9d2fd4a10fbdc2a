package io.bg3.core.commit;

import io.bg3.core.entry.EdgeKey;
import io.bg3.storage.format.CorruptionException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The key of an edge's entry as the bytes in which it differs from the key before. Ids of eight
 * bytes have five or six that are alike, at the beginning of the owner and of the neighbour.
 *
 * <pre>
 *  size  field
 *     3  mask    a bit for each byte of a key of 24, lowest first, set if the byte differs
 *     …  bytes   those that differ
 *     1  mask    of the bytes behind, of a key with a sort key
 *     …  bytes
 * </pre>
 *
 * <p>The key before the first is {@link #FIRST}. A byte behind the end of the key before is 0.
 */
final class KeyDifference {
  /** What the first key of a commit is compared with. */
  private static final byte[] FIRST = EdgeKey.encode(0, EdgeKey.tagLabel(EdgeKey.OUT, 1), 0, 0);

  /** Bytes of the mask of a key without a sort key. */
  static final int MASK_BYTES = EdgeKey.LENGTH / Byte.SIZE;

  private KeyDifference() {}

  /**
   * The bytes that {@link #write} writes.
   *
   * @param previous the key before; empty for the first
   */
  static int size(byte[] previous, byte[] key) {
    byte[] before = before(previous);
    int size = key.length / Byte.SIZE;
    for (int i = 0; i < key.length; i++) {
      size += differs(before, key, i) ? 1 : 0;
    }
    return size;
  }

  /** Appends a key. */
  static void write(byte[] previous, byte[] key, ByteBuffer to) {
    byte[] before = before(previous);
    write(before, key, 0, EdgeKey.LENGTH, to);
    if (key.length > EdgeKey.LENGTH) {
      write(before, key, EdgeKey.LENGTH, key.length, to);
    }
  }

  private static void write(byte[] before, byte[] key, int from, int end, ByteBuffer to) {
    int maskAt = to.position();
    to.position(maskAt + (end - from) / Byte.SIZE);
    for (int at = from; at < end; at += Byte.SIZE) {
      int mask = 0;
      for (int i = 0; i < Byte.SIZE; i++) {
        if (differs(before, key, at + i)) {
          mask |= 1 << i;
          to.put(key[at + i]);
        }
      }
      to.put(maskAt + (at - from) / Byte.SIZE, (byte) mask);
    }
  }

  /**
   * Reads a key.
   *
   * @throws CorruptionException if the bytes end before the key
   */
  static byte[] read(ByteBuffer from, byte[] previous) {
    byte[] key = Arrays.copyOf(before(previous), EdgeKey.INDEX_LENGTH);
    read(from, key, 0, EdgeKey.LENGTH);
    if (!EdgeKey.isIndex(EdgeKey.tagLabel(key))) {
      return Arrays.copyOf(key, EdgeKey.LENGTH);
    }
    read(from, key, EdgeKey.LENGTH, EdgeKey.INDEX_LENGTH);
    return key;
  }

  private static void read(ByteBuffer from, byte[] key, int begin, int end) {
    int maskAt = from.position();
    require(from, (end - begin) / Byte.SIZE);
    from.position(maskAt + (end - begin) / Byte.SIZE);
    for (int at = begin; at < end; at += Byte.SIZE) {
      int mask = from.get(maskAt + (at - begin) / Byte.SIZE) & 0xFF;
      require(from, Integer.bitCount(mask));
      for (; mask != 0; mask &= mask - 1) {
        key[at + Integer.numberOfTrailingZeros(mask)] = from.get();
      }
    }
  }

  private static void require(ByteBuffer from, int bytes) {
    if (from.remaining() < bytes) {
      throw new CorruptionException(
          "log record", from.position(), "C1: " + bytes + " bytes of a key", "the end");
    }
  }

  private static byte[] before(byte[] previous) {
    return previous.length == 0 ? FIRST : previous;
  }

  private static boolean differs(byte[] before, byte[] key, int i) {
    return key[i] != (i < before.length ? before[i] : 0);
  }
}

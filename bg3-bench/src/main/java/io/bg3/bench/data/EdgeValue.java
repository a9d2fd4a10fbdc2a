package io.bg3.bench.data;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The value of an edge: {@value #SHORTEST} to {@value #LONGEST} bytes that cannot be compressed, a
 * function of the edge and of how often it was overwritten.
 */
public final class EdgeValue {
  /** Bytes of the shortest value. */
  public static final int SHORTEST = 16;

  /** Bytes of the longest value. */
  public static final int LONGEST = 40;

  /** Bytes of a key: source, label, target. */
  public static final int KEY = 20;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private EdgeValue() {}

  /**
   * Puts the value into an array of at least {@value #LONGEST} bytes and returns its length.
   *
   * @param version 0 when the edge is new
   */
  public static int fill(long source, long target, int version, byte[] into) {
    long random = SeededHash.of(SeededHash.of(source, target), version);
    for (int offset = 0; offset < LONGEST; offset += Long.BYTES) {
      LONGS.set(into, offset, SeededHash.of(random, offset));
    }
    return SHORTEST + (int) SeededHash.below(random, LONGEST - SHORTEST + 1);
  }

  /** The first eight bytes of a value as a number: where an application would keep a timestamp. */
  public static long first(byte[] value) {
    return first(value, 0);
  }

  /** The first eight bytes of a value that stands in an array from an index on, as a number. */
  public static long first(byte[] array, int start) {
    return (long) LONGS.get(array, start);
  }

  /**
   * A number that depends on the length and on the first and last eight bytes of a value, so that a
   * thread that has read the value has touched all of it.
   *
   * @param first the first eight bytes, big-endian
   * @param last the last eight
   */
  public static long checksum(long first, long last, int length) {
    return (first * 31 + last) * 31 + length;
  }

  /** The checksum of the first {@code length} bytes of an array. */
  public static long checksum(byte[] value, int length) {
    return checksum(
        (long) LONGS.get(value, 0), (long) LONGS.get(value, length - Long.BYTES), length);
  }
}

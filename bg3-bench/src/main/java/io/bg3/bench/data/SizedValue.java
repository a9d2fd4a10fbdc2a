package io.bg3.bench.data;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The value of an edge in a graph whose values all have one size: bytes that cannot be compressed,
 * a function of the edge.
 */
public final class SizedValue {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private SizedValue() {}

  /** Fills an array of 8 bytes or more with the value of an edge that has this size. */
  public static void fill(long source, long target, byte[] into) {
    long random = SeededHash.of(source, target);
    int last = into.length - Long.BYTES;
    for (int offset = 0; offset < last; offset += Long.BYTES) {
      LONGS.set(into, offset, SeededHash.of(random, offset));
    }
    LONGS.set(into, last, SeededHash.of(random, last));
  }
}

package io.bg3.bench.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

/** The values depend on their edge alone, fill their array, and cannot be compressed. */
class SizedValueTest {
  private static byte[] value(long source, long target, int length) {
    byte[] value = new byte[length];
    SizedValue.fill(source, target, value);
    return value;
  }

  @Test
  void aValueIsAFunctionOfItsEdge() {
    assertArrayEquals(value(1, 2, 100), value(1, 2, 100));
    assertFalse(Arrays.equals(value(1, 2, 100), value(2, 1, 100)));
    assertFalse(Arrays.equals(value(1, 2, 100), value(1, 3, 100)));
  }

  @Test
  void aValueCannotBeCompressed() {
    for (int length : new int[] {65, 100, 1_024, 4_093, 4_096}) {
      Deflater deflater = new Deflater();
      deflater.setInput(value(7, 9, length));
      deflater.finish();
      int compressed = deflater.deflate(new byte[2 * length]);
      deflater.end();
      assertTrue(compressed >= length, "length=" + length + ", compressed=" + compressed);
    }
  }
}

package io.bg3.storage.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Encodes and decodes at every length, and decodes what was never encoded. */
class VarintsTest {
  @Test
  void everyValueIsReadBackFromAsManyBytesAsItsSizeSays() {
    Random random = new Random(1);
    for (int i = 0; i < 100_000; i++) {
      long value = random.nextLong() >>> random.nextInt(64);
      assertRoundTrip(value);
      assertRoundTrip(-value);
    }
    for (int bit = 0; bit < 64; bit++) {
      assertRoundTrip(1L << bit);
      assertRoundTrip((1L << bit) - 1);
    }
  }

  @Test
  void sizesGrowByOneEverySevenBits() {
    assertEquals(1, Varints.size(0));
    assertEquals(1, Varints.size(127));
    assertEquals(2, Varints.size(128));
    assertEquals(9, Varints.size(Long.MAX_VALUE));
    assertEquals(10, Varints.size(-1));
    assertEquals(1, Varints.sizeSigned(-64));
    assertEquals(2, Varints.sizeSigned(64));
  }

  @Test
  void garbageIsRefusedOrIsTheOneEncodingOfItsValue() {
    Random random = new Random(2);
    for (int i = 0; i < 200_000; i++) {
      byte[] bytes = new byte[random.nextInt(12)];
      random.nextBytes(bytes);
      for (int at = 0; at < bytes.length && random.nextInt(8) != 0; at++) {
        bytes[at] |= (byte) 0x80;
      }
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      try {
        long value = Varints.get(buffer);
        ByteBuffer again = ByteBuffer.allocate(Varints.MAX_BYTES);
        Varints.put(again, value);
        assertEquals(ByteBuffer.wrap(bytes, 0, buffer.position()), again.flip());
      } catch (CorruptionException e) {
        assertEquals(0, e.offset());
      }
    }
  }

  @Test
  void damageIsToldWithTheFileItCameFrom() {
    ByteBuffer truncated = ByteBuffer.wrap(new byte[] {0, (byte) 0x80}).position(1);
    CorruptionException damage =
        assertThrows(CorruptionException.class, () -> Varints.get(truncated)).in("f", 100);
    assertEquals("f", damage.file());
    assertEquals(101, damage.offset());
    assertTrue(
        damage.getMessage().startsWith("corrupt: file=f, offset=101, expected=V1"),
        damage.getMessage());
  }

  private static void assertRoundTrip(long value) {
    ByteBuffer bytes = ByteBuffer.allocate(Varints.MAX_BYTES);
    Varints.put(bytes, value);
    assertEquals(Varints.size(value), bytes.position());
    assertEquals(value, Varints.get(bytes.flip()));
    assertEquals(0, bytes.remaining());
    bytes.clear();
    Varints.putSigned(bytes, value);
    assertEquals(Varints.sizeSigned(value), bytes.position());
    assertEquals(value, Varints.getSigned(bytes.flip()));
  }
}

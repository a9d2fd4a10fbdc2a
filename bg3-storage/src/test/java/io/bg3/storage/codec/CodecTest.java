package io.bg3.storage.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.storage.format.CorruptionException;
import io.bg3.testing.Seeds;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compresses bytes and decompresses them, whole and damaged, between all kinds of buffers. Around
 * the place that a codec may write to lie bytes that it must leave alone. A failure prints its
 * seed; repeat it with {@code -Dbg3.seed=…}.
 */
class CodecTest {
  private static final int MARGIN = 32;
  private static final byte MARK = 0x5A;

  static LongStream seeds() {
    return Seeds.of(20);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsCompressedComesBack(long seed) {
    Random random = new Random(seed);
    for (String way : List.of("lz4", "zstd", "zstd:3", "zstd:19")) {
      Compressor compressor = new Compressor(Compression.of(way));
      byte[] plain = sample(random);
      ByteBuffer compressed = compressor.compress(ByteBuffer.wrap(plain));
      assertTrue(compressed.remaining() < plain.length, Seeds.say(seed));
      Codec codec = compressor.compression().codec();
      for (boolean direct : new boolean[] {false, true}) {
        ByteBuffer from = buffer(bytes(compressed), direct, random.nextInt(9));
        ByteBuffer into = framed(plain.length, random.nextBoolean());
        assertEquals(plain.length, codec.decompress(from, into), Seeds.say(seed));
        assertArrayEquals(plain, bytes(into), Seeds.say(seed));
        assertMarginsKept(into, seed);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void damagedBytesWriteNothingOutsideOfTheirPlace(long seed) {
    Random random = new Random(seed);
    for (Codec codec : new Codec[] {Codec.LZ4, Codec.ZSTD}) {
      byte[] plain = sample(random);
      Compressor compressor = new Compressor(new Compression(codec, 1, false));
      byte[] compressed = bytes(compressor.compress(ByteBuffer.wrap(plain)));
      for (int i = 0; i < 300; i++) {
        byte[] damaged = damage(compressed, random);
        ByteBuffer from = buffer(damaged, random.nextBoolean(), 0);
        ByteBuffer into = framed(random.nextInt(2 * plain.length), random.nextBoolean());
        try {
          int length = codec.decompress(from, into);
          assertTrue(length >= 0 && length <= into.remaining(), Seeds.say(seed));
        } catch (CorruptionException e) {
          assertTrue(e.getMessage().contains(codec.name()), e.getMessage());
        }
        assertMarginsKept(into, seed);
      }
    }
  }

  @Test
  void aPlaceThatIsTooSmallIsRefused() {
    byte[] plain = new byte[1_000];
    for (Codec codec : new Codec[] {Codec.LZ4, Codec.ZSTD}) {
      Compressor compressor = new Compressor(new Compression(codec, 1, false));
      ByteBuffer compressed = compressor.compress(ByteBuffer.wrap(plain));
      assertThrows(
          CorruptionException.class,
          () -> codec.decompress(compressed, ByteBuffer.allocate(plain.length - 1)));
    }
  }

  @Test
  void bytesThatSaveTooLittleStayAsTheyAre() {
    byte[] noise = new byte[4_000];
    new Random(1).nextBytes(noise);
    for (String way : List.of("none", "packed", "lz4", "zstd")) {
      assertNull(new Compressor(Compression.of(way)).compress(ByteBuffer.wrap(noise)), way);
    }
    assertFalse(Compressor.isWorth(1_600, 1_501));
    assertTrue(Compressor.isWorth(1_600, 1_500));
  }

  @Test
  void bytesAreNotCompressedBeyondWhatMayBeDecoded() {
    byte[] zeros = new byte[64 << 20];
    assertNull(new Compressor(Compression.of("zstd")).compress(ByteBuffer.wrap(zeros)));
    assertTrue(Codec.mayDecode(1, 1 << 20));
    assertFalse(Codec.mayDecode(1, (1 << 20) + 1));
    assertTrue(Codec.mayDecode(1 << 20, 256L << 20));
  }

  @Test
  void settingsAreRead() {
    assertEquals(Compression.NONE, Compression.of("none"));
    assertEquals(new Compression(Codec.NONE, 0, true), Compression.of("packed"));
    assertEquals(new Compression(Codec.LZ4, 0, true), Compression.of("lz4"));
    assertEquals(new Compression(Codec.ZSTD, 1, true), Compression.of("zstd"));
    assertEquals(new Compression(Codec.ZSTD, 19, true), Compression.of("zstd:19"));
    for (String text : List.of("", "zstd:0", "zstd:20", "zstd:", "lz4:1", "ZSTD", "none ")) {
      assertFalse(Compression.isValid(text), text);
      assertThrows(IllegalArgumentException.class, () -> Compression.of(text));
    }
  }

  @Test
  void aCompressorTellsWhatItStores() {
    Compressor compressor = Compressor.none();
    compressor.count(1_000, 250);
    compressor.count(1_000, 750);
    assertEquals(2_000, compressor.plainBytes());
    assertEquals(1_000, compressor.storedBytes());
  }

  /** Bytes that can be compressed. */
  private static byte[] sample(Random random) {
    byte[] bytes = new byte[200 + random.nextInt(20_000)];
    byte[] word = new byte[40];
    random.nextBytes(word);
    for (int at = 0; at < bytes.length; ) {
      int length = Math.min(10 + random.nextInt(30), bytes.length - at);
      System.arraycopy(word, random.nextInt(word.length - length + 1), bytes, at, length);
      at += length;
    }
    return bytes;
  }

  private static byte[] damage(byte[] bytes, Random random) {
    if (random.nextInt(4) == 0) {
      return Arrays.copyOf(bytes, random.nextInt(2 * bytes.length));
    }
    byte[] damaged = bytes.clone();
    for (int i = random.nextInt(4); i >= 0; i--) {
      damaged[random.nextInt(random.nextBoolean() ? Math.min(16, bytes.length) : bytes.length)] =
          (byte) random.nextInt();
    }
    return damaged;
  }

  /** A buffer with these bytes between its position and its limit. */
  private static ByteBuffer buffer(byte[] bytes, boolean direct, int before) {
    int length = before + bytes.length + before;
    ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
    return buffer.position(before).put(bytes).flip().position(before);
  }

  /** A buffer with room for so many bytes between marks. */
  private static ByteBuffer framed(int length, boolean direct) {
    int all = MARGIN + length + MARGIN;
    ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(all) : ByteBuffer.allocate(all);
    for (int i = 0; i < all; i++) {
      buffer.put(i, MARK);
    }
    return buffer.position(MARGIN).limit(MARGIN + length);
  }

  private static void assertMarginsKept(ByteBuffer into, long seed) {
    for (int i = 0; i < MARGIN; i++) {
      assertEquals(MARK, into.duplicate().clear().get(i), Seeds.say(seed));
      assertEquals(MARK, into.duplicate().clear().get(into.capacity() - 1 - i), Seeds.say(seed));
    }
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }
}

package io.bg3.core.block;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.storage.format.CorruptionException;
import io.bg3.testing.Seeds;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Packs columns of random numbers and unpacks them, whole and damaged. A failure prints its seed;
 * repeat it with {@code -Dbg3.seed=…}.
 */
class ColumnPackingTest {
  private static final long[] EXTREMES = {
    0, 1, -1, 127, 128, 255, 256, 0xFFFF, 1L << 31, 1L << 56, Long.MAX_VALUE, Long.MIN_VALUE
  };

  private final ColumnPacking packing = new ColumnPacking();

  static LongStream seeds() {
    return Seeds.of(100);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsPackedComesBack(long seed) {
    Random random = new Random(seed);
    Columns columns = columns(random);
    ByteBuffer block = block(columns, random);
    ByteBuffer packed = packing.pack(block, columns);
    for (boolean direct : new boolean[] {false, true}) {
      ByteBuffer from = direct ? direct(packed) : packed;
      ByteBuffer into = filled(block.capacity(), direct);
      packing.unpack(from, into);
      assertEquals(block.clear(), into.clear(), Seeds.say(seed));
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void damagedBytesAreRefusedOrStandForOtherNumbers(long seed) {
    Random random = new Random(seed);
    Columns columns = columns(random);
    ByteBuffer block = block(columns, random);
    ByteBuffer whole = packing.pack(block, columns);
    byte[] packed = new byte[whole.capacity()];
    whole.get(0, packed);
    for (int i = 0; i < 100; i++) {
      byte[] damaged = damage(packed, random);
      int length = random.nextInt(3) == 0 ? random.nextInt(2_000) : block.capacity();
      ByteBuffer into = filled(length, random.nextBoolean());
      try {
        packing.unpack(ByteBuffer.wrap(damaged).order(ByteOrder.LITTLE_ENDIAN), into);
      } catch (CorruptionException e) {
        assertTrue(e.offset() <= damaged.length, e.getMessage());
      } catch (RuntimeException | Error e) {
        throw new AssertionError(Seeds.say(seed), e);
      }
    }
  }

  @Test
  void anIdTakesItsDistanceFromTheOthersAndNotEightBytes() {
    ByteBuffer ids = allocate(1_024 * Long.BYTES);
    Random random = new Random(1);
    for (int i = 0; i < 1_024; i++) {
      ids.putLong(i * Long.BYTES, 5_000_000_000L + random.nextInt(1 << 20));
    }
    int bytes = packing.pack(ids, new Columns().longs(1_024)).capacity();
    assertTrue(bytes <= 1_024 * 20 / 8 + 8 * 7 + 3, "bytes=" + bytes);
  }

  @Test
  void neighboursInOrderTakeTheirGaps() {
    ByteBuffer ids = allocate(1_024 * Long.BYTES);
    for (int i = 0; i < 1_024; i++) {
      ids.putLong(i * Long.BYTES, 1_000_000_000L + 7L * i + i % 3);
    }
    int bytes = packing.pack(ids, new Columns().longs(1_024)).capacity();
    assertTrue(bytes <= 1_024 * 2 / 8 + 8 * 2 + 128 * 4 + 12, "bytes=" + bytes);
  }

  @Test
  void equalNumbersTakeNoBits() {
    ByteBuffer ids = allocate(1_024 * Long.BYTES);
    for (int i = 0; i < 1_024; i++) {
      ids.putLong(i * Long.BYTES, -3);
    }
    assertEquals(3 + 8 * 2, packing.pack(ids, new Columns().longs(1_024)).capacity());
  }

  @Test
  void stampsTakeTheirMillisecondsAndTheirCounters() {
    ByteBuffer stamps = allocate(128 * Long.BYTES);
    for (int i = 0; i < 128; i++) {
      long millis = 1_700_000_000_000L + i * 8L % 1_000;
      stamps.putLong(i * Long.BYTES, millis << PackedRows.COUNTER_BITS | i % 4);
    }
    int bytes = packing.pack(stamps, new Columns().stamps(128)).capacity();
    assertTrue(bytes <= 3 + 7 + 128 * 10 / 8 + 2 + 128 * 2 / 8, "bytes=" + bytes);
  }

  @Test
  void columnsOfAnotherLengthAreRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> packing.pack(allocate(16), new Columns().longs(1)));
    ByteBuffer packed = packing.pack(allocate(16), new Columns().longs(2));
    for (int length : new int[] {0, 8, 15, 17, 24}) {
      assertThrows(
          CorruptionException.class, () -> packing.unpack(packed, allocate(length)), "" + length);
    }
  }

  private static Columns columns(Random random) {
    Columns columns = new Columns();
    int size = 1 + random.nextInt(16);
    for (int i = 0; i < size; i++) {
      int most = random.nextInt(5) == 0 ? 1_000 : 140;
      int count = random.nextInt(most);
      switch (random.nextInt(8)) {
        case 0 -> columns.raw(count);
        case 1 -> columns.sparse(count);
        case 2 -> columns.bytes(count);
        case 3 -> columns.indexes(count, Short.BYTES);
        case 4 -> columns.ints(count);
        case 5 -> columns.longs(count);
        case 6 -> columns.stamps(count);
        default -> columns.runs(count);
      }
    }
    return columns;
  }

  /** A block of these columns, each with numbers of one of several patterns. */
  private static ByteBuffer block(Columns columns, Random random) {
    ByteBuffer block = allocate(columns.length());
    int at = 0;
    for (int i = 0; i < columns.size(); i++) {
      int end = at + columns.kind(i).bytes * columns.count(i);
      int pattern = random.nextInt(6);
      int width = Math.min(8, columns.kind(i).bytes);
      int bits = 1 + random.nextInt(63);
      long number = random.nextLong() >> random.nextInt(64);
      for (; at < end; at += width) {
        switch (pattern) {
          case 0 -> number = random.nextLong();
          case 1 -> number = EXTREMES[random.nextInt(EXTREMES.length)];
          case 2 -> number += random.nextInt(100);
          case 3 -> number = random.nextLong() >>> bits;
          case 4 -> number = random.nextInt(10) == 0 ? random.nextLong() : 0;
          default -> number += 0;
        }
        put(block, at, width, number);
      }
    }
    return block;
  }

  private static void put(ByteBuffer block, int at, int width, long number) {
    switch (width) {
      case 1 -> block.put(at, (byte) number);
      case 2 -> block.putShort(at, (short) number);
      case 4 -> block.putInt(at, (int) number);
      default -> block.putLong(at, number);
    }
  }

  private static byte[] damage(byte[] packed, Random random) {
    if (packed.length == 0 || random.nextInt(4) == 0) {
      return Arrays.copyOf(packed, random.nextInt(packed.length + 20));
    }
    byte[] damaged = packed.clone();
    for (int i = random.nextInt(4); i >= 0; i--) {
      int most = random.nextBoolean() ? Math.min(24, packed.length) : packed.length;
      damaged[random.nextInt(most)] = (byte) random.nextInt();
    }
    return damaged;
  }

  private static ByteBuffer filled(int length, boolean direct) {
    ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
    for (int i = 0; i < length; i++) {
      buffer.put(i, (byte) 0x5A);
    }
    return buffer.order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteBuffer direct(ByteBuffer bytes) {
    return ByteBuffer.allocateDirect(bytes.capacity())
        .put(bytes.duplicate().clear())
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteBuffer allocate(int length) {
    return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
  }
}

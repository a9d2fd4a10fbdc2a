package io.bg3.core.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.limit.LimitExceededException;
import io.bg3.storage.format.CorruptionException;
import io.bg3.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Encodes values of every class and reads them back, then reads bytes that nobody wrote: random
 * ones, and good ones with bits flipped, cut or prolonged. Repeat a run with {@code -Dbg3.seed=N}.
 */
class ValueCodecTest {
  private static final int ROUNDS = 20_000;

  @Test
  void everyValueComesBackAsItWas() {
    for (Object value : SampleValues.all()) {
      Object back = ValueCodec.decode(ValueCodec.encode(value));
      assertTrue(
          SampleValues.same(value, back), () -> value.getClass() + ": " + value + " / " + back);
    }
  }

  @Test
  @SuppressWarnings("JavaUtilDate") // classes that can be stored
  void datesOfSqlComeBackAsDates() {
    for (java.util.Date date :
        List.of(
            new java.sql.Timestamp(1_767_225_600_123L),
            new java.sql.Timestamp(-1L),
            new java.sql.Date(1_767_225_600_000L),
            new java.sql.Time(3_600_000L))) {
      Object back = ValueCodec.decode(ValueCodec.encode(date));
      assertEquals(java.util.Date.class, back.getClass());
      assertEquals(date.getTime(), ((java.util.Date) back).getTime());
      assertTrue(ValueCodec.allows(date));
    }
  }

  @Test
  @SuppressWarnings("JavaUtilDate") // a class that can be stored
  void partsOfAMillisecondAreNotLost() {
    java.sql.Timestamp fine = new java.sql.Timestamp(1L);
    fine.setNanos(1_000_001);
    UnsupportedValueException refused =
        assertThrows(UnsupportedValueException.class, () -> ValueCodec.encode(fine));
    assertTrue(refused.getMessage().contains("java.time.Instant"), refused.getMessage());
    assertThrows(UnsupportedValueException.class, () -> ValueCodec.encode(List.of(fine)));
  }

  @Test
  void aValueWithoutAFormIsRefusedByItsClass() {
    for (Object value :
        List.of(Thread.State.NEW, new Object(), new java.util.BitSet(), new Integer[] {1})) {
      UnsupportedValueException refused =
          assertThrows(UnsupportedValueException.class, () -> ValueCodec.encode(value));
      assertTrue(refused.getMessage().contains(value.getClass().getName()), refused.getMessage());
    }
  }

  @Test
  void samplesCoverEveryTag() {
    Set<ValueTag> covered = EnumSet.of(ValueTag.NULL);
    for (Object value : SampleValues.all()) {
      covered.add(ValueTag.of(ValueCodec.encode(value)[0] & 0xFF));
    }
    assertEquals(EnumSet.allOf(ValueTag.class), covered);
  }

  @Test
  void tagsAreTheOnesOnDisk() {
    StringBuilder tags = new StringBuilder();
    for (ValueTag tag : ValueTag.values()) {
      tags.append(tag).append('=').append(tag.code()).append(' ');
    }
    assertEquals(
        "NULL=0 FALSE=1 TRUE=2 BYTE=3 SHORT=4 INT=5 LONG=6 FLOAT=7 DOUBLE=8 BIG_INTEGER=9"
            + " BIG_DECIMAL=10 STRING=11 STRING_UTF16=12 CHAR=13 UUID=14 OFFSET_DATE_TIME=20"
            + " ZONED_DATE_TIME=21 LOCAL_DATE_TIME=22 LOCAL_DATE=23 LOCAL_TIME=24 OFFSET_TIME=25"
            + " INSTANT=26 DURATION=27 PERIOD=28 YEAR=29 YEAR_MONTH=30 MONTH_DAY=31 ZONE_OFFSET=32"
            + " DATE=33 BYTES=40 BOOLEANS=41 SHORTS=42 CHARS=43 INTS=44 LONGS=45 FLOATS=46"
            + " DOUBLES=47 STRINGS=48 BYTE_BUFFER=49 LIST=56 SET=57 MAP=58 ",
        tags.toString());
  }

  @Test
  void refusesWhatItCannotKeep() {
    assertThrows(UnsupportedValueException.class, () -> ValueCodec.encode(null));
    assertThrows(UnsupportedValueException.class, () -> ValueCodec.encode(new Object()));
    assertThrows(UnsupportedValueException.class, () -> ValueCodec.encode(List.of(Thread.class)));
    assertFalse(ValueCodec.allows(Thread.currentThread()));
  }

  @Test
  void refusesCollectionsThatAreNestedTooDeep() {
    Object deep = nested(ValueCodec.MAX_DEPTH);
    assertTrue(SampleValues.same(deep, ValueCodec.decode(ValueCodec.encode(deep))));
    Object deeper = nested(ValueCodec.MAX_DEPTH + 1);
    assertThrows(LimitExceededException.class, () -> ValueCodec.encode(deeper));
    byte[] bottomless = new byte[1000];
    Arrays.fill(bottomless, (byte) 1);
    for (int i = 0; i < bottomless.length; i += 2) {
      bottomless[i] = (byte) ValueTag.LIST.code();
    }
    assertThrows(CorruptionException.class, () -> ValueCodec.decode(bottomless));
  }

  private static Object nested(int depth) {
    List<Object> list = new ArrayList<>();
    for (int i = 1; i < depth; i++) {
      list = new ArrayList<>(List.of(list));
    }
    return list;
  }

  @Test
  void saysWhereBytesAreNoValue() {
    CorruptionException e =
        assertThrows(CorruptionException.class, () -> ValueCodec.decode(new byte[] {56, 1, 99}));
    assertEquals(
        "corrupt: file=property value, offset=2, expected=V1: a value tag, found=99",
        e.getMessage());
  }

  @Test
  void anyBytesAreAValueOrCorrupt() {
    long seed = Seeds.one();
    Random random = new Random(seed);
    List<Object> samples = SampleValues.all();
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes =
          random.nextInt(4) == 0
              ? noise(random)
              : damaged(random, ValueCodec.encode(samples.get(random.nextInt(samples.size()))));
      try {
        Object value = ValueCodec.decode(bytes);
        assertTrue(
            ValueCodec.allows(value), () -> "seed=" + seed + ", value=" + Arrays.toString(bytes));
      } catch (CorruptionException e) {
        assertTrue(e.getMessage().startsWith("corrupt: "), e.getMessage());
      } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
        throw new AssertionError("seed=" + seed + ", bytes=" + Arrays.toString(bytes), e);
      }
    }
  }

  private static byte[] noise(Random random) {
    byte[] bytes = new byte[random.nextInt(40)];
    random.nextBytes(bytes);
    return bytes;
  }

  static byte[] damaged(Random random, byte[] bytes) {
    int length = Math.max(0, bytes.length + random.nextInt(7) - 3);
    byte[] damaged = Arrays.copyOf(bytes, random.nextBoolean() ? bytes.length : length);
    for (int flips = random.nextInt(4); flips > 0 && damaged.length > 0; flips--) {
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return damaged;
  }
}

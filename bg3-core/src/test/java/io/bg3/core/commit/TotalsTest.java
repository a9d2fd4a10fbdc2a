package io.bg3.core.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.Horizon;
import io.bg3.storage.format.CorruptionException;
import io.bg3.testing.Seeds;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares totals with a map from stamp to value, while snapshots are opened and closed and
 * versions pruned.
 */
class TotalsTest {
  static java.util.stream.LongStream seeds() {
    return Seeds.of(20);
  }

  private static TotalIncrements one(int counter, long amount) {
    TotalIncrements increments = new TotalIncrements();
    increments.add(counter, amount);
    return increments;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aSnapshotReadsTheValueOfItsTime(long seed) {
    Random random = new Random(seed);
    Totals totals = new Totals();
    TreeMap<Long, Long> model = new TreeMap<>(Map.of(0L, 0L));
    TreeMap<Long, Integer> open = new TreeMap<>();
    long[] visible = {0};
    totals.pruneBy(
        () -> {
          long[] snapshots = open.keySet().stream().mapToLong(Long::longValue).toArray();
          long floor = snapshots.length == 0 ? visible[0] : Math.min(visible[0], snapshots[0]);
          return new Horizon(visible[0], floor, snapshots);
        });
    for (int step = 0; step < 2_000; step++) {
      long stamp = visible[0] + 1 + random.nextInt(5);
      long amount = random.nextInt(20) - 10L;
      totals.add(one(3, amount), stamp);
      model.put(stamp, model.lastEntry().getValue() + amount);
      visible[0] = stamp;
      if (random.nextInt(10) == 0) {
        open.put(stamp, 1);
      }
      if (!open.isEmpty() && random.nextInt(10) == 0) {
        open.remove(random.nextBoolean() ? open.firstKey() : open.lastKey());
      }
      for (long snapshot : open.keySet()) {
        assertEquals(
            model.floorEntry(snapshot).getValue(), totals.read(3, snapshot), Seeds.say(seed));
      }
      assertEquals(model.lastEntry().getValue(), totals.read(3, stamp), Seeds.say(seed));
    }
  }

  @Test
  void versionsThatNobodyReadsGo() {
    TotalVersions versions = new TotalVersions(0, 0);
    for (int stamp = 1; stamp <= 10_000; stamp++) {
      long now = stamp - 1L;
      versions.add(
          1,
          stamp,
          () -> new Horizon(now, 500 > now ? now : 500, new long[] {500 > now ? now : 500}));
    }
    assertEquals(500, versions.read(500));
    assertEquals(10_000, versions.read(10_000));
    assertTrue(versions.count() <= 64, () -> "count=" + versions.count());
  }

  @Test
  void replayAddsOnlyWhatIsNewerThanTheCheckpoint() {
    Totals totals = new Totals();
    totals.add(one(1, 5), 10);
    totals.add(one(2, -7), 20);
    totals.add(one(1, 100), 30);
    Totals reopened = Totals.decode(totals.encode(20), "test");
    assertEquals(20, reopened.stamp());
    assertEquals(5, reopened.read(1, 20));
    for (int round = 0; round < 2; round++) {
      reopened.add(one(1, 5), 10);
      reopened.add(one(2, -7), 20);
      reopened.add(one(1, 100), 30);
    }
    assertEquals(105, reopened.read(1, 30));
    assertEquals(-7, reopened.read(2, 30));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void damagedBytesAreRefusedOrDecodeToTotals(long seed) {
    Random random = new Random(seed);
    Totals totals = new Totals();
    for (int i = 0; i < 20; i++) {
      totals.add(one(random.nextInt(1_000), random.nextLong()), i + 1);
    }
    ByteBuffer encoded = totals.encode(20);
    byte[] good = new byte[encoded.remaining()];
    encoded.get(good);
    for (int i = 0; i < 5_000; i++) {
      byte[] bad =
          Arrays.copyOf(good, random.nextInt(4) == 0 ? random.nextInt(good.length) : good.length);
      if (bad.length > 0) {
        bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
      }
      try {
        Totals.decode(ByteBuffer.wrap(bad), "test");
      } catch (CorruptionException e) {
        assertTrue(e.getMessage().contains("file=test"), e.getMessage());
      }
    }
  }

  @Test
  void moreBytesThanTheTotalsAreDamage() {
    ByteBuffer encoded = new Totals().encode(7);
    ByteBuffer longer =
        ByteBuffer.allocate(encoded.remaining() + 1).put(encoded).put((byte) 0).flip();
    assertThrows(CorruptionException.class, () -> Totals.decode(longer, "test"));
  }
}

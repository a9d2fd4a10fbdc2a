package io.bg3.core.page;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Op;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.testing.Seeds;
import java.util.Arrays;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EdgeInsertTest {
  private static final int STEPS = 60;
  private static final int OUT = EdgeKey.tagLabel(EdgeKey.OUT, 1);

  static LongStream seeds() {
    return Seeds.of(40);
  }

  /** The columns of each delta are drawn, so that each kind of column gets a row. */
  @ParameterizedTest
  @MethodSource("seeds")
  void fewEntriesMakeTheDeltaThatTheGeneralWayMakes(long seed) {
    try (PageFixture fixture = new PageFixture(seed)) {
      LeafFormat format = LeafKind.EDGES.format(fixture.memory);
      Random random = fixture.random;
      boolean values = random.nextBoolean();
      boolean tombstones = random.nextBoolean();
      boolean sequences = random.nextBoolean();
      long block = fixture.base(LeafKind.EDGES, 20);
      long base = block;
      long stamp = 2_000;
      EdgeInsert insert = new EdgeInsert();
      int quick = 0;
      int several = 0;
      int over = 0;
      for (int step = 0; step < STEPS; step++) {
        stamp += random.nextInt(5);
        Entries batch = format.newEntries();
        int most = 1 + random.nextInt(EdgeInsert.MOST);
        TreeSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
        for (int i = 0; i < most; i++) {
          keys.add(
              EdgeKey.encode(
                  random.nextInt(6) - 3,
                  EdgeKey.tagLabel(EdgeKey.OUT, random.nextInt(2)),
                  random.nextInt(40) - 20,
                  sequences ? random.nextInt(3) - 1 : 0));
        }
        for (byte[] key : keys) {
          boolean tombstone = tombstones && random.nextInt(3) == 0;
          byte[] value = new byte[values && !tombstone ? random.nextInt(30) : 0];
          random.nextBytes(value);
          long ofKey = stamp + random.nextInt(3); // a replay merges several commits
          batch.append(key, tombstone ? Op.TOMBSTONE : Op.PUT, ofKey, value);
        }
        int count = batch.count();
        long general = format.rebuildDelta(block, batch, 0, count);
        if (general == block) {
          continue; // not newer than what is there
        }
        EdgeLeaf top = (EdgeLeaf) format.view(block);
        if (top.isDelta() && stamp > top.newest) {
          long inserted = insert.delta(fixture.memory, top, (EdgeEntries) batch, 0, count);
          if (inserted != 0) {
            quick++;
            several += count > 1 ? 1 : 0;
            over += format.view(inserted).opsUnion & Op.OLDER;
            assertArrayEquals(
                bytes(fixture, general),
                bytes(fixture, inserted),
                () ->
                    "seed=" + seed + "\n" + format.print(inserted) + "\n" + format.print(general));
            format.check(inserted);
            format.free(inserted);
          }
        }
        if (block != base) {
          format.free(block);
        }
        block = general;
      }
      assertTrue(quick > 0 && several > 0 && over > 0, "seed=" + seed);
    }
  }

  @Test
  void aKeyThatTheDeltaHasGetsANewVersion() {
    try (PageFixture fixture = new PageFixture(1)) {
      LeafFormat format = LeafKind.EDGES.format(fixture.memory);
      long base = fixture.base(LeafKind.EDGES, 3);
      long delta = format.writeDelta(base, edge(format, 9, 5_000), 0, 1);
      long inserted = insert(fixture, format, delta, edge(format, 9, 5_001));
      assertNotEquals(0, inserted);
      assertEquals(2, format.deltaCount(inserted));
      assertNotEquals(0, insert(fixture, format, delta, edge(format, 8, 5_001)));
      assertNotEquals(0, insert(fixture, format, delta, edge(format, 10, 5_001)));
    }
  }

  @Test
  void whatWouldNeedAnotherColumnIsLeftToTheGeneralWay() {
    try (PageFixture fixture = new PageFixture(1)) {
      LeafFormat format = LeafKind.EDGES.format(fixture.memory);
      long base = fixture.base(LeafKind.EDGES, 3);
      long delta = format.writeDelta(base, edge(format, 9, 5_000), 0, 1);

      Entries tombstone = format.newEntries();
      tombstone.append(EdgeKey.encode(1, OUT, 8, 0), Op.TOMBSTONE, 5_001, null);
      assertEquals(0, insert(fixture, format, delta, tombstone));
      Entries value = format.newEntries();
      value.append(EdgeKey.encode(1, OUT, 8, 0), Op.PUT, 5_001, new byte[3]);
      assertEquals(0, insert(fixture, format, delta, value));
      Entries parallel = format.newEntries();
      parallel.append(EdgeKey.encode(1, OUT, 8, 1), Op.PUT, 5_001, null);
      assertEquals(0, insert(fixture, format, delta, parallel));
      Entries sorted = format.newEntries();
      int index = EdgeKey.tagLabel(EdgeKey.INDEX, 1);
      sorted.append(EdgeKey.encode(1, index, 3, 8, 0), Op.PUT, 5_001, null);
      assertEquals(0, insert(fixture, format, delta, sorted));
    }
  }

  private static Entries edge(LeafFormat format, long other, long stamp) {
    Entries batch = format.newEntries();
    batch.append(EdgeKey.encode(1, OUT, other, 0), Op.PUT, stamp, null);
    return batch;
  }

  private static long insert(PageFixture fixture, LeafFormat format, long delta, Entries batch) {
    EdgeLeaf top = (EdgeLeaf) format.view(delta);
    return new EdgeInsert().delta(fixture.memory, top, (EdgeEntries) batch, 0, batch.count());
  }

  private static byte[] bytes(PageFixture fixture, long delta) {
    byte[] bytes = new byte[LeafFormat.edges(fixture.memory).view(delta).length()];
    fixture.memory.slab(delta).get(BlockMemory.offset(delta), bytes);
    return bytes;
  }
}

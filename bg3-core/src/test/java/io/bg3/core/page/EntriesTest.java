package io.bg3.core.page;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Op;
import io.bg3.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Columns that begin only where they are needed, compared with a list of records, over clears and
 * reuse.
 */
class EntriesTest {
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Row(byte[] key, byte op, long stamp, byte[] value) {}

  static LongStream seeds() {
    return Seeds.of(20);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void columnsAnswerLikeAListAfterEveryReuse(long seed) {
    Random random = new Random(seed);
    for (LeafKind kind : LeafKind.values()) {
      try (PageFixture fixture = new PageFixture(seed)) {
        Entries entries = kind.format(fixture.memory).newEntries();
        Entries source = kind.format(fixture.memory).newEntries();
        for (int round = 0; round < 20; round++) {
          entries.clear();
          List<Row> rows = new ArrayList<>();
          int count = random.nextInt(60);
          boolean rich = random.nextBoolean();
          for (int i = 0; i < count; i++) {
            Row row = row(kind, random, rich && i > count / 2);
            if (random.nextBoolean()) {
              entries.append(row.key, row.op, row.stamp, row.value);
            } else {
              source.append(row.key, row.op, row.stamp, row.value);
              entries.append(source, source.count() - 1);
            }
            rows.add(row);
          }
          assertEquals(rows.size(), entries.count());
          for (int i = 0; i < count; i++) {
            String at = "-Dbg3.seed=" + seed + " " + kind + " row " + i;
            assertArrayEquals(rows.get(i).key, entries.key(i), at);
            assertEquals(rows.get(i).op, entries.op(i), at);
            assertEquals(rows.get(i).stamp, entries.stamp(i), at);
            assertArrayEquals(rows.get(i).value, entries.value(i), at);
          }
        }
      }
    }
  }

  @Test
  void anUnsortedBatchIsKnown() {
    EdgeEntries edges = new EdgeEntries();
    edges.append(1, 2, 5, 0, Op.PUT, 8, null);
    edges.append(1, 2, 5, 0, Op.PUT, 7, null);
    edges.append(1, 2, 6, 0, Op.PUT, 9, null);
    assertTrue(edges.isSorted());
    edges.append(1, 2, 6, 0, Op.PUT, 9, null);
    assertFalse(edges.isSorted());
  }

  private static Row row(LeafKind kind, Random random, boolean rich) {
    byte[] value = new byte[rich ? random.nextInt(300) : 0];
    random.nextBytes(value);
    return new Row(
        kind.key(random),
        rich ? (byte) random.nextInt(16) : 0,
        rich ? random.nextLong() : 0,
        value);
  }
}

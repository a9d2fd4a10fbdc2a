package io.bg3.core.page;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Op;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Applying a commit only replaces deltas, so all of a large commit for one page stands in its delta
 * at first; it is cut into pages afterwards.
 */
class LargeCommitTest {
  private static final int COUNT = 100_000;

  @ParameterizedTest
  @EnumSource
  void aCommitOfManyPagesIsOneDeltaFirst(LeafKind kind) {
    try (PageFixture fixture = new PageFixture(1)) {
      LeafFormat format = kind.format(fixture.memory);
      Entries batch = format.newEntries();
      for (int i = 0; i < COUNT; i++) {
        // of two stamps, so that the indexes of those that have one are a column
        batch.append(EdgeKey.encode(i / 1000, 1, i, 0), Op.PUT, 5 + i % 2, new byte[i % 3]);
      }
      long base = format.writeBase(PageFixture.WHOLE, batch, 0, 0, 0);
      long delta = format.writeDelta(base, batch, 0, COUNT);
      assertEquals(COUNT, format.deltaCount(delta));

      PageRead read = new PageRead();
      assertTrue(format.get(delta, batch.key(99_999), 6, read));
      Entries half = format.newEntries();
      format.copy(delta, null, null, 5, true, half);
      assertEquals(COUNT / 2, half.count());
      assertArrayEquals(batch.key(99_998), half.key(COUNT / 2 - 1));
      assertArrayEquals(batch.value(99_998), half.value(COUNT / 2 - 1));

      Entries all = format.merged(delta, Horizon.at(5));
      all.markAllUnstored();
      int[] points = format.splitPoints(all, 16 << 10, true);
      assertTrue(points.length > 50);
      int copied = 0;
      for (int i = 1; i < points.length; i++) {
        copied += points[i] - points[i - 1];
        assertTrue(format.bytes(all, points[i - 1], points[i]) <= 16 << 10);
      }
      assertEquals(COUNT, copied);
    }
  }
}

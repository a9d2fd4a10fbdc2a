package io.bg3.core.page;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.block.PageFrame;
import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.ByteEntries;
import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Op;
import io.bg3.testing.Seeds;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Cuts random entries and looks at the pieces. */
class SplitPointsTest {
  static Stream<Arguments> kindsAndSeeds() {
    return Stream.of(LeafKind.values())
        .flatMap(kind -> Seeds.of(20).mapToObj(seed -> Arguments.of(kind, seed)));
  }

  @ParameterizedTest
  @MethodSource("kindsAndSeeds")
  void noPieceExceedsTheCapacityAndNoKeyIsCutApart(LeafKind kind, long seed) {
    try (PageFixture fixture = new PageFixture(seed)) {
      LeafFormat format = kind.format(fixture.memory);
      Entries entries = fixture.entries(kind, 1 + fixture.random.nextInt(600));
      int capacity = 1024 + fixture.random.nextInt(4096);
      int[] points = format.splitPoints(entries, capacity, fixture.random.nextBoolean());
      assertEquals(0, points[0]);
      assertEquals(entries.count(), points[points.length - 1]);
      for (int i = 1; i < points.length; i++) {
        int from = points[i - 1];
        int to = points[i];
        String at = "-Dbg3.seed=" + seed + " " + Arrays.toString(points);
        assertTrue(from < to, at);
        assertTrue(format.bytes(entries, from, to) <= capacity, at);
        byte[] low = from == 0 ? null : format.separator(entries, from);
        byte[] high = to == entries.count() ? null : format.separator(entries, to);
        PageFrame frame = new PageFrame(i, 1, low, high, high == null ? 0 : i + 1);
        long block = format.writeBase(frame, entries, from, to, 0);
        format.check(block);
        PageHeader header = new PageHeader(fixture.memory).wrap(block);
        assertEquals(frame, header.frame());
        assertTrue(header.length() <= 2 * capacity, at);
        assertFalse(from > 0 && !header.isBelowLow(entries.key(from - 1)), at);
        assertFalse(to < entries.count() && !header.isAtOrAboveHigh(entries.key(to)), at);
        assertFalse(header.isBelowLow(entries.key(from)), at);
        assertFalse(header.isAtOrAboveHigh(entries.key(to - 1)), at);
      }
    }
  }

  @Test
  void keysThatAscendLeaveFullPagesBehind() {
    EdgeEntries edges = new EdgeEntries();
    for (int i = 0; i < 2050; i++) {
      edges.append(1, 2, i, 0, Op.PUT, 0, null);
    }
    try (PageFixture fixture = new PageFixture(1)) {
      LeafFormat format = LeafFormat.edges(fixture.memory);
      int[] appending = format.splitPoints(edges, 16 << 10, true);
      int[] inserting = format.splitPoints(edges, 16 << 10, false);
      assertEquals(3, appending.length);
      assertTrue(appending[1] > 1800, Arrays.toString(appending));
      assertArrayEquals(new int[] {0, 1024, 2050}, inserting);
    }
  }

  @Test
  void aPageThatFitsIsNotCut() {
    EdgeEntries edges = new EdgeEntries();
    for (int i = 0; i < 100; i++) {
      edges.append(1, 2, i, 0, Op.PUT, 0, null);
    }
    try (PageFixture fixture = new PageFixture(1)) {
      LeafFormat format = LeafFormat.edges(fixture.memory);
      assertArrayEquals(new int[] {0, 100}, format.splitPoints(edges, 1024, true));
      edges.clear();
      assertArrayEquals(new int[] {0, 0}, format.splitPoints(edges, 1024, true));
    }
  }

  @Test
  void versionsOfOneKeyStayTogetherHoweverMany() {
    ByteEntries entries = new ByteEntries();
    for (int i = 0; i < 500; i++) {
      entries.append(new byte[] {1}, Op.PUT, 1000 - i, new byte[100]);
    }
    try (PageFixture fixture = new PageFixture(1)) {
      LeafFormat format = LeafFormat.bytes(fixture.memory);
      assertArrayEquals(new int[] {0, 500}, format.splitPoints(entries, 1024, false));
    }
  }
}

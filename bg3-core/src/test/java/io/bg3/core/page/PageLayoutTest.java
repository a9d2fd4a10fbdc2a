package io.bg3.core.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.core.block.PageHeader;
import io.bg3.core.block.PageImage;
import io.bg3.core.block.ValueBlock;
import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Op;
import org.junit.jupiter.api.Test;

/**
 * Pins the numbers that the comments and docs/formats.md show, and that what is absent takes no
 * bytes.
 */
class PageLayoutTest {
  @Test
  void theHeaderIsWhereTheTableSays() {
    int[] offsets = {
      PageHeader.KIND,
      PageHeader.FLAGS,
      PageHeader.OP,
      PageHeader.LEVEL,
      PageHeader.LENGTH,
      PageHeader.PAGE_ID,
      PageHeader.TREE_ID,
      PageHeader.RIGHT_SIBLING,
      PageHeader.COUNT,
      PageHeader.STAMP_COUNT,
      PageHeader.RUNS,
      PageHeader.NEWEST_STAMP,
      PageHeader.CUT,
      PageHeader.BASE,
      PageHeader.VALUES,
      PageHeader.OWNERS,
      PageHeader.LOW_LENGTH,
      PageHeader.HIGH_LENGTH,
      PageHeader.PREFIX_LENGTH,
      PageHeader.HEAD_LENGTHS,
      PageHeader.TAIL_WIDTH,
      PageHeader.FENCES
    };
    assertEquals("0 1 2 3 4 8 12 16 20 24 28 32 40 48 56 64 72 74 76 78 79 80", text(offsets));
  }

  @Test
  void theImageIsWhereTheTableSays() {
    int[] offsets = {
      PageImage.MAGIC,
      PageImage.VERSION_AT,
      PageImage.KIND,
      PageImage.TOPOLOGY,
      PageImage.PROPERTIES,
      PageImage.CHECKSUM,
      PageImage.PARTS
    };
    assertEquals("0 4 6 8 24 40 48", text(offsets));
  }

  @Test
  void theValuesAreWhereTheTableSays() {
    int[] offsets = {
      ValueBlock.LENGTH, ValueBlock.COUNT, ValueBlock.WIDTH, ValueBlock.RESERVED, ValueBlock.ENDS
    };
    assertEquals("0 4 8 12 16", text(offsets));
  }

  @Test
  void theBitsAreThoseOfTheTable() {
    assertEquals("0 1 2 4 8", text(Op.PUT, Op.TOMBSTONE, Op.LOCATION, Op.OLDER, Op.UNSTORED));
    assertEquals(
        "1 2 4 8 16 32 64 128",
        text(
            PageHeader.FLAG_DELTA,
            PageHeader.FLAG_OPS,
            PageHeader.FLAG_ONE_STAMP,
            PageHeader.FLAG_SEQUENCES,
            PageHeader.FLAG_VALUES,
            PageHeader.FLAG_VALUES_INSIDE,
            PageHeader.FLAG_SORT_KEYS,
            PageHeader.FLAG_NO_OWNER));
  }

  @Test
  void aPlainEdgeTakesItsNeighbourAndNothingElse() {
    assertEquals(80 + 16 + 100 * 8, edgeLength(100, 0, Op.PUT, 0));
    assertEquals(80 + 16 + 100 * 8 + 8, edgeLength(100, 0, Op.PUT, 77), "all of one stamp");
    assertEquals(80 + 16 + 100 * 8, edgeLength(100, 0, Op.UNSTORED, 0), "all marked");
    assertEquals(80 + 16 + 100 * 12, edgeLength(100, 1, Op.PUT, 0), "sequences");
  }

  @Test
  void oneFreshEdgeTakesItsOwnStampAndNoColumn() {
    EdgeEntries edges = new EdgeEntries();
    for (int i = 0; i < 100; i++) {
      edges.append(1, 2, i, 0, Op.PUT, i == 50 ? 9 : 0, null);
    }
    assertEquals(80 + 16 + 100 * 8 + 16, length(edges));
  }

  @Test
  void onlyTheEntriesOfIndexesTakeSortKeys() {
    EdgeEntries edges = new EdgeEntries();
    int index = EdgeKey.tagLabel(EdgeKey.INDEX, 1);
    for (int i = 0; i < 100; i++) {
      edges.append(1, 1, i, 0, Op.PUT, 0, null);
    }
    for (int i = 0; i < 100; i++) {
      edges.append(EdgeKey.encode(1, index, 1000 + i, -i, 0), Op.PUT, 0, null);
    }
    assertEquals(80 + 2 * 20 + 200 * 8 + 100 * 8, length(edges));
    assertEquals("76", text(PageHeader.SORT_KEYS));
  }

  private static int edgeLength(int count, int sequence, byte op, long stamp) {
    EdgeEntries edges = new EdgeEntries();
    for (int i = 0; i < count; i++) {
      edges.append(1, 2, i, sequence, op, stamp, null);
    }
    return length(edges);
  }

  private static int length(EdgeEntries edges) {
    return new EdgeLeafWriter(PageFixture.WHOLE, edges, 0, edges.count()).length();
  }

  private static String text(int... numbers) {
    StringBuilder text = new StringBuilder();
    for (int number : numbers) {
      text.append(text.length() == 0 ? "" : " ").append(number);
    }
    return text.toString();
  }
}

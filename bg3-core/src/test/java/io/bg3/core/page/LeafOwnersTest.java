package io.bg3.core.page;

import static io.bg3.core.page.PageFixture.WHOLE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.core.block.PageFrame;
import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Op;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * How many entries of each owner a leaf has, and which owners may have more in other leaves: "1:4"
 * for four entries of owner 1, with "&lt;" for more to the left and "&gt;" for more to the right.
 */
class LeafOwnersTest {
  private static final int FEW = 4;

  @Test
  void theFirstAndTheLastOwnerMayHaveMoreInOtherLeaves() {
    assertEquals(List.of("1:2<", "2:8", "3:1>"), owners(amid(1, 3), of(2, 8, 1), of()));
    assertEquals(List.of("1:4<>"), owners(amid(1, 1), of(FEW), of()));
    assertEquals(List.of("2:4"), owners(amid(1, 3), of(0, FEW), of()));
  }

  @Test
  void anOwnerWhoseKeysNoFenceSeparatesHasAllOfThemThere() {
    assertEquals(List.of("1:2", "2:8", "3:1"), owners(WHOLE, of(2, 8, 1), of()));
    assertEquals(List.of("1:4"), owners(WHOLE, of(FEW), of()));
    PageFrame exact = frame(EdgeKey.prefix(1), EdgeKey.prefix(3));
    assertEquals(List.of("1:4", "2:1"), owners(exact, of(FEW, 1), of()));
  }

  @Test
  void theOwnerWithTheLargestNumberMayHaveMore() {
    EdgeEntries entries = new EdgeEntries();
    long owner = Long.MAX_VALUE;
    entries.append(owner, EdgeKey.tagLabel(EdgeKey.OUT, 1), 1, 0, Op.PUT, 0, null);
    assertEquals(List.of(owner + ":1"), owners(WHOLE, entries, of()));
    assertEquals(List.of(owner + ":1>"), owners(frame(null, behind(owner)), entries, of()));
  }

  @Test
  void entriesOfTheDeltaCountToo() {
    assertEquals(List.of("1:1", "2:8", "3:1"), owners(WHOLE, of(1, 7, 1), of(0, 1)));
    assertEquals(List.of("1:1", "2:8", "3:1"), owners(WHOLE, of(1, 0, 1), of(0, 8)));
    assertEquals(
        List.of("1:2<", "2:3", "3:1", "4:2>"), owners(amid(1, 4), of(0, 3, 1), of(2, 0, 0, 2)));
    assertEquals(List.of("3:1<>"), owners(amid(3, 3), of(), of(0, 0, 1)));
  }

  private static EdgeEntries of(int... entriesOfEach) {
    EdgeEntries entries = new EdgeEntries();
    for (int owner = 1; owner <= entriesOfEach.length; owner++) {
      for (int i = 0; i < entriesOfEach[owner - 1]; i++) {
        int tagLabel = EdgeKey.tagLabel(EdgeKey.OUT, 1 + i / 3); // some runs
        entries.append(owner, tagLabel, i, 0, Op.PUT, 0, null);
      }
    }
    return entries;
  }

  /** The frame of a leaf whose fences are amid the keys of two owners. */
  private static PageFrame amid(long first, long last) {
    byte[] low = EdgeKey.prefix(first, EdgeKey.tagLabel(EdgeKey.OUT, 1));
    return frame(low, behind(last));
  }

  private static byte[] behind(long owner) {
    return EdgeKey.prefix(owner, EdgeKey.tagLabel(EdgeKey.OUT, 100));
  }

  private static PageFrame frame(byte[] low, byte[] high) {
    return new PageFrame(WHOLE.pageId(), WHOLE.treeId(), low, high, high == null ? 0 : 9);
  }

  private static List<String> owners(PageFrame frame, EdgeEntries entries, EdgeEntries added) {
    List<String> owners = new ArrayList<>();
    try (PageFixture fixture = new PageFixture(1)) {
      LeafFormat format = LeafKind.EDGES.format(fixture.memory);
      long base = format.writeBase(frame, entries, 0, entries.count(), 0);
      long block = added.count() == 0 ? base : format.writeDelta(base, added, 0, added.count());
      format.leafOwners(
          block,
          (owner, count, before, after) -> {
            owners.add(owner + ":" + count + (before ? "<" : "") + (after ? ">" : ""));
            assertEquals(count, format.entriesOf(block, owner));
          });
      assertEquals(0, format.entriesOf(block, 100));
    }
    return owners;
  }
}

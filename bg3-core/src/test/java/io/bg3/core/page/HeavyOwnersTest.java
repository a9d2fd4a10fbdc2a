package io.bg3.core.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Op;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which owners of a leaf may have more entries than a limit, by that leaf alone. */
class HeavyOwnersTest {
  private static final int MOST = 8;
  private static final int SHARE = 2;

  @Test
  void anOwnerAmongOthersHasNoMoreThanTheLeafShows() {
    assertEquals(List.of(), named(1, MOST, 1));
    assertEquals(List.of(2L), named(1, MOST + 1, 1));
  }

  @Test
  void anOwnerThatALeafBeginsOrEndsWithMayHaveOthers() {
    assertEquals(List.of(1L, 3L), named(SHARE, MOST, SHARE));
    assertEquals(List.of(1L), named(SHARE, SHARE, SHARE - 1));
    assertEquals(List.of(1L), named(1));
  }

  @Test
  void entriesOfTheDeltaCountToo() {
    assertEquals(List.of(), named(of(1, MOST - 1, 1), of(0, 1)));
    assertEquals(List.of(2L), named(of(1, MOST - 1, 1), of(0, 2)));
    assertEquals(List.of(2L), named(of(1, 0, 1), of(0, MOST + 1, 0)));
    assertEquals(List.of(1L, 4L), named(of(0, 3, 1), of(SHARE, 0, 0, SHARE)));
    assertEquals(List.of(3L), named(of(), of(0, 0, 1)));
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

  /** The owners 1, 2, … of a leaf with so many entries of each that are named. */
  private static List<Long> named(int... entriesOfEach) {
    return named(of(entriesOfEach), new EdgeEntries());
  }

  private static List<Long> named(EdgeEntries entries, EdgeEntries added) {
    List<Long> owners = new ArrayList<>();
    try (PageFixture fixture = new PageFixture(1)) {
      LeafFormat format = LeafKind.EDGES.format(fixture.memory);
      long block = format.writeBase(PageFixture.WHOLE, entries, 0, entries.count(), 0);
      if (added.count() > 0) {
        block = format.writeDelta(block, added, 0, added.count());
      }
      format.heavyOwners(block, MOST, SHARE, owners::add);
    }
    return owners;
  }
}

package io.bg3.core.page;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Op;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EdgeKeyTest {
  @Test
  void aKeyIsTheBytesOfTheTable() {
    byte[] key = EdgeKey.encode(1, EdgeKey.tagLabel(EdgeKey.IN, 2), -1, 3);
    assertEquals(
        "8000000000000001" + "40000002" + "7fffffffffffffff" + "00000003",
        HexFormat.of().formatHex(key));
  }

  @Test
  void aKeyOfAnIndexHasItsSortKeyBeforeTheNeighbour() {
    byte[] key = EdgeKey.encode(1, EdgeKey.tagLabel(EdgeKey.INDEX, 2), -5, -1, 3);
    assertEquals(
        "8000000000000001" + "80000002" + "7ffffffffffffffb" + "7fffffffffffffff" + "00000003",
        HexFormat.of().formatHex(key));
    assertEquals(1, EdgeKey.owner(key));
    assertEquals(-5, EdgeKey.sortKey(key));
    assertEquals(-1, EdgeKey.other(key));
    assertEquals(3, EdgeKey.sequence(key));
    assertEquals("1 index 2 -5 -1 3", EdgeKey.toString(key));
    assertEquals(
        "1 counter 2 0 0",
        EdgeKey.toString(EdgeKey.encode(1, EdgeKey.tagLabel(EdgeKey.COUNTER, 2), 0, 0)));
  }

  @ParameterizedTest
  @EnumSource(names = {"EDGES", "SORTED_EDGES"})
  void bytesAreOrderedAsTheirNumbersAre(LeafKind kind) {
    Random random = new Random(1);
    EdgeEntries pair = new EdgeEntries();
    for (int i = 0; i < 10_000; i++) {
      pair.clear();
      pair.append(kind.key(random), Op.PUT, 0, null);
      pair.append(kind.key(random), Op.PUT, 0, null);
      int byNumbers = pair.compareKeys(0, pair, 1);
      int byBytes = Arrays.compareUnsigned(pair.key(0), pair.key(1));
      assertEquals(Integer.signum(byBytes), Integer.signum(byNumbers));
      byte[] bound = kind.bound(random);
      assertEquals(
          Integer.signum(Arrays.compareUnsigned(pair.key(0), bound)),
          Integer.signum(pair.compareKey(0, bound)));
    }
  }

  @Test
  void theRangeOfAPrefixEndsBehindItsLastKey() {
    byte[] prefix = EdgeKey.prefix(-1, EdgeKey.tagLabel(EdgeKey.OUT, EdgeKey.MAX_LABEL));
    byte[] after = EdgeKey.after(prefix);
    byte[] last =
        EdgeKey.encode(-1, EdgeKey.tagLabel(EdgeKey.OUT, EdgeKey.MAX_LABEL), Long.MAX_VALUE, -1);
    assertTrue(Arrays.compareUnsigned(last, after) < 0);
    assertTrue(
        Arrays.compareUnsigned(
                after, EdgeKey.encode(-1, EdgeKey.tagLabel(EdgeKey.IN, 0), Long.MIN_VALUE, 0))
            <= 0);
    assertArrayEquals(EdgeKey.prefix(4), EdgeKey.after(EdgeKey.prefix(3)));
    assertNull(EdgeKey.after(new byte[] {-1, -1}));
  }

  @Test
  void aLabelOutOfRangeIsRefused() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> EdgeKey.tagLabel(0, -1));
    assertEquals("tag or label out of range: tag=0, label=-1", refused.getMessage());
  }
}

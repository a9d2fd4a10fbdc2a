package io.bg3.core.keyspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class KeySpaceTest {
  @Test
  void aVertexAndItsEdgesShareAStripe() {
    byte[] vertex = EdgeKey.prefix(42);
    byte[] edge = EdgeKey.encode(42, 3, -7, 1);
    assertEquals(
        KeySpace.stripeHash(TreeIds.VERTICES, vertex), KeySpace.stripeHash(KeySpace.EDGES, edge));
    assertEquals(
        KeySpace.stripeHash(TreeIds.VERTICES, vertex),
        KeySpace.stripeHash(TreeIds.PROPERTIES, Arrays.copyOf(edge, 20)));
  }

  @Test
  void rangesWithinAVertexLieInOneStripe() {
    for (long owner : new long[] {Long.MIN_VALUE, -1, 0, 255, 256, Long.MAX_VALUE - 1}) {
      byte[] low = EdgeKey.prefix(owner);
      assertTrue(KeySpace.isOneStripe(KeySpace.EDGES, low, EdgeKey.after(low)), "owner " + owner);
      byte[] next = EdgeKey.prefix(owner + 1);
      assertTrue(KeySpace.isOneStripe(KeySpace.EDGES, low, next), "owner " + owner);
      assertFalse(KeySpace.isOneStripe(KeySpace.EDGES, low, KeySpace.successor(next)));
      assertFalse(KeySpace.isOneStripe(KeySpace.EDGES, low, null));
      assertFalse(KeySpace.isOneStripe(KeySpace.EDGES, null, next));
    }
  }

  @Test
  void inTheOtherTreesOnlySingleKeysLieInOneStripe() {
    byte[] key = {1, 2, 3};
    assertTrue(KeySpace.isOneStripe(TreeIds.EDGE_IDS, key, KeySpace.successor(key)));
    assertFalse(KeySpace.isOneStripe(TreeIds.EDGE_IDS, key, new byte[] {1, 2, 4}));
  }

  @Test
  void entriesOfOneFirstValueLieInOneStripe() {
    byte[] low = {0, 0, 0, 1, 32, 'a', 'b', 'c', 0, 0, 0, 0, 0, 0, 0, 0, 0};
    byte[] high = {0, 0, 0, 1, 32, 'a', 'b', 'c', 0, -1, -1, -1, -1, -1, -1, -1, -1, 0};
    byte[] withAnother = {0, 0, 0, 1, 32, 'a', 'b', 'c', 0, 32, 'x', 0, 0, 0, 0, 0, 0, 0, 0, 7};
    assertTrue(KeySpace.isOneStripe(TreeIds.INDEX_ENTRIES, low, high));
    assertEquals(
        KeySpace.stripeHash(TreeIds.INDEX_ENTRIES, low),
        KeySpace.stripeHash(TreeIds.INDEX_ENTRIES, withAnother));
    byte[] beginning = {0, 0, 0, 1, 32, 'a', 'b', 'c'};
    byte[] next = {0, 0, 0, 1, 32, 'a', 'b', 'd'};
    assertFalse(KeySpace.isOneStripe(TreeIds.INDEX_ENTRIES, beginning, next));
    byte[] above = {0, 0, 0, 1, 32, 'a', 'b', 'd', 1};
    assertFalse(KeySpace.isOneStripe(TreeIds.INDEX_ENTRIES, Arrays.copyOf(low, 9), above));
  }

  @Test
  void keysHaveNamesForPeople() {
    byte[] edge = EdgeKey.encode(1, EdgeKey.tagLabel(EdgeKey.OUT, 5), 2, 0);
    assertEquals(
        "edge 1 out 5 2 0", KeySpace.describe(KeySpace.EDGES, edge, KeySpace.successor(edge)));
    byte[] ordered = EdgeKey.encode(1, EdgeKey.tagLabel(EdgeKey.INDEX, 5), -9, 2, 0);
    assertEquals(
        "edge 1 index 5 -9 2 0",
        KeySpace.describe(KeySpace.EDGES, ordered, KeySpace.successor(ordered)));
    byte[] vertex = EdgeKey.prefix(7);
    assertEquals(
        "vertex 7", KeySpace.describe(TreeIds.VERTICES, vertex, KeySpace.successor(vertex)));
    assertEquals("vertex [7, )", KeySpace.describe(TreeIds.VERTICES, vertex, null));
    assertEquals(
        "vertex id \"abc\"",
        KeySpace.describe(
            TreeIds.EXTERNAL_IDS, new byte[] {'a', 'b', 'c'}, new byte[] {'a', 'b', 'c', 0}));
  }
}

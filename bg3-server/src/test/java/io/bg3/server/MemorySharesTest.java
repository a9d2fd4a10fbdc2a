package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.testing.Seeds;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Divides memory budgets. */
class MemorySharesTest {
  private static final long MIB = 1L << 20;

  @Test
  void oneGraphHasAll() {
    MemoryShares alone = MemoryShares.of(100 * MIB + 1, 0, Map.of("g", 1), Map.of());
    assertEquals(100 * MIB + 1, alone.bytes("g"));
  }

  @Test
  void partsGoByShares() {
    MemoryShares divided = MemoryShares.of(120 * MIB, 0, Map.of("g", 2, "a", 1, "b", 3), Map.of());
    assertEquals(40 * MIB, divided.bytes("g"));
    assertEquals(20 * MIB, divided.bytes("a"));
    assertEquals(60 * MIB, divided.bytes("b"));
    assertEquals(0, divided.free());
  }

  @Test
  void graphsThatWereCreatedOnlineComeOutOfTheReserve() {
    Map<String, Integer> configured = Map.of("g", 1, "a", 1);
    MemoryShares divided = MemoryShares.of(100 * MIB, 40, configured, Map.of("x", 1));
    assertEquals(30 * MIB, divided.bytes("g"), "as before it was created");
    assertEquals(30 * MIB, divided.bytes("x"));
    assertEquals(10 * MIB, divided.free());
    MemoryShares later = MemoryShares.of(100 * MIB, 0, configured, Map.of("x", 2));
    assertEquals(25 * MIB, later.bytes("g"), "the reserve was taken away meanwhile");
    assertEquals(50 * MIB, later.bytes("x"));
  }

  @Test
  void aPartThatIsTooSmallNamesTheGraph() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> MemoryShares.of(100 * MIB, 0, Map.of("g", 99, "small", 1), Map.of()));
    assertTrue(
        refused
            .getMessage()
            .startsWith(
                "the graph's part of the memory budget is too small for a store: graph=small,"
                    + " share=1, bytes=1048576, least=8388608, budget of the server=104857600"),
        refused.getMessage());
  }

  @Test
  void partsNeverExceedTheWhole() {
    long seed = Seeds.one();
    Random random = Seeds.random(seed);
    for (int i = 0; i < 10_000; i++) {
      long total = (1L << 33) + (random.nextLong() >>> 20);
      Map<String, Integer> configured = shares("c", 1 + random.nextInt(5), random);
      Map<String, Integer> online = shares("o", random.nextInt(5), random);
      MemoryShares divided = MemoryShares.of(total, random.nextInt(91), configured, online);
      long sum = divided.free();
      for (Map<String, Integer> some : List.of(configured, online)) {
        for (String graph : some.keySet()) {
          sum += divided.bytes(graph);
        }
      }
      assertEquals(total, sum, Seeds.say(seed));
      assertTrue(divided.free() >= 0, Seeds.say(seed));
    }
  }

  private static Map<String, Integer> shares(String prefix, int count, Random random) {
    Map<String, Integer> shares = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      shares.put(prefix + i, 1 + random.nextInt(8));
    }
    return shares;
  }
}

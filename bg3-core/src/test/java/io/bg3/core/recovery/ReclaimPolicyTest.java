package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.storage.extent.ExtentUsage;
import io.bg3.storage.extent.Stream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The order of the policies, what a round chooses, and how much each policy copies. */
class ReclaimPolicyTest {
  private static final long WINDOW = 1_000;
  private static final long EXTENT = 10_000;
  private static final long ROOM = Long.MAX_VALUE;
  private static final ReclaimSettings MDC = new ReclaimSettings(ReclaimPolicy.MDC, 1.5);

  /** A sealed extent of BASE with 100 records of 100 bytes. */
  private static ExtentUsage usage(int number, int live, double garbage) {
    return usage(number, Stream.BASE, true, live, garbage);
  }

  private static ExtentUsage usage(
      int number, Stream stream, boolean sealed, int live, double garbage) {
    return new ExtentUsage(
        number, stream, sealed, false, EXTENT, EXTENT, 100L * live, live, 0, garbage, 0);
  }

  /**
   * Compares the order of a policy.
   *
   * @param rows number, live records and recent garbage of each extent
   * @param expected the numbers in the order in which the extents are emptied
   */
  private static void assertOrder(ReclaimPolicy policy, int[][] rows, Integer... expected) {
    List<ExtentUsage> candidates =
        Arrays.stream(rows).map(row -> usage(row[0], row[1], row[2])).toList();
    assertEquals(
        List.of(expected),
        policy.order(candidates, WINDOW).stream().map(ExtentUsage::extent).toList());
  }

  @Test
  void fifoGoesByNumber() {
    assertOrder(ReclaimPolicy.FIFO, new int[][] {{-1, 5, 0}, {2, 50, 0}, {1, 90, 0}}, 1, 2, -1);
  }

  @Test
  void dirtyGoesByGarbage() {
    assertOrder(ReclaimPolicy.DIRTY, new int[][] {{1, 50, 9}, {2, 90, 0}, {3, 10, 0}}, 3, 1, 2);
  }

  @Test
  void thePapersRuleTakesTheColdestQuarterFirst() {
    int[][] rows = {{1, 20, 50}, {2, 80, 10}, {3, 10, 500}, {4, 60, 100}, {5, 95, 0}};
    assertOrder(ReclaimPolicy.PAPER, rows, 2, 1, 4, 3, 5);
  }

  @Test
  void decliningCostPrefersGarbageThatDoesNotGrow() {
    int[][] rows = {{1, 40, 5_000}, {2, 60, 100}, {3, 95, 200}, {4, 0, 10_000}};
    assertOrder(ReclaimPolicy.MDC, rows, 4, 2, 1, 3);
  }

  @Test
  void costAndBenefitPreferWhatStaysLive() {
    int[][] rows = {{1, 20, 100}, {2, 20, 1_000}, {3, 90, 50}, {4, 0, 10_000}};
    assertOrder(ReclaimPolicy.COST_BENEFIT, rows, 4, 1, 2, 3);
  }

  @Test
  void aRoundEndsBelowTheBound() {
    List<ExtentUsage> rows = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      rows.add(usage(i, 50, 0));
    }
    rows.add(usage(90, Stream.VALUE, true, 1, 0));
    rows.add(usage(91, Stream.MAP, true, 1, 0));
    // W = 200,000, L = 100,000; to get to 1.75 L takes 5 extents of which half is garbage
    ReclaimSettings loose = new ReclaimSettings(ReclaimPolicy.MDC, 1.8);
    assertEquals(List.of(1, 2, 3, 4, 5), victims(rows, Set.of(), loose, ROOM));
    assertEquals(8, victims(rows, Set.of(), MDC, ROOM).size(), "not more than a round moves");
    assertEquals(3, victims(rows, Set.of(), MDC, 3 * EXTENT / 2).size(), "no more room");
    assertEquals(List.of(), victims(rows, Set.of(), MDC, 0));
    assertEquals(List.of(), victims(rows, Set.of(), ReclaimSettings.OFF, ROOM));
    assertEquals(List.of(), victims(rows.subList(0, 3), Set.of(), MDC, ROOM), "a few extents");
  }

  private static List<Integer> victims(
      List<ExtentUsage> rows, Set<Integer> kept, ReclaimSettings settings, long room) {
    List<ExtentUsage> images = ReclaimChoice.images(rows);
    return ReclaimChoice.victims(images, kept, settings, WINDOW, EXTENT, room, 0, 0).stream()
        .map(ExtentUsage::extent)
        .toList();
  }

  @Test
  void aTailIsEmptiedWhereTheOthersDoNotSuffice() {
    List<ExtentUsage> rows =
        new ArrayList<>(
            List.of(
                usage(1, Stream.BASE, false, 10, 0),
                usage(2, Stream.DELTA, false, 99, 0),
                usage(3, 50, 0),
                usage(4, 100, 0),
                usage(5, 100, 0)));
    ReclaimSettings tight = new ReclaimSettings(ReclaimPolicy.MDC, 1.2);
    assertEquals(List.of(3, 1), victims(rows, Set.of(), tight, ROOM));
    assertEquals(List.of(1), victims(rows, Set.of(3), tight, ROOM), "one cannot be read");
    for (int i = 6; i < 10; i++) {
      rows.add(usage(i, 100, 0));
    }
    assertEquals(List.of(), victims(rows, Set.of(), tight, ROOM), "below the bound");
  }

  @Test
  void amplificationIsNoLessThanIsFeasible() {
    assertThrows(
        IllegalArgumentException.class, () -> new ReclaimSettings(ReclaimPolicy.MDC, 1.05));
    assertThrows(
        IllegalArgumentException.class, () -> new ReclaimSettings(ReclaimPolicy.MDC, Double.NaN));
  }

  /** All policies are held to the same space, so that copying less is not had by wasting more. */
  @Test
  void theDefaultCopiesLessThanTheDirtyRatio() {
    int records = 24_000;
    int length = 200_000;
    Map<String, int[]> traces =
        Map.of(
            "1.1", ReclaimSimulation.powerLaw(new Random(1), records, length, 1.1),
            "1.5", ReclaimSimulation.powerLaw(new Random(2), records, length, 1.5),
            "cooling", ReclaimSimulation.cooling(new Random(3), records, length, 1.1));
    Map<ReclaimPolicy, Double> moved = new EnumMap<>(ReclaimPolicy.class);
    traces.forEach(
        (name, trace) -> {
          for (ReclaimPolicy policy : ReclaimPolicy.values()) {
            moved.put(policy, ReclaimSimulation.movedForEachAppended(policy, 1.5, records, trace));
          }
          String figures = name + ": " + moved;
          double dirty = moved.get(ReclaimPolicy.DIRTY);
          double most = name.equals("1.5") ? 1 : 0.84;
          assertTrue(moved.get(ReclaimPolicy.COST_BENEFIT) <= most * dirty, figures);
          for (ReclaimPolicy other : ReclaimPolicy.values()) {
            assertTrue(moved.get(ReclaimPolicy.COST_BENEFIT) <= moved.get(other), figures);
          }
        });
  }
}

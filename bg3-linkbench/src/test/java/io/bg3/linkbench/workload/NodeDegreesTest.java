package io.bg3.linkbench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** How many links nodes have, above all by the built-in distribution. */
class NodeDegreesTest {
  /** A million nodes have 5.25 million links by Facebook's distribution, and 45 % have none. */
  @Test
  void theBuiltInDistributionIsShapedLikeFacebooks() {
    NodeDegrees degrees = new NodeDegrees(Workloads.stock("maxid1", "1000001"));
    assertEquals("built-in synthetic distribution", degrees.source());
    long[] sorted =
        LongStream.range(1, 1_000_001)
            .map(id -> degrees.count(id, 123_456_789L) + degrees.count(id, 123_456_790L))
            .sorted()
            .toArray();
    assertEquals(453_316, (double) LongStream.of(sorted).filter(n -> n == 0).count(), 10_000);
    assertEquals(5_249_370, (double) LongStream.of(sorted).sum(), 400_000);
    assertEquals(1, sorted[500_000]);
    assertEquals(4, (double) sorted[900_000], 1);
    assertEquals(16, (double) sorted[990_000], 3);
    assertEquals(266, (double) sorted[999_000], 60);
    assertEquals(6_106, (double) sorted[999_900], 1_500);
    assertEquals(961_964, (double) sorted[999_999], 5_000);
  }

  @Test
  void theTypesShareTheLinksOfANode() {
    NodeDegrees degrees =
        new NodeDegrees(
            Workloads.stock(
                "nlinks_func",
                "CONST",
                "nlinks_default",
                "7",
                "nlinks_config",
                "1",
                "link_type_count",
                "3"));
    assertEquals(3, degrees.types());
    // LinkBench gives what is left over to every type, as long as there are fewer than that
    assertEquals(
        "[3, 3, 3]",
        Arrays.toString(
            LongStream.range(0, 3)
                .map(type -> degrees.count(5, Config.FIRST_LINK_TYPE + type))
                .toArray()));
  }

  @Test
  void arithmeticDegreesFavourCertainIds() {
    assertEquals(10, of("MULTIPLES", 10).total(500));
    assertEquals(0, of("MULTIPLES", 10).total(501));
    assertEquals(64 - 32, of("EXPONENTIAL", 2).total(64));
    assertEquals(100 - 81, of("PERFECT_SQUARES", 2).total(100));
    assertTrue(of("RECIPROCAL", 1).total(1) > of("RECIPROCAL", 1).total(100));
  }

  private static NodeDegrees of(String function, int parameter) {
    return new NodeDegrees(
        Workloads.stock(
            "maxid1",
            "1001",
            "nlinks_func",
            function,
            "nlinks_config",
            "" + parameter,
            "nlinks_default",
            "0"));
  }
}

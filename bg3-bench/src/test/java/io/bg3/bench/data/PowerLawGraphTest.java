package io.bg3.bench.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The data of the benchmark is a function of its seed and has the shape that was promised. */
class PowerLawGraphTest {
  private static final int SOURCES = 2_000;
  private static final long EDGES = 40_000;

  private static long[] targets(PowerLawGraph graph, int index) {
    long[] targets = new long[graph.maxDegree()];
    int count = graph.targets(index, targets);
    return Arrays.copyOf(targets, count);
  }

  @Test
  void theSameSeedMakesTheSameGraph() {
    PowerLawGraph one = new PowerLawGraph(SOURCES, EDGES, 7);
    PowerLawGraph other = new PowerLawGraph(SOURCES, EDGES, 7);
    for (int i = 0; i < SOURCES; i++) {
      assertArrayEquals(targets(one, i), targets(other, i), "vertex " + i);
    }
  }

  @Test
  void anotherSeedMakesAnotherGraph() {
    PowerLawGraph one = new PowerLawGraph(SOURCES, EDGES, 7);
    PowerLawGraph other = new PowerLawGraph(SOURCES, EDGES, 8);
    int same = 0;
    for (int i = 0; i < SOURCES; i++) {
      same += Arrays.equals(targets(one, i), targets(other, i)) ? 1 : 0;
    }
    assertTrue(same < SOURCES / 10, "same=" + same);
  }

  @Test
  void theGraphIsTheSameInEveryVersion() {
    PowerLawGraph graph = new PowerLawGraph(SOURCES, EDGES, 1);
    long hash = 0;
    for (int i = 0; i < SOURCES; i++) {
      for (long target : targets(graph, i)) {
        hash = SeededHash.of(hash ^ target);
      }
    }
    assertEquals("f4775dbbbeb4e5f0", Long.toHexString(hash));
  }

  @Test
  void hasAsManyEdgesAsWereAskedFor() {
    for (long edges : new long[] {1, 37, EDGES, 200_000}) {
      PowerLawGraph graph = new PowerLawGraph(SOURCES, edges, 3);
      long sum = 0;
      for (int i = 0; i < SOURCES; i++) {
        sum += graph.degree(i);
      }
      assertEquals(edges, sum);
    }
  }

  @Test
  void targetsAreDistinctVerticesInAscendingOrder() {
    PowerLawGraph graph = new PowerLawGraph(SOURCES, EDGES, 3);
    for (int i = 0; i < SOURCES; i++) {
      long[] targets = targets(graph, i);
      for (int j = 0; j < targets.length; j++) {
        assertTrue(targets[j] >= 1 && targets[j] <= SOURCES);
        assertTrue(j == 0 || targets[j] > targets[j - 1]);
      }
    }
  }

  @Test
  void fewVerticesHaveManyEdges() {
    PowerLawGraph graph = new PowerLawGraph(SOURCES, EDGES, 3);
    int aboveTenTimesTheMean = 0;
    int belowTheMean = 0;
    for (int i = 0; i < SOURCES; i++) {
      aboveTenTimesTheMean += graph.degree(i) > 200 ? 1 : 0;
      belowTheMean += graph.degree(i) < 20 ? 1 : 0;
    }
    assertTrue(aboveTenTimesTheMean > 0 && aboveTenTimesTheMean < SOURCES / 20);
    assertTrue(belowTheMean > SOURCES / 2);
  }

  @Test
  void refusesMoreEdgesThanFit() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> new PowerLawGraph(10, 1_000, 1));
    assertEquals(
        "edges must be 1 to sources * sources / 8, sources 4 or more: sources=10, edges=1000",
        refused.getMessage());
  }

  @Test
  void valuesAreSixteenToFortyBytesAndKnownAgain() {
    byte[] value = new byte[EdgeValue.LONGEST];
    int shortest = EdgeValue.LONGEST;
    int longest = 0;
    for (int i = 0; i < 1_000; i++) {
      int length = EdgeValue.fill(i, 2L * i, 0, value);
      shortest = Math.min(shortest, length);
      longest = Math.max(longest, length);
      long checksum = EdgeValue.checksum(value, length);
      value[length - 1] ^= 1;
      assertFalse(EdgeValue.checksum(value, length) == checksum, "a changed byte is not seen");
    }
    assertEquals(EdgeValue.SHORTEST, shortest);
    assertEquals(EdgeValue.LONGEST, longest);
  }
}

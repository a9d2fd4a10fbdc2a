package io.bg3.bench.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The queries are a function of the seed, ask for existing data, and have the promised sizes. */
class QuerySequenceTest {
  private final PowerLawGraph graph = new PowerLawGraph(5_000, 100_000, 5);
  private final QuerySequence questions = new QuerySequence(graph, 5);

  @Test
  void theSameSeedAsksTheSame() {
    QuerySequence again = new QuerySequence(new PowerLawGraph(5_000, 100_000, 5), 5);
    assertArrayEquals(questions.owners(1_000, 300), again.owners(1_000, 300));
    assertArrayEquals(questions.edges(1_000).owners(), again.edges(1_000).owners());
    assertArrayEquals(questions.edges(1_000).others(), again.edges(1_000).others());
  }

  @Test
  void everyEdgeThatIsAskedForExists() {
    QuerySequence.Edges edges = questions.edges(2_000);
    long[] targets = new long[graph.maxDegree()];
    for (int i = 0; i < edges.owners().length; i++) {
      int count = graph.targets(PowerLawGraph.index(edges.owners()[i]), targets);
      assertTrue(Arrays.binarySearch(targets, 0, count, edges.others()[i]) >= 0);
    }
  }

  @Test
  void mixedOwnersHaveAsManyEdgesOnAverageAndTheHeaviestAreAmongThem() {
    long[] owners = questions.mixedOwners(200_000, 64);
    double mean = (double) questions.edgesOf(owners) / owners.length;
    assertTrue(mean > 58 && mean < 70, "mean=" + mean);
    int most = 0;
    int few = 0;
    for (long owner : owners) {
      int degree = graph.degree(PowerLawGraph.index(owner));
      most = Math.max(most, degree);
      few += degree <= 20 ? 1 : 0;
    }
    assertTrue(most == graph.maxDegree(), "most=" + most);
    assertTrue(few > owners.length / 4, "few=" + few);
  }

  @Test
  void scannedVerticesHaveAsManyEdgesOnAverageAsWereAskedFor() {
    int maxDegree = questions.maxDegreeFor(64);
    long[] owners = questions.owners(20_000, maxDegree);
    double mean = (double) questions.edgesOf(owners) / owners.length;
    assertTrue(mean > 48 && mean < 66, "mean=" + mean);
    for (long owner : owners) {
      assertTrue(graph.degree(PowerLawGraph.index(owner)) <= maxDegree);
    }
  }
}

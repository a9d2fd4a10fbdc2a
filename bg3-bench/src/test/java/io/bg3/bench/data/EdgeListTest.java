package io.bg3.bench.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The edges that are loaded and overwritten are those of the graph, in the requested order. */
class EdgeListTest {
  private static final double SHARE = 0.25;

  private final PowerLawGraph graph = new PowerLawGraph(500, 10_000, 5);

  private static List<Long> keys(EdgeList edges) {
    List<Long> keys = new ArrayList<>();
    for (int i = 0; i < edges.count(); i++) {
      keys.add(edges.owner(i) << 32 | edges.other(i));
    }
    return keys;
  }

  private static List<Long> sorted(List<Long> keys) {
    List<Long> sorted = new ArrayList<>(keys);
    Collections.sort(sorted);
    return sorted;
  }

  @Test
  void aSortedListIsTheGraphInTheOrderOfItsKeys() {
    List<Long> expected = new ArrayList<>();
    long[] targets = new long[graph.maxDegree()];
    for (int i = 0; i < graph.sources(); i++) {
      int count = graph.targets(i, targets);
      for (int j = 0; j < count; j++) {
        expected.add(PowerLawGraph.id(i) << 32 | targets[j]);
      }
    }
    assertEquals(expected, keys(EdgeList.sorted(graph)));
    assertEquals(sorted(expected), expected);
  }

  @Test
  void aShuffledListHasEveryEdgeOnceInAnOrderOfItsOwn() {
    List<Long> keys = keys(EdgeList.shuffled(graph, 7));
    assertEquals(keys(EdgeList.sorted(graph)), sorted(keys));
    assertEquals(keys, keys(EdgeList.shuffled(graph, 7)));
    assertNotEquals(keys, keys(EdgeList.shuffled(graph, 8)));
    int ascents = 0;
    for (int i = 1; i < keys.size(); i++) {
      ascents += keys.get(i) > keys.get(i - 1) ? 1 : 0;
    }
    assertEquals(keys.size() / 2.0, ascents, keys.size() / 20.0);
  }

  @Test
  void theEdgesThatAreOverwrittenAreThoseThatAReaderExpects() {
    EdgeList chosen = EdgeList.chosen(graph, 7, SHARE);
    for (int i = 0; i < chosen.count(); i++) {
      assertTrue(EdgeList.isChosen(chosen.owner(i), chosen.other(i), 7, SHARE));
    }
    EdgeList all = EdgeList.sorted(graph);
    int expected = 0;
    for (int i = 0; i < all.count(); i++) {
      expected += EdgeList.isChosen(all.owner(i), all.other(i), 7, SHARE) ? 1 : 0;
    }
    assertEquals(expected, chosen.count());
    assertEquals(expected, keys(chosen).stream().distinct().count());
    assertEquals(SHARE * all.count(), chosen.count(), 0.02 * all.count());
    assertNotEquals(sorted(keys(chosen)), keys(chosen));
  }
}

package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Counts of the edges of a vertex whose degrees are not kept: of a few, which are counted at once,
 * and of so many that the count goes on in steps.
 */
class EdgeCounterTest {
  private static final long HUB = 1;
  private static final int FEW = 40_000;
  private static final int MANY = 70_000;

  /** Is told to give up. */
  private static final class Ended extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private static long count(GraphTransaction graph, Runnable pause) {
    return graph.countEdges(HUB, EdgeDirection.OUT, false, pause, "saw");
  }

  private static void add(GraphStore graph, int from, int to) {
    for (int next = from; next < to; next += 10_000) {
      try (GraphTransaction in = graph.begin()) {
        for (int i = next; i < next + 10_000; i++) {
          in.addEdge(HUB, "saw", HUB + 1 + i, null, Map.of());
        }
        in.commit();
      }
    }
  }

  @Test
  void edgesAreCountedAtOnceOrInSteps() throws IOException {
    try (Bg3 store = Bg3.open(Settings.defaults().with(Setting.SPLIT_OUT, "0"))) {
      GraphStore graph = store.graph();
      graph.declareEdgeLabel("saw", EdgeLabelForm.plain().asLoose());
      add(graph, 0, FEW);
      int[] asked = {0};
      try (GraphTransaction few = graph.beginReadOnly()) {
        assertEquals(FEW, count(few, () -> asked[0]++));
        assertEquals(1, asked[0]);
        add(graph, FEW, MANY);
        assertEquals(FEW, count(few, () -> {}));
      }
      try (GraphTransaction many = graph.begin()) {
        asked[0] = 0;
        assertEquals(MANY, count(many, () -> asked[0]++));
        assertTrue(asked[0] > 2, () -> "asked " + asked[0] + " times");
        many.addEdge(HUB, "saw", HUB + 1 + MANY, null, Map.of());
        assertEquals(MANY + 1, count(many, () -> {}));
        assertThrows(Ended.class, () -> count(many, EdgeCounterTest::end));
        assertEquals(MANY + 1, count(many, () -> {}));
      }
    }
  }

  private static void end() {
    throw new Ended();
  }
}

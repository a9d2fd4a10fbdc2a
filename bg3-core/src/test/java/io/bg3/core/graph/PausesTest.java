package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Settings;
import io.bg3.core.record.PropertyBytes;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Cursors that pass over much before they show something ask their caller every 1,024 entries
 * whether to go on, without the lock of the transaction.
 */
class PausesTest {
  private static final int STEP = 1024;
  private static final int STEPS = 3;
  private static final int COMMON = STEPS * STEP + 7;
  private static final long RARE = 1_000_000;

  /** Ends a search. */
  private static final class Ended extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private Bg3 store;
  private GraphStore graph;

  @BeforeEach
  void open() throws IOException {
    store = Bg3.open(Settings.defaults());
    graph = store.graph();
    try (GraphTransaction in = graph.begin()) {
      for (long vertex = 1; vertex <= COMMON; vertex++) {
        in.addVertex(vertex, "common");
        in.setProperty(vertex, Cardinality.SINGLE, "age", 7, null);
      }
      in.addVertex(RARE, "rare");
      in.setProperty(RARE, Cardinality.SINGLE, "age", 7, null);
      in.commit();
    }
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  /** Goes to the next entry, which is the only one, and to the end behind it. */
  private static void assertPauses(GraphTransaction in, Predicate<Runnable> next) {
    int[] pauses = {0};
    Runnable pause =
        () -> {
          assertFalse(Thread.holdsLock(in));
          pauses[0]++;
        };
    assertTrue(next.test(pause));
    assertEquals(STEPS, pauses[0]);
    assertFalse(next.test(pause));
    assertEquals(STEPS, pauses[0]);
  }

  private static void assertEnds(Predicate<Runnable> next) {
    Runnable pause =
        () -> {
          throw new Ended();
        };
    assertThrows(Ended.class, () -> next.test(pause));
  }

  @Test
  void aScanOfVerticesWithALabelPauses() {
    try (GraphTransaction in = graph.begin();
        VertexScan scan = in.vertices("rare");
        VertexScan ended = in.vertices("rare")) {
      assertPauses(in, scan::next);
      assertEquals(COMMON + 1, scan.passed());
      assertEnds(ended::next);
    }
  }

  @Test
  void aLookUpOfVerticesWithALabelPauses() throws InterruptedException {
    graph.createIndex(null, "age");
    Indexes.await(graph);
    for (Sought sought : List.of(Sought.anyOf(List.of(7)), Sought.between(0, null))) {
      try (GraphTransaction in = graph.begin();
          VertexLookup lookup = in.lookUp("age", sought, "rare");
          VertexLookup ended = in.lookUp("age", sought, "rare")) {
        assertPauses(in, lookup::next);
        assertEquals(COMMON + 1, lookup.passed());
        assertEnds(ended::next);
      }
    }
  }

  /** The entries of the edges into a vertex lie between it and the next vertex with edges. */
  @Test
  void aScanOfEdgesPauses() {
    try (GraphTransaction in = graph.begin()) {
      for (long vertex = 2; vertex <= COMMON; vertex++) {
        in.addEdge(vertex, "to", 1, null, Map.of());
      }
      in.commit();
    }
    for (String state : List.of("without an ordered label", "with one")) {
      int[] pauses = {0};
      try (GraphTransaction in = graph.begin();
          EdgeScan scan = in.edges(false);
          EdgeScan ended = in.edges(false)) {
        assertTrue(scan.next(() -> pauses[0]++));
        assertEquals(STEPS, pauses[0], state);
        int edges = 1;
        while (scan.next(() -> pauses[0]++)) {
          edges++;
        }
        assertEquals(COMMON - 1, edges, state);
        assertEquals(STEPS, pauses[0], state);
        assertEnds(ended::next);
      }
      graph.declareEdgeLabel(
          "ordered", EdgeLabelForm.plain().orderedBy("time", SortOrder.ASCENDING));
    }
  }

  @Test
  void aListOfLinksPausesBeforeItsOffset() {
    EdgeLabelForm form = EdgeLabelForm.plain().orderedBy("time", SortOrder.ASCENDING).asLoose();
    EdgeLabel label = graph.declareEdgeLabel("link", form);
    LinkBatch links = new LinkBatch();
    for (long target = 0; target <= COMMON; target++) {
      links.add(label, 1, target, target, true, new PropertyBytes());
    }
    graph.putLinks(links);
    try (GraphTransaction in = graph.begin();
        LinkScan scan = list(in, label);
        LinkScan ended = list(in, label)) {
      assertPauses(in, scan::next);
      assertEnds(ended::next);
    }
  }

  private static LinkScan list(GraphTransaction in, EdgeLabel label) {
    return in.links()
        .list(label, 1, Long.MIN_VALUE, Long.MAX_VALUE, SortOrder.ASCENDING, COMMON, 10);
  }
}

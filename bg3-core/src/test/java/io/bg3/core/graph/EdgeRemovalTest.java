package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Settings;
import io.bg3.core.limit.Limit;
import io.bg3.core.limit.LimitExceededException;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The removal of a vertex with many edges gives up when it is told to, refuses more edges than a
 * commit holds before it has removed one, and leaves no transaction that could commit a part of it.
 */
class EdgeRemovalTest {
  private static final long HUB = 1;
  private static final int LEAVES = 2 * EdgeRemoval.STEP;
  private static final int LOOPS = 10;
  private static final int STEPS = 3; // of all entries
  private static final int WRITES = 2 * (LEAVES + LOOPS);

  /** Is told to give up. */
  private static final class Ended extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private Bg3 store;

  @BeforeEach
  void open() throws IOException {
    store = Bg3.open(Settings.defaults());
    GraphStore graph = store.graph();
    try (GraphTransaction in = graph.begin()) {
      in.addVertex(HUB, "hub");
      for (long leaf = 2; leaf < 2 + LEAVES; leaf++) {
        in.addVertex(leaf, "leaf");
        if (leaf % 2 == 0) {
          in.addEdge(HUB, "out", leaf, null, Map.of());
        } else {
          in.addEdge(leaf, "in", HUB, null, Map.of());
        }
      }
      for (int i = 0; i < LOOPS; i++) {
        in.addEdge(HUB, "loop", HUB, null, Map.of());
      }
      in.commit();
    }
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  private static Runnable endedAt(int call) {
    int[] calls = {0};
    return () -> {
      if (++calls[0] == call) {
        throw new Ended();
      }
    };
  }

  private EdgeRemoval removal(GraphTransaction graph, long most) {
    GraphStore in = store.graph();
    Vertices vertices = new Vertices(in.vertexIds(), in.externalIds(), graph.transaction());
    Edges edges = new Edges(graph.transaction(), vertices, in.labels());
    EdgeRanges ranges = EdgeRanges.ofFirm(in.labels());
    GraphRemovals removals = new GraphRemovals(graph.transaction(), vertices, edges);
    return new EdgeRemoval(graph.transaction(), edges, removals, HUB, ranges, most, () -> {});
  }

  private void assertWhole() {
    try (GraphTransaction graph = store.graph().beginReadOnly()) {
      assertTrue(graph.vertexExists(HUB));
      assertEquals(LEAVES + LOOPS, graph.edgeCount());
      assertEquals(LEAVES + 2 * LOOPS, graph.countEdges(HUB, EdgeDirection.BOTH, false, () -> {}));
    }
  }

  @Test
  void aRemovalIsAskedBeforeEachStepWhetherToGoOn() {
    int[] asked = {0};
    try (GraphTransaction graph = store.graph().begin()) {
      graph.removeVertex(HUB, () -> asked[0]++);
      graph.commit();
    }
    assertEquals(2 * STEPS, asked[0], "to count, and to remove");
    try (GraphTransaction graph = store.graph().beginReadOnly()) {
      assertFalse(graph.vertexExists(HUB));
      assertEquals(0, graph.edgeCount());
    }
  }

  @Test
  void edgesOfAVertexAreRemovedInSteps() {
    int[] asked = {0};
    try (GraphTransaction graph = store.graph().begin()) {
      assertEquals(
          EdgeRemoval.STEP, graph.removeEdges(HUB, EdgeDirection.OUT, () -> asked[0]++, "out"));
      assertEquals(2, asked[0]); // the second time there is nothing left
      assertEquals(
          EdgeRemoval.STEP + LOOPS, graph.removeEdges(HUB, EdgeDirection.BOTH, () -> asked[0]++));
      assertEquals(4, asked[0]);
      assertTrue(graph.vertexExists(HUB));
      graph.commit();
    }
    try (GraphTransaction graph = store.graph().beginReadOnly()) {
      assertEquals(0, graph.edgeCount());
      assertEquals(0, graph.countEdges(2, EdgeDirection.BOTH, false, () -> {}));
    }
  }

  @Test
  void aStepOfARemovalOfEdgesMayBeCommitted() {
    try (GraphTransaction graph = store.graph().begin()) {
      assertThrows(Ended.class, () -> graph.removeEdges(HUB, EdgeDirection.BOTH, endedAt(2)));
      graph.commit();
    }
    try (GraphTransaction graph = store.graph().beginReadOnly()) {
      assertEquals(LEAVES + LOOPS - EdgeRemoval.STEP, graph.edgeCount());
    }
  }

  @Test
  void aRemovalThatEndsWhileItCountsHasDoneNothing() {
    try (GraphTransaction graph = store.graph().begin()) {
      assertThrows(Ended.class, () -> graph.removeVertex(HUB, endedAt(STEPS)));
      assertFalse(graph.hasWrites());
      graph.removeVertex(2);
      graph.commit();
    }
    try (GraphTransaction graph = store.graph().beginReadOnly()) {
      assertEquals(LEAVES - 1 + LOOPS, graph.edgeCount());
    }
  }

  @Test
  void aPartOfARemovalIsNotCommitted() {
    try (GraphTransaction graph = store.graph().begin()) {
      assertThrows(Ended.class, () -> graph.removeVertex(HUB, endedAt(STEPS + 2)));
      assertTrue(graph.hasWrites());
      graph.removeVertex(2); // another removal that comes to its end makes that one no better
      for (int i = 0; i < 2; i++) {
        IllegalStateException e = assertThrows(IllegalStateException.class, graph::commit);
        assertTrue(e.getMessage().contains("roll it back and begin again"), e.getMessage());
      }
    }
    assertWhole();
  }

  @Test
  void anUpdateDoesNotCommitAPartEither() {
    assertThrows(
        IllegalStateException.class,
        () ->
            store
                .graph()
                .update(
                    HUB,
                    graph -> {
                      // the edges belong to others too, whose locks the update has not
                      assertThrows(IllegalArgumentException.class, () -> graph.removeVertex(HUB));
                      return null;
                    }));
    assertNull(store.transactions().failure());
    assertWhole();
  }

  @Test
  void moreEdgesThanACommitHoldsAreRefusedBeforeOneIsRemoved() {
    try (GraphTransaction graph = store.graph().begin()) {
      EdgeRemoval tooMany = removal(graph, WRITES - 1);
      LimitExceededException e = assertThrows(LimitExceededException.class, tooMany::requireRoom);
      assertSame(Limit.COMMIT_ENTRIES, e.limit());
      assertTrue(e.getMessage().endsWith("in=the edges of vertex 1"), e.getMessage());
      assertFalse(graph.hasWrites());
      removal(graph, WRITES).requireRoom();
      assertFalse(graph.hasWrites());
      removal(graph, WRITES).run();
      assertEquals(WRITES, graph.transaction().writeCount());
      assertEquals(0, graph.edgeCount());
    }
    assertWhole();
  }

  /**
   * The earlier writes of the transaction count too, as soon as it is known which entries are new.
   */
  @Test
  void aTransactionThatHasWrittenMuchIsRefusedOnTheWay() {
    try (GraphTransaction graph = store.graph().begin()) {
      for (int i = 0; i < WRITES; i++) {
        graph.addVertex(null, "more");
      }
      graph.flush();
      EdgeRemoval removal = removal(graph, WRITES + EdgeRemoval.STEP);
      removal.requireRoom();
      assertThrows(LimitExceededException.class, removal::run);
      assertTrue(graph.transaction().writeCount() <= WRITES + 3 * EdgeRemoval.STEP);
    }
    assertWhole();
  }
}

package io.bg3.gremlin.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.graph.VertexCursor;
import io.bg3.core.record.VertexRecord;
import java.util.Iterator;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls that may take long, of a thread that is interrupted while it is in one. */
class InterruptsTest {
  private final Bg3Graph graph = Bg3Graph.open();
  private final GraphTraversalSource g = graph.traversal();

  @AfterEach
  void close() {
    assertFalse(Thread.interrupted());
    g.tx().rollback();
    graph.close();
  }

  @Test
  void theRemovalOfAVertexEnds() {
    Vertex hub = graph.addVertex(T.id, 1L);
    Vertex leaf = graph.addVertex(T.id, 2L);
    hub.addEdge("to", leaf);
    g.tx().commit();
    Thread.currentThread().interrupt();
    assertThrows(TraversalInterruptedException.class, hub::remove);
    assertTrue(g.V(1L).hasNext());
    assertEquals(1L, g.V(1L).outE().count().next());
    hub.remove();
    g.tx().commit();
    assertEquals(1L, g.V().count().next());
  }

  /** Vertices that are far away: the thread is interrupted before there is one. */
  private static final class FarAway implements VertexCursor {
    private boolean isClosed;

    @Override
    public boolean next(Runnable pause) {
      Thread.currentThread().interrupt();
      pause.run();
      return false;
    }

    @Override
    public long vertex() {
      throw new IllegalStateException("there is none");
    }

    @Override
    public boolean isRemoved() {
      return false;
    }

    @Override
    public VertexRecord record() {
      throw new IllegalStateException("there is none");
    }

    @Override
    public long passed() {
      return VertexCursor.STEP;
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }

  @Test
  void theSearchForAVertexThatIsFarAwayEnds() {
    FarAway cursor = new FarAway();
    Iterator<Vertex> vertices =
        new VertexIterator(graph, graph.transaction(), cursor, vertex -> true, read -> {});
    assertThrows(TraversalInterruptedException.class, vertices::hasNext);
    assertTrue(cursor.isClosed);
    assertFalse(vertices.hasNext());
  }
}

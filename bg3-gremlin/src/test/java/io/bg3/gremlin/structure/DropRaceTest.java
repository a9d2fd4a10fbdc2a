package io.bg3.gremlin.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.Bg3;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Drops ten thousand vertices, each while another thread adds edges to it, and lets {@code bin/bg3
 * check} look at what is left.
 */
class DropRaceTest {
  private static final int ROUNDS = 10_000;
  private static final int SPOKES = 8;

  @TempDir Path directory;

  @Test
  void nothingIsLeftOfAVertexThatIsDroppedWhileEdgesAreAdded() throws Exception {
    StoreDirectory store = new StoreDirectory(directory);
    int added;
    try (Bg3Graph graph = store.open()) {
      for (int i = 0; i < SPOKES; i++) {
        graph.addVertex(T.id, "s" + i);
      }
      for (int i = 0; i < ROUNDS; i++) {
        Vertex hub = graph.addVertex(T.id, i);
        hub.addEdge("to", graph.vertices("s" + i % SPOKES).next(), T.id, "e" + i);
      }
      graph.tx().commit();
      added = race(graph);
      assertEquals(SPOKES, graph.traversal().V().count().next());
      assertEquals(0L, graph.traversal().E().count().next());
      assertEquals(SPOKES, graph.traversal().V().toList().size());
      assertEquals(List.of(), graph.traversal().V().bothE().toList());
      assertEquals(List.of(), graph.traversal().E().toList());
    }
    try (Bg3 closed = Bg3.open(directory)) {
      assertEquals(List.of(), closed.check(n -> {}), "added=" + added);
    }
  }

  private static int race(Bg3Graph graph) throws Exception {
    CyclicBarrier start = new CyclicBarrier(2);
    ExecutorService pool = Executors.newSingleThreadExecutor();
    Future<Integer> adding = pool.submit(() -> add(graph, start));
    for (int i = 0; i < ROUNDS; i++) {
      start.await(10, TimeUnit.MINUTES);
      boolean dropped = false;
      while (!dropped) {
        graph.traversal().V(i).drop().iterate();
        dropped = commits(graph);
      }
    }
    pool.shutdown();
    return adding.get();
  }

  /** Adds edges to each vertex until it is gone, at most three times; answers how often it did. */
  private static int add(Bg3Graph graph, CyclicBarrier start) throws Exception {
    int added = 0;
    for (int i = 0; i < ROUNDS; i++) {
      start.await(10, TimeUnit.MINUTES);
      for (int attempt = 0; attempt < 3; attempt++) {
        added += addOnce(graph, i) ? 1 : 0;
      }
    }
    return added;
  }

  private static boolean addOnce(Bg3Graph graph, int round) {
    Vertex spoke = graph.vertices("s" + round % SPOKES).next();
    Iterator<Vertex> hub = graph.vertices(round);
    if (!hub.hasNext()) {
      graph.tx().rollback();
      return false;
    }
    Vertex vertex = hub.next();
    vertex.addEdge("to", spoke, "n", round);
    spoke.addEdge("from", vertex);
    vertex.addEdge("self", vertex);
    return commits(graph);
  }

  private static boolean commits(Bg3Graph graph) {
    try {
      graph.tx().commit();
      return true;
    } catch (Bg3ConflictException e) {
      graph.tx().rollback();
      return false;
    }
  }
}

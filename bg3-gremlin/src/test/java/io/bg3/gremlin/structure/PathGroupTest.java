package io.bg3.gremlin.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.SortOrder;
import io.bg3.gremlin.process.traversal.step.util.Hop;
import io.bg3.gremlin.process.traversal.step.util.PathLookup;
import io.bg3.testing.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Counts the paths of random hops from random vertices, and compares with going from vertex to
 * vertex: with labels of every form, with own writes, with loose edges that end nowhere, with
 * vertices of other graphs, with hops behind which vertices count, and with more vertices than are
 * held.
 */
class PathGroupTest {
  private static final int VERTICES = 60;
  private static final int EDGES = 400;
  private static final int ROUNDS = 200;
  private static final List<String> LABELS = List.of("plain", "sorted", "loose", "absent");
  private static final List<Direction> DIRECTIONS = List.of(Direction.values());

  private final Random random = new Random(Seeds.one());
  private final Bg3Graph graph = Bg3Graph.open();
  private final List<Vertex> vertices = new ArrayList<>();

  @AfterEach
  void close() {
    graph.tx().rollback();
    graph.close();
  }

  private void load() {
    graph
        .graphStore()
        .declareEdgeLabel("sorted", EdgeLabelForm.plain().orderedBy("time", SortOrder.ASCENDING));
    graph.graphStore().declareEdgeLabel("loose", EdgeLabelForm.plain().asLoose());
    for (int i = 0; i < VERTICES; i++) {
      vertices.add(graph.addVertex(T.id, 100L + i));
    }
    for (int i = 0; i < EDGES; i++) {
      addEdge();
    }
    for (int i = VERTICES - 5; i < VERTICES; i++) {
      vertices.get(i).remove(); // loose edges to and from it stay
    }
    graph.tx().commit();
  }

  private void addEdge() {
    any().addEdge(LABELS.get(random.nextInt(3)), any(), "time", (long) random.nextInt(50));
  }

  private Vertex any() {
    return vertices.get(random.nextInt(VERTICES - 5));
  }

  private List<Hop> someHops() {
    List<Hop> hops = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      String[] labels = new String[random.nextInt(3)];
      for (int j = 0; j < labels.length; j++) {
        labels[j] = LABELS.get(random.nextInt(LABELS.size()));
      }
      Hop hop = new Hop(DIRECTIONS.get(random.nextInt(3)), labels);
      hops.add(random.nextInt(3) == 0 ? hop.andCounted() : hop);
    }
    return hops;
  }

  /**
   * The vertices in front of the last hop, each with the number of paths to it.
   *
   * @param counted takes the vertices that count before, likewise
   */
  private static Map<Vertex, Long> beforeLast(
      List<Hop> hops, Vertex from, Map<Vertex, Long> counted) {
    Map<Vertex, Long> reached = new HashMap<>(Map.of(from, 1L));
    for (Hop hop : hops.subList(0, hops.size() - 1)) {
      Map<Vertex, Long> next = new HashMap<>();
      reached.forEach(
          (vertex, paths) ->
              vertex
                  .vertices(hop.direction(), hop.labels())
                  .forEachRemaining(other -> next.merge(other, paths, Long::sum)));
      reached = next;
      if (hop.isCounted()) {
        next.forEach((vertex, paths) -> counted.merge(vertex, paths, Long::sum));
      }
    }
    return reached;
  }

  private static long paths(List<Hop> hops, boolean edges, Vertex from) {
    Hop last = hops.get(hops.size() - 1);
    Map<Vertex, Long> counted = new HashMap<>();
    Map<Vertex, Long> reached = beforeLast(hops, from, counted);
    long found = counted.values().stream().mapToLong(Long::longValue).sum();
    for (Map.Entry<Vertex, Long> each : reached.entrySet()) {
      Vertex vertex = each.getKey();
      found +=
          each.getValue()
              * (edges
                  ? IteratorUtils.count(vertex.edges(last.direction(), last.labels()))
                  : IteratorUtils.count(vertex.vertices(last.direction(), last.labels())));
    }
    return found;
  }

  private static Set<Object> ends(List<Hop> hops, Vertex from) {
    Hop last = hops.get(hops.size() - 1);
    Set<Object> ends = new HashSet<>();
    Map<Vertex, Long> counted = new HashMap<>();
    Map<Vertex, Long> reached = beforeLast(hops, from, counted);
    counted.keySet().forEach(vertex -> ends.add(vertex.id()));
    for (Vertex vertex : reached.keySet()) {
      vertex.vertices(last.direction(), last.labels()).forEachRemaining(end -> ends.add(end.id()));
    }
    return ends;
  }

  @Test
  void pathsAreThoseThatTheVerticesGive() {
    load();
    for (int round = 0; round < ROUNDS; round++) {
      List<Hop> hops = someHops();
      boolean edges = random.nextBoolean();
      boolean starts = random.nextBoolean();
      PathLookup paths = graph.paths(hops, edges, starts, false);
      PathLookup different = graph.paths(hops, false, starts, true);
      Set<Object> seen = new HashSet<>();
      int before = 0;
      for (int again = 0; again < 2; again++) {
        long expected = 0;
        for (int i = random.nextInt(4); i > 0; i--) {
          Vertex vertex = any();
          long bulk = 1L + random.nextInt(3);
          paths.add(vertex, bulk);
          different.add(vertex, bulk);
          expected += bulk * (paths(hops, edges, vertex) + (starts ? 1 : 0));
          if (starts) {
            seen.add(vertex.id());
          }
          seen.addAll(ends(hops, vertex));
        }
        assertEquals(expected, paths.count(), "round " + round);
        assertEquals(seen.size() - before, different.count(), "round " + round);
        before = seen.size();
      }
      if (round % 3 == 2) {
        addEdge(); // the later rounds read own writes
      }
    }
  }

  @Test
  void verticesOfOthersGiveTheirNeighboursThemselves() {
    load();
    try (Bg3Graph other = Bg3Graph.open()) {
      Vertex a = other.addVertex(T.id, 1L);
      Vertex b = other.addVertex(T.id, 2L);
      a.addEdge("plain", b);
      a.addEdge("plain", b);
      b.addEdge("plain", other.addVertex(T.id, 3L));
      List<Hop> hops =
          List.of(new Hop(Direction.OUT, "plain"), new Hop(Direction.OUT, "plain", "absent"));
      Vertex own = vertices.get(0);
      PathLookup paths = graph.paths(hops, random.nextBoolean(), false, false);
      paths.add(a, 5);
      paths.add(own, 1);
      assertEquals(10 + paths(hops, false, own), paths.count());
      PathLookup different = graph.paths(hops, false, false, true);
      different.add(a, 5);
      different.add(a, 1);
      assertEquals(1, different.count());
      assertEquals(0, different.count());
      List<Hop> counted = List.of(hops.get(0).andCounted(), hops.get(1));
      PathLookup all = graph.paths(counted, random.nextBoolean(), true, false);
      all.add(a, 5);
      assertEquals(5 + 10 + 10, all.count());
      PathLookup allDifferent = graph.paths(counted, false, true, true);
      allDifferent.add(a, 5);
      assertEquals(3, allDifferent.count());
      other.tx().rollback();
    }
  }

  @Test
  void moreVerticesThanAreHeldAreCountedInParts() {
    for (int many :
        List.of(
            NeighbourGroup.MOST_NEIGHBOURS + 1,
            NeighbourGroup.MOST_COUNTED + 1,
            PathGroup.MOST_ALONE,
            3 * PathGroup.MOST_HELD + 7)) {
      assertPathsThrough(many);
    }
  }

  private void assertPathsThrough(int many) {
    Vertex hub = graph.addVertex();
    Vertex end = graph.addVertex();
    for (int i = 0; i < many; i++) {
      Vertex middle = graph.addVertex();
      hub.addEdge("to", middle);
      middle.addEdge("to", end);
    }
    end.addEdge("to", hub);
    graph.tx().commit();
    Hop to = new Hop(Direction.OUT, "to");
    for (List<Hop> hops : List.of(List.of(to), List.of(to, to), List.of(to, to, to))) {
      PathLookup paths = graph.paths(hops, false, false, false);
      paths.add(hub, 2);
      assertEquals(2L * many, paths.count());
    }
    PathLookup different = graph.paths(List.of(to, to, to, to), false, false, true);
    different.add(hub, 1);
    assertEquals(many, different.count());
    different.add(end, 1);
    assertEquals(1, different.count());
    Hop counted = to.andCounted();
    PathLookup all = graph.paths(List.of(counted, counted, to), false, true, false);
    all.add(hub, 2);
    assertEquals(2L * (1 + 3L * many), all.count());
  }
}

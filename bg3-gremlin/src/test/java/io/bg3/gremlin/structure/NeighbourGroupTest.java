package io.bg3.gremlin.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.SortOrder;
import io.bg3.gremlin.process.traversal.step.util.NeighbourLookup;
import io.bg3.gremlin.process.traversal.step.util.NeighbourLookup.Use;
import io.bg3.gremlin.process.traversal.step.util.SeenVertices;
import io.bg3.testing.Seeds;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.reference.ReferenceFactory;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A group gives each vertex the neighbours that the vertex gives by itself: labels of every form,
 * parallel and loose edges, own writes, and changes while the neighbours are taken.
 */
class NeighbourGroupTest {
  private static final int VERTICES = 80;
  private static final int EDGES = 900;
  private static final int ROUNDS = 60;
  private static final List<String> LABELS = List.of("plain", "sorted", "loose", "list", "none");

  private static final List<Direction> DIRECTIONS = List.of(Direction.values());

  private final Bg3Graph graph = Bg3Graph.open();
  private final Random random = new Random(Seeds.one());
  private final List<Vertex> vertices = new ArrayList<>();

  private void load() {
    EdgeLabelForm byTime = EdgeLabelForm.plain().orderedBy("time", SortOrder.DESCENDING);
    graph.graphStore().declareEdgeLabel("sorted", byTime);
    graph.graphStore().declareEdgeLabel("loose", EdgeLabelForm.plain().asLoose());
    graph.graphStore().declareEdgeLabel("list", byTime.asLoose());
    for (long id = 0; id < VERTICES; id++) {
      vertices.add(graph.addVertex(T.id, id, T.label, "v" + id % 3, "n", id));
    }
    for (int i = 0; i < EDGES; i++) {
      addEdge();
    }
    for (int i = 0; i < 5; i++) {
      vertices.remove(random.nextInt(vertices.size())).remove(); // loose edges to it stay
    }
    graph.tx().commit();
  }

  private Vertex any() {
    int bound = 1 + random.nextInt(vertices.size()); // the first ones have the most edges
    return vertices.get(random.nextInt(bound));
  }

  private void addEdge() {
    String label = LABELS.get(random.nextInt(4));
    any().addEdge(label, any(), "time", (long) random.nextInt(50));
  }

  /** The labels of a scan after that have other places than those of the group. */
  @Test
  void aLabelThatComesIntoUseMeanwhileMovesNoNeighbour() {
    for (long id = 0; id < 8; id++) {
      vertices.add(graph.addVertex(T.id, id));
    }
    for (int i = 0; i < 60; i++) {
      vertices.get(i % 3).addEdge("plain", vertices.get(3 + i % 5));
    }
    graph.tx().commit();
    Iterator<Vertex> found = graph.traversal().V(0L, 1L, 2L).out("new", "plain", "other", "plain");
    for (int i = 0; i < 50; i++) {
      found.next();
    }
    vertices.get(7).addEdge("new", vertices.get(6));
    int left = 0;
    while (found.hasNext()) {
      found.next();
      left++;
    }
    assertEquals(120, 50 + left);
  }

  @AfterEach
  void close() {
    graph.tx().rollback();
    graph.close();
  }

  private static List<Object> ids(Iterable<Vertex> found) {
    List<Object> ids = new ArrayList<>();
    found.forEach(each -> ids.add(each.id()));
    return ids;
  }

  /** The answers of a vertex that has a record, and of one that reads it. */
  private static List<Object> texts(Iterable<Vertex> found) {
    List<Object> texts = new ArrayList<>();
    found.forEach(
        each -> texts.add(each.label() + IteratorUtils.list(each.values("n")) + each.keys()));
    return texts;
  }

  private static List<Object> ownNeighbours(Vertex vertex, Direction direction, String... labels) {
    return ids(() -> vertex.vertices(direction, labels));
  }

  /** A use of a group that holds its neighbours. */
  private Use use() {
    return random.nextBoolean() ? Use.NEIGHBOURS : Use.NEIGHBOURS_TO_READ;
  }

  private String[] someLabels() {
    String[] labels = new String[1 + random.nextInt(3)];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = LABELS.get(random.nextInt(LABELS.size()));
    }
    return labels;
  }

  @Test
  void neighboursAreThoseThatTheVertexGives() {
    load();
    for (int round = 0; round < ROUNDS; round++) {
      Direction direction = DIRECTIONS.get(random.nextInt(3));
      String[] labels = someLabels();
      NeighbourGroup group = new NeighbourGroup(graph, direction, use(), labels);
      for (int again = 0; again < 3; again++) {
        List<Vertex> asked = new ArrayList<>();
        for (int i = random.nextInt(NeighbourLookup.MOST_VERTICES) + 1; i > 0; i--) {
          asked.add(any());
        }
        fill(group, asked);
        for (int i = 0; i < asked.size(); i++) {
          String at = "round " + round + ", " + direction + ", " + List.of(labels);
          List<Object> expected = ownNeighbours(asked.get(i), direction, labels);
          int index = i;
          assertEquals(expected, ids(() -> group.neighbours(index)), at);
          assertEquals(expected.size(), group.count(i, Long.MAX_VALUE), at);
          int most = 1 + random.nextInt(expected.size() + 1);
          assertEquals(Math.min(most, expected.size()), Math.min(most, group.count(i, most)), at);
          Vertex own = asked.get(i);
          assertEquals(
              texts(() -> own.vertices(direction, labels)),
              texts(() -> group.neighbours(index)),
              at);
        }
      }
      if (round % 3 == 2) {
        addEdge(); // the later rounds read own writes
        any().property("n", round);
      }
    }
  }

  @Test
  void groupsThatCountHaveTheNumbersOfNeighboursAndEdges() {
    load();
    for (int round = 0; round < ROUNDS; round++) {
      Direction direction = DIRECTIONS.get(random.nextInt(3));
      String[] labels = random.nextInt(4) == 0 ? new String[0] : someLabels();
      NeighbourGroup ends = new NeighbourGroup(graph, direction, Use.COUNTS, labels);
      NeighbourGroup edges = new NeighbourGroup(graph, direction, Use.EDGE_COUNTS, labels);
      List<Vertex> asked = new ArrayList<>();
      for (int i = random.nextInt(NeighbourLookup.MOST_VERTICES) + 1; i > 0; i--) {
        asked.add(any());
      }
      fill(ends, asked);
      fill(edges, asked);
      for (int i = 0; i < asked.size(); i++) {
        String at = "round " + round + ", " + direction + ", " + List.of(labels);
        long neighbours = IteratorUtils.count(asked.get(i).vertices(direction, labels));
        assertEquals(neighbours, ends.count(i, Long.MAX_VALUE), at);
        int most = 1 + random.nextInt((int) neighbours + 1);
        assertEquals(Math.min(most, neighbours), Math.min(most, ends.count(i, most)), at);
        assertEquals(
            IteratorUtils.count(asked.get(i).edges(direction, labels)),
            edges.countEdges(i, Long.MAX_VALUE),
            at);
      }
      if (round % 3 == 2) {
        addEdge(); // the later rounds read own writes
      }
    }
  }

  @Test
  void newNeighboursAreThoseThatWereNotGivenBefore() {
    load();
    try (Bg3Graph other = Bg3Graph.open()) {
      Vertex stranger = other.addVertex(T.id, 1_000L);
      stranger.addEdge("plain", other.addVertex(T.id, 2_000L));
      stranger.addEdge("plain", other.addVertex(T.id, vertices.get(0).id()));
      for (int round = 0; round < ROUNDS; round++) {
        Direction direction = DIRECTIONS.get(random.nextInt(3));
        String[] labels = random.nextInt(4) == 0 ? new String[0] : someLabels();
        NeighbourGroup group = new NeighbourGroup(graph, direction, use(), labels);
        SeenVertices seen = new SeenVertices();
        Set<Object> given = new LinkedHashSet<>();
        for (int again = 0; again < 3; again++) {
          List<Vertex> asked = new ArrayList<>();
          for (int i = random.nextInt(NeighbourLookup.MOST_VERTICES) + 1; i > 0; i--) {
            asked.add(random.nextInt(20) == 0 ? stranger : any());
          }
          fill(group, asked);
          for (int i = 0; i < asked.size(); i++) {
            List<Object> expected = ownNeighbours(asked.get(i), direction, labels);
            expected.removeIf(id -> !given.add(id));
            int index = i;
            assertEquals(
                expected,
                ids(() -> group.newNeighbours(index, seen)),
                "round " + round + ", " + direction + ", " + List.of(labels));
          }
        }
      }
      other.tx().rollback();
    }
  }

  private void fill(NeighbourGroup group, List<Vertex> asked) {
    group.clear();
    asked.forEach(group::add);
    group.lookUp(random.nextBoolean());
  }

  @Test
  void verticesOfOthersGiveTheirNeighboursThemselves() {
    load();
    try (Bg3Graph other = Bg3Graph.open()) {
      Vertex a = other.addVertex(T.id, 1L);
      a.addEdge("plain", other.addVertex(T.id, 2L));
      NeighbourGroup group = new NeighbourGroup(graph, Direction.OUT, use(), "plain");
      Vertex own = vertices.get(0);
      fill(group, List.of(own, a, ReferenceFactory.detach(own), own));
      assertEquals(List.of(2L), ids(() -> group.neighbours(1)));
      assertEquals(1, group.count(1, Long.MAX_VALUE));
      assertEquals(List.of(), ids(() -> group.neighbours(2)));
      assertEquals(0, group.count(2, Long.MAX_VALUE));
      assertEquals(ownNeighbours(own, Direction.OUT, "plain"), ids(() -> group.neighbours(3)));
      other.tx().rollback();
    }
  }

  /** A vertex with many neighbours is not held, so the memory of a group is bounded. */
  @Test
  void manyNeighboursAreNotHeld() {
    int many = 20 * NeighbourGroup.MOST_NEIGHBOURS;
    Vertex hub = graph.addVertex(T.id, 1_000L);
    Vertex target = graph.addVertex(T.id, 1_001L);
    for (int i = 0; i < many; i++) {
      hub.addEdge("plain", target);
    }
    graph.tx().commit();
    NeighbourGroup group = new NeighbourGroup(graph, Direction.OUT, use(), "plain");
    List<Vertex> asked = new ArrayList<>();
    for (int i = 0; i < NeighbourLookup.MOST_VERTICES; i++) {
      asked.add(hub);
    }
    fill(group, asked);
    int bound = NeighbourLookup.MOST_VERTICES * (NeighbourGroup.MOST_NEIGHBOURS + 1);
    assertTrue(group.held() <= bound, () -> "held=" + group.held());
    assertEquals(many, group.count(7, Long.MAX_VALUE));
    assertEquals(300, group.count(7, 300));
    assertEquals(300, group.countEdges(7, 300));
    assertEquals(many, IteratorUtils.count(group.neighbours(7)));
  }

  @Test
  void neighboursThatAreRemovedMeanwhileAreGivenAllTheSame() {
    load();
    for (int round = 0; round < ROUNDS; round++) {
      Vertex vertex = any();
      Vertex other = any();
      String[] labels = {"plain", "sorted"};
      NeighbourGroup group = new NeighbourGroup(graph, Direction.BOTH, use(), labels);
      fill(group, List.of(vertex, other));
      var held = group.neighbours(0);
      List<Object> before = ownNeighbours(vertex, Direction.BOTH, labels);
      int taken = Math.min(before.size(), random.nextInt(4));
      List<Object> found = new ArrayList<>();
      for (int i = 0; i < taken; i++) {
        found.add(held.next().id());
      }
      assertEquals(before.subList(0, taken), found);
      List<Edge> edges = IteratorUtils.list(vertex.edges(Direction.BOTH, labels));
      edges.forEach(Edge::remove);
      assertEquals(before.subList(taken, before.size()), ids(() -> held));
      assertEquals(ownNeighbours(other, Direction.BOTH, labels), ids(() -> group.neighbours(1)));
      graph.tx().rollback();
    }
  }

  private HasContainer condition() {
    return switch (random.nextInt(6)) {
      case 0 -> new HasContainer(T.label.getAccessor(), P.eq("v" + random.nextInt(4)));
      case 1 -> new HasContainer(T.label.getAccessor(), P.within("v0", "v2", "other"));
      case 2 -> new HasContainer("n", P.lt((long) random.nextInt(VERTICES)));
      case 3 -> new HasContainer("n", P.gt(20L).and(P.lt(60L)).or(P.eq("text")));
      case 4 -> new HasContainer("many", P.between(10, 20));
      default -> new HasContainer("missing", P.neq(1));
    };
  }

  /** Gives some vertices several values, a large one, or more properties than are searched. */
  private void addProperties() {
    for (Vertex vertex : vertices) {
      switch (random.nextInt(6)) {
        case 0 -> {
          vertex.property(VertexProperty.Cardinality.list, "many", 5);
          vertex.property(VertexProperty.Cardinality.list, "many", random.nextInt(40));
        }
        case 1 -> vertex.property("n", "text");
        case 2 -> vertex.property("n", "x".repeat(2_000));
        case 3 -> {
          for (int i = 0; i < 40; i++) {
            vertex.property(VertexProperty.Cardinality.list, "many", i);
          }
        }
        default -> {}
      }
    }
    graph.tx().commit();
  }

  @Test
  void conditionsLeaveOutTheNeighboursThatMissThem() {
    load();
    addProperties();
    for (int round = 0; round < 5 * ROUNDS; round++) {
      Direction direction = DIRECTIONS.get(random.nextInt(3));
      String[] labels = someLabels();
      List<HasContainer> conditions = new ArrayList<>();
      for (int i = random.nextInt(2); i >= 0; i--) {
        conditions.add(condition());
      }
      NeighbourGroup group = new NeighbourGroup(graph, direction, conditions, labels);
      List<Vertex> asked = new ArrayList<>();
      for (int i = 1 + random.nextInt(20); i > 0; i--) {
        asked.add(any());
      }
      fill(group, asked);
      for (int i = 0; i < asked.size(); i++) {
        int index = i;
        List<Vertex> expected = new ArrayList<>();
        asked.get(i).vertices(direction, labels).forEachRemaining(expected::add);
        expected.removeIf(each -> !HasContainer.testAll(each, conditions));
        List<Object> found = texts(() -> group.neighbours(index));
        assertEquals(texts(expected), found, () -> "conditions=" + conditions);
        assertEquals(expected.size(), group.count(i, Long.MAX_VALUE));
        Set<Object> different = new LinkedHashSet<>(ids(expected));
        assertEquals(
            List.copyOf(different), ids(() -> group.newNeighbours(index, new SeenVertices())));
        assertEquals(different.size(), group.countNew(i, new SeenVertices()));
        if (random.nextInt(20) == 0) {
          any().property("n", (long) round); // what was read before this is read again
        }
      }
      if (random.nextInt(4) == 0) {
        graph.tx().rollback();
      }
    }
  }

  @Test
  void aConditionIsTestedOnWhatTheTransactionHasChangedMeanwhile() {
    load();
    Vertex hub = graph.addVertex(T.label, "hub");
    List<Vertex> others = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      others.add(graph.addVertex(T.label, "other", "n", 1));
      hub.addEdge("plain", others.get(i));
    }
    graph.tx().commit();
    List<HasContainer> conditions = List.of(new HasContainer("n", P.eq(1)));
    NeighbourGroup group = new NeighbourGroup(graph, Direction.OUT, conditions, "plain");
    fill(group, List.of(hub));
    var held = group.neighbours(0);
    Object first = held.next().id();
    others.forEach(each -> each.property("n", 2));
    others.get(7).property("n", 1);
    assertEquals(others.get(0).id(), first);
    assertEquals(List.of(others.get(7).id()), ids(() -> held));
    graph.tx().rollback();
  }
}

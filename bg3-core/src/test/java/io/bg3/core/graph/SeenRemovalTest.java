package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.PropertyBytes;
import io.bg3.core.record.VertexRecord;
import io.bg3.core.transaction.ConflictException;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Removals of elements that the transaction has read before, perhaps before it changed or removed
 * them itself, leave what removals leave that look each element up: drawn transactions are done on
 * two stores, on one with what was read, and a model says what is left.
 */
class SeenRemovalTest {
  private static final int VERTICES = 30;
  private static final int TRANSACTIONS = 40;
  private static final int CHANGES = 60;
  private static final List<String> LABELS = List.of("plain", "counted", "ordered", "named");

  private static final List<EdgeDirection> DIRECTIONS = List.of(EdgeDirection.values());

  /** An edge as it was read: with the id that the user gave it. */
  private record Seen(EdgeId edge, Object userId) {}

  private final long seed = Seeds.one();

  private static Bg3 open(String isolation) throws IOException {
    Bg3 opened =
        Bg3.open(
            Settings.defaults()
                .with(Setting.DURABILITY, "none")
                .with(Setting.PAGE_CAPACITY, "1k")
                .with(Setting.ISOLATION, isolation));
    opened.graph().declareEdgeLabel("counted", EdgeLabelForm.plain().asCounted());
    opened
        .graph()
        .declareEdgeLabel("ordered", EdgeLabelForm.plain().orderedBy("at", SortOrder.ASCENDING));
    return opened;
  }

  /** Commits drawn transactions, and returns the vertices and edges of the store as text. */
  private String left(Bg3 in, boolean looksUp) {
    Random random = new Random(seed);
    Map<Long, Set<String>> model = new TreeMap<>(); // the edges of each vertex
    EdgeLabel ordered = in.graph().declaredEdgeLabel("ordered");
    for (int i = 0; i < TRANSACTIONS; i++) {
      try (GraphTransaction graph = in.graph().begin()) {
        new Changes(graph, ordered, random, looksUp, model).run();
        graph.commit();
      }
    }
    Map<Long, Set<String>> found = new TreeMap<>();
    try (GraphTransaction graph = in.graph().beginReadOnly()) {
      for (long vertex = 1; vertex <= VERTICES; vertex++) {
        if (graph.vertexExists(vertex)) {
          found.put(vertex, edges(graph, vertex));
        }
      }
      assertEquals(model.size(), graph.vertexCount(), () -> "seed=" + seed);
      assertEquals(
          new TreeSet<>(model.values().stream().flatMap(Set::stream).toList()).size(),
          graph.edgeCount(),
          () -> "seed=" + seed);
    }
    assertEquals(List.of(), in.check(looked -> {}), () -> "seed=" + seed);
    assertEquals(model, found, () -> "seed=" + seed);
    return found + hidden(in, ordered);
  }

  /** The links that are hidden, as text. */
  private static String hidden(Bg3 in, EdgeLabel ordered) {
    StringBuilder hidden = new StringBuilder();
    try (GraphTransaction graph = in.graph().beginReadOnly()) {
      for (long source = 1; source <= VERTICES; source++) {
        for (long target = 1; target <= VERTICES; target++) {
          Link link = graph.links().get(ordered, source, target);
          if (link != null && !link.isVisible()) {
            hidden.append(' ').append(source).append('>').append(target);
          }
        }
      }
    }
    return hidden.toString();
  }

  private static Set<String> edges(GraphTransaction graph, long vertex) {
    Set<String> edges = new TreeSet<>();
    try (EdgeScan scan = graph.edges(vertex, EdgeDirection.BOTH, false)) {
      while (scan.next()) {
        edges.add(scan.edge().text());
      }
    }
    return edges;
  }

  /** The changes of one transaction. */
  private static final class Changes {
    private final GraphTransaction graph;
    private final Random random;
    private final EdgeLabel ordered;
    private final boolean looksUp;
    private final Map<Long, Set<String>> model;
    private final Map<Long, VertexRecord> vertices = new HashMap<>();
    private final List<Seen> edges = new ArrayList<>();

    Changes(
        GraphTransaction graph,
        EdgeLabel ordered,
        Random random,
        boolean looksUp,
        Map<Long, Set<String>> model) {
      this.graph = graph;
      this.ordered = ordered;
      this.random = random;
      this.looksUp = looksUp;
      this.model = model;
    }

    void run() {
      for (int i = 0; i < CHANGES; i++) {
        long vertex = 1L + random.nextInt(VERTICES);
        int choice = random.nextInt(14);
        if (!model.containsKey(vertex)) {
          removeVertex(vertex); // also of one that was read before it was removed
          if (choice > 3) {
            graph.addVertex(vertex, "v");
            model.put(vertex, new TreeSet<>());
          }
          continue;
        }
        switch (choice) {
          case 0 -> removeVertex(vertex);
          case 1 -> vertices.put(vertex, graph.vertex(vertex));
          case 2 ->
              graph.setProperty(
                  vertex, Cardinality.SINGLE, "text", "x".repeat(random.nextInt(4_000)), null);
          case 3, 4 -> readEdges(vertex);
          case 5, 6 -> removeEdge();
          case 7 -> removeEdges(vertex);
          case 8 -> removeVertices();
          case 9 -> putHidden(vertex, 1L + random.nextInt(VERTICES));
          default -> addEdge(vertex, 1L + random.nextInt(VERTICES));
        }
      }
    }

    private void addEdge(long source, long target) {
      int label = random.nextInt(LABELS.size());
      long at = random.nextInt(5);
      int id = random.nextInt();
      if (model.containsKey(target)) {
        Object userId = label == 3 ? "id" + id : null;
        EdgeId edge = graph.addEdge(source, LABELS.get(label), target, userId, Map.of("at", at));
        model.get(source).add(edge.text());
        model.get(target).add(edge.text());
      }
    }

    private void readEdges(long vertex) {
      boolean fromSource = random.nextBoolean();
      EdgeDirection direction = fromSource ? EdgeDirection.OUT : EdgeDirection.IN;
      try (EdgeScan scan = graph.edges(vertex, direction, true)) {
        while (scan.next()) {
          edges.add(new Seen(scan.edge(), scan.userId()));
        }
      }
    }

    /** Removes edges of a vertex by one call, or one after the other. */
    private void removeEdges(long vertex) {
      EdgeDirection direction = DIRECTIONS.get(random.nextInt(DIRECTIONS.size()));
      String[] labels =
          random.nextBoolean()
              ? new String[0]
              : new String[] {LABELS.get(random.nextInt(4)), "none"};
      Map<EdgeId, Object> shown = new LinkedHashMap<>(); // a loop is shown twice
      try (EdgeScan scan = graph.edges(vertex, direction, true, labels)) {
        while (scan.next()) {
          shown.put(scan.edge(), scan.userId());
        }
      }
      if (looksUp) {
        shown.forEach((edge, userId) -> assertTrue(graph.removeEdgeIfPresent(edge)));
      } else {
        assertEquals(shown.size(), graph.removeEdges(vertex, direction, () -> {}, labels));
      }
      shown.keySet().forEach(edge -> model.values().forEach(left -> left.remove(edge.text())));
    }

    private void removeVertex(long vertex) {
      Set<String> gone = model.remove(vertex);
      VertexRecord seen = looksUp ? null : vertices.get(vertex);
      assertEquals(gone != null, graph.removeVertexIfPresent(vertex, seen, () -> {}));
      if (gone != null) {
        model.values().forEach(left -> left.removeAll(gone));
      }
    }

    /**
     * Removes several vertices together, or one after the other; some twice, some are not there.
     */
    private void removeVertices() {
      long[] group = new long[1 + random.nextInt(4)];
      VertexRecord[] seen = new VertexRecord[group.length];
      for (int i = 0; i < group.length; i++) {
        group[i] = 1L + random.nextInt(VERTICES);
        seen[i] = vertices.get(group[i]);
      }
      int there = 0;
      for (long vertex : group) {
        Set<String> gone = model.remove(vertex);
        there += gone == null ? 0 : 1;
        if (gone != null) {
          model.values().forEach(left -> left.removeAll(gone));
        }
        if (looksUp) {
          assertEquals(gone != null, graph.removeVertexIfPresent(vertex, null, () -> {}));
        }
      }
      if (!looksUp) {
        assertEquals(there, graph.removeVertices(group, seen, () -> {}));
      }
    }

    /** Puts a hidden link, which is not seen from its target; if there is no link. */
    private void putHidden(long source, long target) {
      if (graph.links().get(ordered, source, target) == null) {
        graph.links().put(ordered, source, target, random.nextInt(5), false, new PropertyBytes());
      }
    }

    private void removeEdge() {
      if (edges.isEmpty()) {
        return;
      }
      Seen seen = edges.get(random.nextInt(edges.size()));
      boolean there = false;
      for (Set<String> ofVertex : model.values()) {
        there |= ofVertex.remove(seen.edge.text());
      }
      assertEquals(
          there,
          looksUp
              ? graph.removeEdgeIfPresent(seen.edge)
              : graph.removeSeenEdge(seen.edge, seen.userId));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"strict", "snapshot"})
  void removalsOfWhatWasReadLeaveTheSame(String isolation) throws IOException {
    try (Bg3 seeing = open(isolation);
        Bg3 lookingUp = open(isolation)) {
      assertEquals(left(lookingUp, true), left(seeing, false), () -> "seed=" + seed);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"strict", "snapshot"})
  void twoTransactionsDoNotBothRemoveWhatBothHaveRead(String isolation) throws IOException {
    try (Bg3 shared = open(isolation)) {
      EdgeId edge =
          shared
              .graph()
              .retry(
                  graph -> {
                    graph.addVertex(1L, "v");
                    graph.addVertex(2L, "v");
                    return graph.addEdge(1L, "plain", 2L, "given", Map.of());
                  });
      try (GraphTransaction first = shared.graph().begin();
          GraphTransaction second = shared.graph().begin();
          GraphTransaction third = shared.graph().begin()) {
        VertexRecord seen = third.vertex(1L);
        assertTrue(first.removeSeenEdge(edge, "given"));
        assertFalse(first.removeSeenEdge(edge, "given"));
        assertTrue(second.removeSeenEdge(edge, "given"));
        assertTrue(third.removeVertexIfPresent(1L, seen, () -> {}));
        first.commit();
        assertThrows(ConflictException.class, second::commit);
        assertThrows(ConflictException.class, third::commit);
      }
      try (GraphTransaction graph = shared.graph().beginReadOnly()) {
        assertNull(graph.findEdge("given"));
        assertTrue(graph.vertexExists(1L));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"strict", "snapshot"})
  void verticesThatAreRemovedTogetherConflictLikeEach(String isolation) throws IOException {
    try (Bg3 shared = open(isolation)) {
      shared
          .graph()
          .retry(
              graph -> {
                for (long vertex = 1; vertex <= 4; vertex++) {
                  graph.addVertex(vertex, "v");
                }
                return null;
              });
      long[] group = {1, 2, 99};
      try (GraphTransaction first = shared.graph().begin();
          GraphTransaction second = shared.graph().begin();
          GraphTransaction third = shared.graph().begin()) {
        assertEquals(2, first.removeVertices(group, new VertexRecord[3], () -> {}));
        second.addEdge(3L, "plain", 2L, null, Map.of());
        third.addVertex(99L, "v");
        second.commit();
        third.commit();
        assertThrows(ConflictException.class, first::commit);
      }
      try (GraphTransaction first = shared.graph().begin();
          GraphTransaction second = shared.graph().begin()) {
        assertEquals(1, first.removeVertices(new long[] {4, 98}, new VertexRecord[2], () -> {}));
        second.addVertex(98L, "v");
        second.commit();
        assertThrows(ConflictException.class, first::commit);
      }
      assertEquals(List.of(), shared.check(looked -> {}));
    }
  }

  /**
   * The edges of the group could not be removed, because an update has no lock of their targets.
   */
  @Test
  void nothingIsCommittedWhenTheEdgesOfAGroupStay() throws IOException {
    try (Bg3 shared = open("strict")) {
      shared
          .graph()
          .retry(
              graph -> {
                graph.addVertex(1, "v");
                graph.addVertex(2, "v");
                return graph.addEdge(1, "plain", 2, null, Map.of());
              });
      assertThrows(
          IllegalStateException.class,
          () ->
              shared
                  .graph()
                  .update(
                      new long[] {1},
                      graph -> {
                        long[] group = {1};
                        assertThrows(
                            IllegalArgumentException.class,
                            () -> graph.removeVertices(group, new VertexRecord[1], () -> {}));
                        return null;
                      }));
      try (GraphTransaction graph = shared.graph().beginReadOnly()) {
        assertEquals(2, graph.vertexCount());
        assertEquals(1, graph.edgeCount());
        assertTrue(graph.vertexExists(1));
      }
    }
  }
}

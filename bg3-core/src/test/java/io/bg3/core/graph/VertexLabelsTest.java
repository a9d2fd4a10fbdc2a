package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.transaction.Dictionary;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The first label of a vertex decides which scans show it and for which label it counts, in stores
 * of this version and of those that counted a vertex for each of its labels.
 */
class VertexLabelsTest {
  @TempDir Path directory;
  private Settings settings;
  private Bg3 store;

  @BeforeEach
  void open() throws IOException {
    settings = Settings.defaults().with(Setting.DIRECTORY, directory.toString());
    store = Bg3.open(settings);
    SeveralLabels.add(store.graph());
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  private void reopen(boolean readOnly) throws IOException {
    store.close();
    store = Bg3.open(settings.with(Setting.READ_ONLY, Boolean.toString(readOnly)));
  }

  private void assertVertices(String label, Long... expected) {
    try (GraphTransaction graph = store.graph().begin()) {
      assertVertices(graph, label, expected);
    }
  }

  private static void assertVertices(GraphTransaction graph, String label, Long... expected) {
    List<Long> found = new ArrayList<>();
    try (VertexScan scan = graph.vertices(label)) {
      while (scan.next()) {
        found.add(scan.vertex());
      }
    }
    assertEquals(List.of(expected), found, label);
    assertEquals(expected.length, graph.vertexCount(label), label);
  }

  @Test
  void theFirstLabelFindsAndCountsAVertex() {
    assertVertices("a", 1L);
    assertVertices("b", 2L, 3L);
    assertVertices("c");
    try (GraphTransaction graph = store.graph().begin()) {
      assertTrue(graph.vertex(3).hasLabel(store.graph().findVertexLabel("c")));
    }
    assertEquals(List.of(), Damage.problems(store));
  }

  @Test
  void anotherLabelChangesNoTotal() {
    try (GraphTransaction graph = store.graph().begin()) {
      assertTrue(graph.addLabel(2, "a"));
      graph.removeVertex(3);
      graph.addVertex(4, "c", "b");
      assertVertices(graph, "a", 1L);
      assertVertices(graph, "b", 2L);
      assertVertices(graph, "c", 4L);
      graph.commit();
    }
    assertVertices("a", 1L);
    assertVertices("b", 2L);
    assertVertices("c", 4L);
    assertEquals(List.of(), Damage.problems(store));
  }

  /** Adds to the totals what versions added that counted a vertex for each of its labels. */
  private void makeOlder() {
    try (GraphTransaction graph = store.graph().begin()) {
      Transaction transaction = graph.transaction();
      for (String label : List.of("b", "c", "a")) { // of the vertices 1, 3 and 3
        int code = transaction.findCode(Dictionary.Kind.VERTEX_LABEL, label);
        transaction.addTotal(EdgeTags.verticesWith(code), 1);
      }
      graph.commit();
    }
  }

  @Test
  void anOlderStoreIsCountedAnewWhenItIsOpened() throws IOException {
    makeOlder();
    for (boolean readOnly : List.of(true, false, true, false)) {
      reopen(readOnly);
      assertVertices("a", 1L);
      assertVertices("b", 2L, 3L);
      assertVertices("c");
      assertEquals(List.of(), Damage.problems(store), () -> "read only: " + readOnly);
    }
    store
        .graph()
        .retry(
            graph -> {
              graph.removeVertex(1);
              return null;
            });
    assertVertices("a");
    reopen(true);
    assertVertices("a");
    assertVertices("b", 2L, 3L);
  }

  /** The throttle of commits would wait for a checkpoint that nobody takes yet. */
  @Test
  void anOlderStoreWithALongLogIsCountedAnewWhenItIsOpened(@TempDir Path killed) throws Exception {
    makeOlder();
    try (GraphTransaction graph = store.graph().begin()) {
      graph.variables().set("padding", "x".repeat(2 << 20));
      graph.commit();
    }
    Path copy = killed.resolve("copy");
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(directory.relativize(file)));
      }
    }
    store.close();
    settings =
        Settings.defaults()
            .with(Setting.DIRECTORY, copy.toString())
            .with(Setting.LOG_LIMIT, "256k");
    store = assertTimeoutPreemptively(Duration.ofMinutes(1), () -> Bg3.open(settings));
    assertVertices("a", 1L);
    assertVertices("b", 2L, 3L);
  }

  @Test
  void anOlderStoreOpensThoughAVertexCannotBeRead() throws IOException {
    makeOlder();
    put(new byte[] {1, 2, 3}, new byte[] {99});
    reopen(false);
    try (GraphTransaction graph = store.graph().begin()) {
      assertTrue(graph.vertexExists(1));
    }
  }

  @Test
  void entriesAndTotalsOfAStoreWithoutLabelsAreNotLookedAt(@TempDir Path other) throws IOException {
    store.close();
    settings = Settings.defaults().with(Setting.DIRECTORY, other.toString());
    store = Bg3.open(settings);
    put(new byte[] {1, 2, 3}, new byte[] {99});
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
      transaction.addTotal(EdgeTags.ALL_VERTICES, -1);
      transaction.commit();
    }
    reopen(false);
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, true)) {
      assertTrue(transaction.exists(TreeIds.VERTICES, new byte[] {1, 2, 3}));
    }
  }

  private void put(byte[] key, byte[] value) {
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
      transaction.put(TreeIds.VERTICES, key, value);
      transaction.commit();
    }
  }
}

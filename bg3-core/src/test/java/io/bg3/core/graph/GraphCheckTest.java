package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.Bg3;
import io.bg3.Settings;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.PropertyCell;
import io.bg3.core.record.PropertyId;
import io.bg3.core.record.ValueCodec;
import io.bg3.core.record.VertexRecord;
import io.bg3.core.transaction.Transaction;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Damages a graph behind its back, one rule after the other, and expects the check to say so. */
class GraphCheckTest {
  private static final byte[] NOTHING = {};

  private Bg3 store;
  private long a;
  private long b;
  private EdgeId edge;

  @BeforeEach
  void open() throws IOException {
    store = Bg3.open(Settings.defaults());
    try (GraphTransaction graph = store.graph().begin()) {
      a = graph.addVertex(1, "person");
      b = graph.addVertex("b", "person", "author");
      long c = graph.addVertex(new UUID(1, 2), "software");
      graph.setProperty(a, Cardinality.LIST, "text", "x".repeat(5000), null);
      int number = graph.setProperty(a, Cardinality.LIST, "text", "small", 17L);
      graph.setMeta(new PropertyId(a, number), "meta", "y".repeat(5000));
      edge = graph.addEdge(a, "knows", b, "e1", Map.of("since", 2009));
      graph.addEdge(a, "knows", b, null, Map.of());
      graph.addEdge(b, "wrote", c, 7, Map.of());
      graph.addEdge(c, "uses", c, null, Map.of());
      graph.commit();
    }
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  private void damage(String rule, Consumer<Transaction> work) {
    Damage.isFound(store, rule, work);
  }

  @Test
  void aWholeGraphHasNoProblems() {
    assertEquals(List.of(), Damage.problems(store));
    try (GraphTransaction graph = store.graph().begin()) {
      graph.removeVertex(b);
      graph.removeVertex(a);
      graph.commit();
    }
    assertEquals(List.of(), Damage.problems(store));
  }

  @Test
  void findsRecordsThatCannotBeRead() {
    damage("C1", t -> t.put(TreeIds.VERTICES, GraphKeys.vertex(a), new byte[] {1, 0}));
  }

  @Test
  void findsCodesThatTheDictionaryDoesNotHave() {
    damage("C1", t -> t.put(TreeIds.VERTICES, GraphKeys.vertex(50), new VertexRecord(99).encode()));
  }

  @Test
  void findsAMissingEntryUnderTheTarget() {
    damage("C2", t -> t.deleteEdge(b, EdgeTags.in(edge.label()), a, edge.sequence()));
  }

  @Test
  void findsAMissingEntryUnderTheSource() {
    damage("C2", t -> t.deleteEdge(a, EdgeTags.out(edge.label()), b, edge.sequence()));
  }

  @Test
  void findsAnEdgeWithoutAnEnd() {
    damage("C2", t -> t.delete(TreeIds.VERTICES, GraphKeys.vertex(a)));
  }

  @Test
  void findsPropertiesUnderTheTarget() {
    EdgeRecord record = new EdgeRecord("e1");
    byte[] value = ValueCodec.encode(1);
    record.set(new PropertyCell(1, value, 0, value.length));
    damage("C2", t -> t.putEdge(b, EdgeTags.in(edge.label()), a, edge.sequence(), record.encode()));
  }

  @Test
  void findsAVertexThatItsIdDoesNotName() {
    damage("C3", t -> t.delete(TreeIds.EXTERNAL_IDS, GraphKeys.externalId("b")));
  }

  @Test
  void findsAnIdThatNamesNoVertex() {
    damage(
        "C3", t -> t.put(TreeIds.EXTERNAL_IDS, GraphKeys.externalId("c"), GraphKeys.vertex(12345)));
  }

  @Test
  void findsAnEdgeThatItsIdDoesNotName() {
    damage("C4", t -> t.delete(TreeIds.EDGE_IDS, GraphKeys.edgeId("e1")));
  }

  @Test
  void findsAnEdgeIdThatNamesNoEdge() {
    damage("C4", t -> t.put(TreeIds.EDGE_IDS, GraphKeys.edgeId("e2"), GraphKeys.edge(edge)));
  }

  @Test
  void findsALargeValueThatIsMissing() {
    damage("C5", t -> t.delete(TreeIds.PROPERTIES, GraphKeys.property(a, 1, 0)));
  }

  @Test
  void findsALargeValueOfNoProperty() {
    damage("C5", t -> t.put(TreeIds.PROPERTIES, GraphKeys.property(a, 9, 0), NOTHING));
  }

  @Test
  void findsTotalsThatDrifted() {
    damage("C6", t -> t.addTotal(EdgeTags.ALL_EDGES, 1));
    assertEquals(
        List.of(new GraphProblem("C6", "total of edges: kept=5, counted=4")),
        Damage.problems(store));
  }
}

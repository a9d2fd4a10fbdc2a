package io.bg3.gremlin.structure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bg3.core.graph.EdgeLabel;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.LinkBatch;
import io.bg3.core.graph.SortOrder;
import io.bg3.core.record.PropertyBytes;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Edges that were written as links, and such as are loose, asked for in Gremlin. */
class DeclaredEdgesTest {
  private final Bg3Graph graph = Bg3Graph.open();
  private final GraphTraversalSource g = graph.traversal();

  @BeforeEach
  void load() {
    GraphStore store = graph.store().graph();
    EdgeLabelForm byTime = EdgeLabelForm.plain().orderedBy("time", SortOrder.DESCENDING);
    EdgeLabel link = store.declareEdgeLabel("link", byTime.asLoose());
    store.declareEdgeLabel("firm", byTime);
    for (long id = 1; id <= 3; id++) {
      g.addV("node").property(T.id, id).iterate();
    }
    g.tx().commit();
    LinkBatch batch = new LinkBatch();
    int data = store.makePropertyKey("data");
    for (long target = 2; target <= 6; target++) {
      PropertyBytes properties = new PropertyBytes().putBytes(data, new byte[] {(byte) target});
      batch.add(link, 1, target, 100 + target, target != 6, properties);
    }
    batch.add(link, 99, 1, 7, true, new PropertyBytes());
    store.putLinks(batch);
  }

  @AfterEach
  void close() {
    g.tx().rollback();
    graph.close();
  }

  @Test
  void edgesAndTheirPropertiesAreThoseThatWereWritten() {
    assertEquals(List.of(105L, 104L, 103L, 102L), g.V(1).outE("link").values("time").toList());
    assertEquals(List.of(105L, 104L, 103L, 102L), g.V(1).outE().values("time").toList());
    assertEquals(
        List.of(3L), g.V(1).outE("link").has("time", P.lt(104L)).inV().id().limit(1).toList());
    assertArrayEquals(
        new byte[] {4}, (byte[]) g.V(1).outE("link").has("time", 104L).values("data").next());
    assertEquals(Set.of("time", "data"), g.V(1).outE("link").next().keys());
    assertEquals(
        List.of(105L, 104L),
        g.V(1).outE("link").order().by("time", Order.desc).limit(2).values("time").toList());
    assertEquals(5, g.E().count().next());
    assertEquals(5, g.E().toList().size());
    assertEquals(5, g.E().hasLabel("link").count().next());
    Edge edge = g.V(1).outE("link").next();
    assertEquals(edge, g.E(edge.id()).next());
    assertEquals(105L, g.E(edge.id()).values("time").next());
  }

  @Test
  void looseEdgesThatLeadNowhereArePassedOver() {
    assertEquals(Set.of(2L, 3L), g.V(1).out("link").id().toSet());
    assertEquals(2, g.V(1).out("link").count().next());
    assertEquals(4, g.V(1).outE("link").count().next());
    assertEquals(2, g.V(1).outE("link").inV().count().next());
    assertEquals(2, g.V(1).outE("link").as("e").inV().as("v").select("v").count().next());
    assertEquals(0, g.V(1).in("link").count().next());
    assertEquals(1, g.E().has("time", 7L).count().next());
    assertEquals(0, g.E().has("time", 7L).outV().count().next());
    assertFalse(g.V(2, 3).where(__.out("link")).hasNext());
  }

  @Test
  void aVertexIsDroppedAndItsLooseEdgesStay() {
    g.V(1).drop().iterate();
    g.tx().commit();
    assertEquals(5, g.E().count().next());
    assertEquals(0, g.E().outV().count().next());
  }

  @Test
  void edgesThatAreOrderedAreWrittenWithTheirSortKey() {
    Vertex two = g.V(2).next();
    g.V(1).addE("firm").to(__.V(2)).property("time", 5L).property("n", 1).iterate();
    g.V(1).addE("firm").to(__.V(3)).property("time", 9L).iterate();
    g.V(1).addE("link").to(__.V(2)).property("time", 500L).iterate();
    g.tx().commit();
    assertEquals(List.of(9L, 5L), g.V(1).outE("firm").values("time").toList());
    assertEquals(List.of(1L), g.V(2).in("firm").id().toList());
    assertEquals(500L, g.V(1).outE("link").values("time").next());
    g.V(1).outE("firm").has("n", 1).property("time", 10L).iterate();
    g.tx().commit();
    assertEquals(List.of(10L, 9L), g.V(1).outE("firm").values("time").toList());
    g.V(2).inE("firm").drop().iterate();
    g.tx().commit();
    assertEquals(List.of(9L), g.V(1).outE("firm").values("time").toList());
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> two.addEdge("firm", two, "time", 5));
    assertEquals(
        "the label is ordered by a property that must be a long: label=firm, property=time,"
            + " found=Integer",
        refused.getMessage());
    g.mergeE(Map.of(T.label, "firm", Direction.OUT, 1L, Direction.IN, 3L))
        .property("n", 4)
        .iterate();
    assertEquals(List.of(4), g.V(1).outE("firm").values("n").toList());
    assertThrows(NoSuchElementException.class, () -> g.V(3).outE("firm").next());
  }
}

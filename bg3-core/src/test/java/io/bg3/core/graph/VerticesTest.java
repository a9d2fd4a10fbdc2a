package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.Bg3;
import io.bg3.Settings;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.record.VertexRecord;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When the records that a transaction changes get into its writes. */
class VerticesTest {
  private Bg3 store;

  @BeforeEach
  void open() throws IOException {
    store = Bg3.open(Settings.defaults());
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  /** A commit writes each record that has changed once, however many it has written before. */
  @Test
  void aFlushWritesWhatHasChangedSince() {
    try (GraphTransaction graph = store.graph().begin()) {
      VertexIdAllocator ids = store.graph().vertexIds();
      Vertices vertices = new Vertices(ids, store.graph().externalIds(), graph.transaction());
      long first = vertices.add(null, 1);
      long second = vertices.add(null, 1);
      assertEquals(0, vertices.flush());
      vertices.setProperty(first, Cardinality.SINGLE, 1, "x", null);
      vertices.setProperty(first, Cardinality.SINGLE, 1, "y", null);
      assertEquals(1, vertices.flush());
      assertEquals(0, vertices.flush());
      vertices.setProperty(first, Cardinality.SINGLE, 1, "z", null);
      vertices.setProperty(second, Cardinality.SINGLE, 1, "z", null);
      vertices.remove(second, vertices.record(second));
      assertEquals(1, vertices.flush());
      byte[] kept = graph.transaction().get(TreeIds.VERTICES, GraphKeys.vertex(first));
      assertEquals("z", VertexRecord.decode(kept).properties().get(0).value());
    }
  }
}

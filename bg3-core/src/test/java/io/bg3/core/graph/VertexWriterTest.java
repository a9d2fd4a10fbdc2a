package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.core.record.PropertyBytes;
import io.bg3.core.record.PropertyRecord;
import io.bg3.core.record.VertexRecord;
import io.bg3.core.record.VertexView;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Vertices written with all their properties at once. */
class VertexWriterTest {
  @TempDir Path directory;

  private Bg3 store;
  private GraphStore graph;
  private int number;
  private int data;

  @BeforeEach
  void open() throws IOException {
    store =
        Bg3.open(
            Settings.defaults()
                .with(Setting.DIRECTORY, directory.toString())
                .with(Setting.DURABILITY, "none")
                .with(Setting.PAGE_CAPACITY, "1k"));
    graph = store.graph();
    number = graph.makePropertyKey("number");
    data = graph.makePropertyKey("data");
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  private PropertyBytes properties(long value, byte... bytes) {
    return new PropertyBytes().putLong(number, value).putBytes(data, bytes);
  }

  private boolean replace(long vertex, String label, long value, byte... bytes) {
    return graph.update(
        vertex, work -> work.vertexWriter().replace(vertex, label, properties(value, bytes)));
  }

  private void compareNewest(long vertex, Map<Long, byte[]> model, String at) {
    VertexView found = graph.reader().vertex(vertex);
    byte[] bytes = model.get(vertex);
    assertEquals(bytes == null, found == null, at);
    if (bytes != null) {
      assertEquals(bytes.length, found.longValue(number, -1), at);
      assertEquals(-1, found.longValue(data, -1), at);
      assertArrayEquals(bytes, found.bytesValue(data), at);
      assertTrue(found.hasLabel(graph.findVertexLabel("node")), at);
      assertFalse(found.hasLabel(graph.findVertexLabel("node") + 1), at);
    }
  }

  @Test
  void verticesAndAMapAgree() throws IOException {
    long seed = Seeds.one();
    Random random = new Random(seed);
    TreeMap<Long, byte[]> model = new TreeMap<>();
    for (int i = 0; i < 600; i++) {
      long vertex = random.nextInt(60);
      byte[] bytes = new byte[random.nextInt(6) == 0 ? 3_000 : random.nextInt(200)];
      random.nextBytes(bytes);
      String at = "seed=" + seed + ", step=" + i;
      boolean there = model.containsKey(vertex);
      if (there && random.nextInt(4) == 0) {
        graph.update(vertex, work -> remove(work, vertex));
        model.remove(vertex);
      } else if (there) {
        assertTrue(replace(vertex, "node", bytes.length, bytes), at);
        model.put(vertex, bytes);
      } else {
        assertFalse(replace(vertex, "node", 0), at);
        graph.update(vertex, work -> add(work, vertex, properties(bytes.length, bytes)));
        model.put(vertex, bytes);
      }
      compareNewest(random.nextInt(60), model, at);
      if (i == 300) {
        store.close();
        open();
      }
    }
    try (GraphTransaction reading = graph.beginReadOnly()) {
      assertEquals(model.size(), reading.vertexCount("node"), "seed=" + seed);
      model.forEach(
          (vertex, bytes) -> assertSame(reading, vertex, bytes, "seed=" + seed + " " + vertex));
    }
    assertEquals(List.of(), store.check(looked -> {}), "seed=" + seed); // no large value is left
  }

  private static Void remove(GraphTransaction work, long vertex) {
    work.removeVertex(vertex);
    return null;
  }

  private static Void add(GraphTransaction work, long vertex, PropertyBytes properties) {
    work.vertexWriter().add(vertex, "node", properties);
    return null;
  }

  private void assertSame(GraphTransaction reading, long vertex, byte[] bytes, String at) {
    VertexRecord record = reading.vertex(vertex);
    List<PropertyRecord> found = record.properties();
    assertEquals(2, found.size(), at);
    assertEquals(number, found.get(0).key(), at);
    assertEquals((long) bytes.length, reading.value(vertex, found.get(0)), at);
    assertEquals(data, found.get(1).key(), at);
    assertArrayEquals(bytes, (byte[]) reading.value(vertex, found.get(1)), at);
  }

  @Test
  void whatIsWrittenCanBeChangedOneByOneInTheSameTransaction() {
    graph.retry(
        work -> {
          add(work, 7, properties(1, (byte) 2));
          assertThrows(DuplicateIdException.class, () -> add(work, 7, properties(1)));
          work.setProperty(7, Cardinality.SINGLE, "number", 5L, null);
          work.setProperty(7, Cardinality.LIST, "more", "text", null);
          return null;
        });
    try (GraphTransaction reading = graph.beginReadOnly()) {
      VertexRecord record = reading.vertex(7);
      assertEquals(3, record.properties().size());
      assertEquals(5L, reading.value(7, record.properties().get(1)));
    }
    assertTrue(replace(7, "node", 9));
    try (GraphTransaction reading = graph.beginReadOnly()) {
      assertSame(reading, 7, new byte[0], 9);
    }
  }

  private void assertSame(GraphTransaction reading, long vertex, byte[] bytes, long value) {
    VertexRecord record = reading.vertex(vertex);
    assertEquals(2, record.properties().size());
    assertEquals(value, reading.value(vertex, record.properties().get(0)));
    assertArrayEquals(bytes, (byte[]) reading.value(vertex, record.properties().get(1)));
    assertNull(record.property(1), "a number is given once");
  }

  @Test
  void refusesWhatIsNoVertexOfTheLabel() {
    graph.update(3L, work -> add(work, 3, properties(1)));
    assertFalse(replace(3, "other", 2));
    assertFalse(replace(4, "node", 2));
    assertThrows(
        IllegalArgumentException.class,
        () -> graph.update(Long.MIN_VALUE, work -> add(work, Long.MIN_VALUE, properties(1))));
  }
}

package io.bg3;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.graph.EdgeDirection;
import io.bg3.core.graph.EdgeScan;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.tree.Neighbours;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.format.CorruptionException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Takes the extents of large values away and reads and writes everything else, with no page in
 * memory: an operation that needs no value must not look for one. Only asking for a value fails.
 */
class LargeValueReadsTest {
  private static final Settings SETTINGS =
      Settings.defaults()
          .with(Setting.MEMORY_BUDGET, "32m")
          .with(Setting.DURABILITY, "none")
          .with(Setting.EXTENT_SIZE, "256k");

  private static final int OWNERS = 60;
  private static final int DEGREE = 20;
  private static final int OUT = 1;
  private static final int LARGE = 3_000;

  @Test
  void onlyAskingForALargeValueReadsIt() throws Exception {
    MemoryDisk disk = new MemoryDisk();
    try (Bg3 store = Bg3.open(SETTINGS, disk)) {
      for (int owner = 0; owner < OWNERS; owner++) {
        writeOwner(store, owner);
      }
    }
    loseValues(disk);
    try (Bg3 store = Bg3.open(SETTINGS, disk)) {
      try (Transaction reader = store.transactions().begin(Isolation.STRICT, true)) {
        for (int owner = 0; owner < OWNERS; owner++) {
          assertTrue(reader.edgeExists(owner, OUT, 100, 0));
          assertFalse(reader.edgeExists(owner, OUT, 99, 0));
          assertTrue(reader.exists(TreeIds.META, key(owner)));
          assertEquals(DEGREE, scan(reader, owner, false));
          Neighbours neighbours = new Neighbours();
          reader.neighbours(owner, OUT, Integer.MAX_VALUE, neighbours);
          assertEquals(DEGREE, neighbours.size());
        }
        assertThrows(CorruptionException.class, () -> reader.edgeValue(0, OUT, 100, 0));
        assertThrows(CorruptionException.class, () -> reader.get(TreeIds.META, key(0)));
        assertThrows(CorruptionException.class, () -> scan(reader, 0, true));
      }
      overwrite(store);
      store.checkpoint();
      try (Transaction reader = store.transactions().begin(Isolation.STRICT, true)) {
        assertArrayEquals(value(500), reader.edgeValue(0, OUT, 100, 0));
        assertFalse(reader.edgeExists(0, OUT, 101, 0));
        assertArrayEquals(value(501), reader.edgeValue(0, OUT, 500, 0));
        assertEquals(DEGREE, scan(reader, 0, false));
      }
    }
  }

  @Test
  void aWalkReadsNoPropertiesOfEdges() throws Exception {
    MemoryDisk disk = new MemoryDisk();
    long[] vertices = new long[OWNERS];
    try (Bg3 store = Bg3.open(SETTINGS, disk);
        GraphTransaction graph = store.graph().begin()) {
      for (int i = 0; i < OWNERS; i++) {
        vertices[i] = graph.addVertex(i, "person");
      }
      for (int i = 0; i < OWNERS; i++) {
        Map<String, Object> properties = Map.of("text", "x".repeat(LARGE));
        graph.addEdge(vertices[i], "knows", vertices[(i + 1) % OWNERS], null, properties);
      }
      graph.commit();
    }
    loseValues(disk);
    try (Bg3 store = Bg3.open(SETTINGS, disk);
        GraphTransaction graph = store.graph().beginReadOnly()) {
      for (int i = 0; i < OWNERS; i++) {
        assertTrue(graph.vertexExists(vertices[i]));
        try (EdgeScan edges = graph.edges(vertices[i], EdgeDirection.OUT, false, "knows")) {
          assertTrue(edges.next());
          assertEquals(vertices[(i + 1) % OWNERS], edges.other());
          assertTrue(graph.edgeExists(edges.edge()));
          assertThrows(CorruptionException.class, () -> graph.edge(edges.edge()));
          assertFalse(edges.next());
        }
      }
    }
  }

  @Test
  void aValueThatWasReadIsReadFromMemoryAsLongAsMemoryIsFree() throws Exception {
    MemoryDisk disk = new MemoryDisk();
    try (Bg3 store = Bg3.open(SETTINGS, disk)) {
      writeOwner(store, 0);
      try (Transaction reader = store.transactions().begin(Isolation.STRICT, true)) {
        assertArrayEquals(value(3), reader.edgeValue(0, OUT, 103, 0));
      }
      assertEquals(new StoreStats.LargeValues(DEGREE + 1, bytes(store), 1, 0), large(store));
    }
    try (Bg3 store = Bg3.open(SETTINGS, disk);
        Transaction reader = store.transactions().begin(Isolation.STRICT, true)) {
      for (int times = 0; times < 3; times++) {
        assertEquals(DEGREE, scan(reader, 0, true));
        assertArrayEquals(value(3), reader.edgeValue(0, OUT, 103, 0));
      }
      assertEquals(
          new StoreStats.LargeValues(DEGREE, bytes(store), 2 * DEGREE + 3, DEGREE), large(store));
      assertTrue(bytes(store) > (long) DEGREE * LARGE);
      store.evict();
      assertEquals(0, bytes(store));
      assertArrayEquals(value(3), reader.edgeValue(0, OUT, 103, 0));
      assertEquals(DEGREE + 1, large(store).reads());
    }
  }

  private static StoreStats.LargeValues large(Bg3 store) {
    return store.stats().largeValues();
  }

  private static long bytes(Bg3 store) {
    return large(store).bytes();
  }

  private static void writeOwner(Bg3 store, int owner) {
    try (Transaction writer = store.transactions().begin(Isolation.STRICT, false)) {
      for (int i = 0; i < DEGREE; i++) {
        writer.putEdge(owner, OUT, 100 + i, 0, value(owner + i));
      }
      writer.put(TreeIds.META, key(owner), value(owner));
      writer.commit();
    }
  }

  private static void overwrite(Bg3 store) {
    try (Transaction writer = store.transactions().begin(Isolation.STRICT, false)) {
      writer.putEdge(0, OUT, 100, 0, value(500));
      writer.deleteEdge(0, OUT, 101, 0);
      writer.putEdge(0, OUT, 500, 0, value(501));
      writer.commit();
    }
  }

  private static int scan(Transaction reader, long owner, boolean values) {
    int count = 0;
    try (EdgeCursor cursor = reader.edges(owner, OUT, OUT, values, ScanOrder.FORWARD)) {
      while (cursor.next()) {
        assertEquals(values, cursor.value() != null);
        count++;
      }
    }
    return count;
  }

  private static void loseValues(MemoryDisk disk) throws Exception {
    int lost = 0;
    for (String name : disk.list()) {
      if (name.startsWith("extent-value-")) {
        disk.delete(name);
        lost++;
      }
    }
    assertTrue(lost > 0, disk.list().toString());
  }

  private static byte[] value(int fill) {
    byte[] value = new byte[LARGE];
    Arrays.fill(value, (byte) fill);
    return value;
  }

  private static byte[] key(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number + 1_000_000).array();
  }
}

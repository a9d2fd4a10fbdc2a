package io.bg3;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.graph.Cardinality;
import io.bg3.core.graph.Condition;
import io.bg3.core.graph.DuplicateValueException;
import io.bg3.core.graph.ElementKind;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.IndexStatus;
import io.bg3.core.graph.IndexedKeys;
import io.bg3.core.graph.Indexes;
import io.bg3.core.graph.Sought;
import io.bg3.core.graph.VertexLookup;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.file.MemoryDisk;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;

/**
 * Opens stores that earlier versions of the program have written, each in the moment of a power
 * cut. The files of each are a ZIP archive among the resources, named after what has changed since.
 */
class OlderStoresTest {
  private static final Settings SETTINGS =
      Settings.defaults()
          .with(Setting.MEMORY_BUDGET, "8m")
          .with(Setting.EXTENT_SIZE, "64k")
          .with(Setting.LOG_LIMIT, "256k");

  private static final int VERSION_OFFSET = 72;

  /**
   * Its usage rows count ages in milliseconds, which taken for bytes would be more than the store
   * ever appends. Three rounds of keys were written, with a checkpoint behind each, and one key
   * more.
   */
  @Test
  void aStoreWithACheckpointOfVersion2() throws IOException {
    Disk disk = files("checkpoint-2.zip");
    assertEquals(2, version(disk));
    for (int opening = 0; opening < 2; opening++) {
      try (Bg3 store = Bg3.open(SETTINGS, disk)) {
        for (int i = 0; i < 300; i++) {
          int round = i % 5 == 0 ? 2 : i % 3 == 0 ? 1 : 0;
          String value = "value " + i + " of round " + round + " and some more bytes";
          assertEquals(i == 7 ? "only in the log" : value, text(store, i));
        }
        assertArrayEquals(new byte[3002], get(store, 1050));
        assertEquals(List.of(), store.check(looked -> {}));
        store.checkpoint();
        long appended = store.stats().appendedBytes();
        assertTrue(appended < 1 << 20, "bytes appended ever: " + appended);
      }
      assertEquals(8, version(disk));
    }
  }

  /**
   * It has no tree of index entries. Three commits of a hundred vertices each were made, with a
   * checkpoint behind the first and the second.
   */
  @Test
  void aStoreWithACheckpointOfVersion3() throws Exception {
    Disk disk = files("checkpoint-3.zip");
    assertEquals(3, version(disk));
    try (Bg3 store = Bg3.open(SETTINGS.with(Setting.READ_ONLY, "true"), disk)) {
      assertEquals(List.of(), store.graph().indexes());
      assertEquals(List.of(), store.check(looked -> {}));
    }
    assertEquals(3, version(disk));
    for (int opening = 0; opening < 2; opening++) {
      try (Bg3 store = Bg3.open(SETTINGS, disk)) {
        store.graph().createIndex("airport", "code");
        Indexes.await(store.graph());
        assertEquals(List.of(), store.check(looked -> {}));
        try (GraphTransaction graph = store.graph().begin();
            VertexLookup found = graph.lookUp("code", List.of("C3", 45), "airport")) {
          int count = 0;
          while (found.next()) {
            count++;
          }
          assertEquals(30 + 3, count, "codes C3 of airports, and 45");
        }
        store.checkpoint();
      }
      assertEquals(8, version(disk));
    }
  }

  /**
   * Its definitions of indexes have version 2. Two commits of fifty vertices and edges each were
   * made, with a checkpoint behind the first.
   */
  @Test
  void aStoreWithDefinitionsOfIndexesOfVersion2() throws Exception {
    Disk disk = files("index-2.zip");
    for (int opening = 0; opening < 2; opening++) {
      try (Bg3 store = Bg3.open(SETTINGS, disk)) {
        assertEquals(
            List.of("airport.code", "*.mail"),
            store.graph().indexes().stream().limit(2).map(index -> index.of().toString()).toList());
        store.graph().createUniqueIndex("airport", "city", "mail");
        Indexes.await(store.graph());
        assertEquals(List.of(), store.check(looked -> {}));
        try (GraphTransaction graph = store.graph().begin();
            VertexLookup some = graph.lookUp("code", List.of("C10", 45), "airport");
            VertexLookup one =
                graph.lookUp(
                    List.of(
                        new Condition("mail", Sought.startingWith("m10")),
                        new Condition("city", Sought.anyOf(List.of("city 3")))),
                    "airport")) {
          int count = 0;
          while (some.next()) {
            count++;
          }
          assertEquals(4, count);
          assertTrue(one.next());
          assertEquals(103, one.vertex());
        }
      }
    }
  }

  /**
   * Its definitions of indexes have versions 2 and 3, and dates stand in its entries as properties
   * have them. Two commits of thirty vertices and edges each were made, with a checkpoint behind
   * the first.
   */
  @Test
  void aStoreWithIndexesThatAnswerNoRangeOfDates() throws Exception {
    Disk disk = files("index-3.zip");
    IndexedKeys edges = IndexedKeys.ofEdges("follows", "when");
    Sought from = Sought.between(created(50), null);
    for (int opening = 0; opening < 2; opening++) {
      try (Bg3 store = Bg3.open(SETTINGS, disk)) {
        GraphStore graph = store.graph();
        assertTrue(graph.indexes().stream().noneMatch(IndexStatus::ordered));
        assertEquals(List.of(), store.check(looked -> {}));
        assertNull(find(store, new Condition("created", from)));
        assertNull(find(store, new Condition("uid", Sought.between(Instant.EPOCH, null))));
        assertEquals(List.of(17L), find(store, new Condition("created", is(created(17)))));
        Instant uid = Instant.ofEpochSecond(40_000, 40);
        assertEquals(List.of(40L), find(store, new Condition("uid", is(uid))));
        Condition kind = new Condition("kind", is("k1"));
        assertEquals(15, find(store, kind, new Condition("created", from)).size());
        Condition both = new Condition("created", is(created(17)));
        assertEquals(List.of(17L), find(store, kind, both));
        assertThrows(
            DuplicateValueException.class,
            () -> graph.retry(in -> in.setProperty(1, Cardinality.SINGLE, "uid", uid, null)));
        Condition before = new Condition("when", Sought.between(null, Date.from(Instant.EPOCH)));
        assertEquals(List.of(), graph.indexesFor(ElementKind.EDGE, List.of(before), labels()));
      }
    }
    try (Bg3 store = Bg3.open(SETTINGS, disk)) {
      GraphStore graph = store.graph();
      graph.dropIndex("event", "created");
      graph.createIndex("event", "created");
      graph.rebuildIndex(IndexedKeys.ofVertices("event", "kind", "created"));
      graph.rebuildIndex(edges);
      Indexes.await(graph);
    }
    try (Bg3 store = Bg3.open(SETTINGS, disk)) {
      assertEquals(3, store.graph().indexes().stream().filter(IndexStatus::ordered).count());
      assertEquals(List.of(), store.check(looked -> {}));
      assertEquals(
          List.of(50L, 51L, 52L, 53L, 54L, 55L, 56L, 57L, 58L, 59L),
          find(store, new Condition("created", from)));
      assertEquals(
          List.of(53L, 57L),
          find(store, new Condition("kind", is("k1")), new Condition("created", from)));
      Condition before = new Condition("when", Sought.between(null, Date.from(Instant.EPOCH)));
      assertEquals(
          List.of(edges.toString()),
          store.graph().indexesFor(ElementKind.EDGE, List.of(before), labels()));
    }
  }

  private static List<String> labels() {
    return List.of("follows");
  }

  private static Sought is(Object value) {
    return Sought.anyOf(List.of(value));
  }

  private static OffsetDateTime created(int vertex) {
    Instant instant = Instant.ofEpochSecond((vertex - 30) * 90_000_000L);
    return OffsetDateTime.ofInstant(instant, ZoneOffset.ofHours(vertex % 3));
  }

  /** The events that indexes name; null if none answers. */
  private static List<Long> find(Bg3 store, Condition... conditions) {
    try (GraphTransaction graph = store.graph().beginReadOnly();
        VertexLookup lookup = graph.lookUp(List.of(conditions), "event")) {
      List<Long> found = lookup == null ? null : new ArrayList<>();
      while (lookup != null && lookup.next()) {
        found.add(lookup.vertex());
      }
      return found;
    }
  }

  private static Disk files(String archive) throws IOException {
    Disk disk = new MemoryDisk();
    try (InputStream in = OlderStoresTest.class.getResourceAsStream(archive);
        ZipInputStream zip = new ZipInputStream(Objects.requireNonNull(in, archive))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        try (DiskFile file = disk.create(entry.getName())) {
          file.write(ByteBuffer.wrap(zip.readAllBytes()), 0);
        }
      }
    }
    return disk;
  }

  private static int version(Disk disk) throws IOException {
    try (DiskFile manifest = disk.open("manifest")) {
      ByteBuffer first = ByteBuffer.allocate(1);
      manifest.read(first, VERSION_OFFSET);
      return first.get(0);
    }
  }

  private static String text(Bg3 store, int key) {
    return new String(get(store, key), StandardCharsets.US_ASCII);
  }

  private static byte[] get(Bg3 store, int key) {
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, true)) {
      return transaction.get(TreeIds.META, new byte[] {9, (byte) (key >>> 8), (byte) key});
    }
  }
}

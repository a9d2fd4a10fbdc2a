package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.core.record.PropertyBytes;
import io.bg3.core.record.PropertyView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Questions without a transaction; {@link LinkModelTest} compares more answers. */
class GraphReaderTest {
  private static final long SOURCE = 7;
  private static final int LINKS = 60;
  private static final int UPDATES = 1_500;

  private Bg3 store;
  private GraphStore graph;
  private EdgeLabel link;
  private int version;
  private int data;

  @BeforeEach
  void open() throws IOException {
    store =
        Bg3.open(
            Settings.defaults()
                .with(Setting.DURABILITY, "none")
                .with(Setting.PAGE_CAPACITY, "1k")
                .with(Setting.VALUE_THRESHOLD, "128"));
    graph = store.graph();
    EdgeLabelForm form = EdgeLabelForm.plain().asLoose().asCounted();
    link = graph.declareEdgeLabel("link", form.orderedBy("time", SortOrder.DESCENDING));
    version = graph.makePropertyKey("version");
    data = graph.makePropertyKey("data");
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  /** All links of the source with one version, over several leaves, in one commit. */
  private void put(int now, int bytes) {
    PropertyBytes properties =
        new PropertyBytes().putInt(version, now).putBytes(data, new byte[bytes]);
    graph.update(
        SOURCE,
        work -> {
          Links links = work.links();
          for (int i = 0; i < LINKS; i++) {
            links.put(link, SOURCE, i, now + i, true, properties);
          }
          return null;
        });
  }

  private record Seen(long target, int version, int bytes) {}

  private List<Seen> all(GraphReader reader) {
    List<Seen> seen = new ArrayList<>();
    reader.links(
        link,
        SOURCE,
        0,
        Long.MAX_VALUE,
        0,
        Integer.MAX_VALUE,
        shown -> {
          PropertyView properties = shown.properties();
          int bytes = properties.bytesValue(data).length;
          seen.add(new Seen(shown.target(), properties.intValue(version, -1), bytes));
        });
    return seen;
  }

  @Test
  void aListIsOfOneSnapshotWhilePagesArePrunedAndSplit() throws Exception {
    put(0, 20);
    AtomicBoolean ended = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        readers.add(threads.submit(() -> readUntil(ended)));
      }
      for (int i = 1; i <= UPDATES; i++) {
        put(i, i % 20 == 0 ? 200 : 20);
      }
      ended.set(true);
      for (Future<?> reader : readers) {
        reader.get();
      }
    } finally {
      ended.set(true);
      threads.shutdownNow();
    }
  }

  private void readUntil(AtomicBoolean ended) {
    GraphReader reader = graph.reader();
    int newest = 0;
    while (!ended.get()) {
      List<Seen> links = all(reader);
      assertEquals(LINKS, links.size());
      int seen = links.get(0).version();
      for (int i = 0; i < LINKS; i++) {
        assertEquals(LINKS - 1 - i, links.get(i).target());
        assertEquals(seen, links.get(i).version());
      }
      assertTrue(seen >= newest, "went back: seen=" + seen + ", before=" + newest);
      newest = seen;
      Link one = reader.link(link, SOURCE, 3);
      assertEquals(one.properties().intValue(version, -1) + 3, one.sortKey());
      assertEquals(LINKS, reader.count(link, SOURCE));
    }
  }

  @Test
  void largeValuesAreReadToo() {
    put(1, 500);
    List<Seen> links = all(graph.reader());
    assertEquals(LINKS, links.size());
    assertEquals(new Seen(0, 1, 500), links.get(LINKS - 1));
    Link one = graph.reader().link(link, SOURCE, 5);
    assertArrayEquals(new byte[500], one.properties().bytesValue(data));
  }

  @Test
  void whatIsNotThereIsNot() {
    GraphReader reader = graph.reader();
    assertEquals(List.of(), all(reader));
    assertNull(reader.link(link, SOURCE, 1));
    assertEquals(0, reader.count(link, SOURCE));
    assertNull(reader.vertex(SOURCE));
  }

  @Test
  void nothingIsReadFromAClosedStore() throws IOException {
    GraphReader reader = graph.reader();
    store.close();
    assertThrows(IllegalStateException.class, () -> reader.vertex(SOURCE));
  }
}

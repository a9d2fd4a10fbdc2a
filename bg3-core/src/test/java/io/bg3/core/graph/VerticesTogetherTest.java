package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.core.record.VertexRecord;
import io.bg3.core.transaction.ConflictException;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Records that are read together are those that are read one by one: in many small pages, with
 * values that stand apart, own writes, and snapshots that are older than the pages.
 */
class VerticesTogetherTest {
  private static final int VERTICES = 600;
  private static final int ROUNDS = 60;

  private final long seed = Seeds.one();
  private final Random random = new Random(seed);
  private Bg3 store;

  @BeforeEach
  void open() throws IOException {
    store =
        Bg3.open(
            Settings.defaults()
                .with(Setting.DURABILITY, "none")
                .with(Setting.PAGE_CAPACITY, "1k")
                .with(Setting.VALUE_THRESHOLD, "300"));
    change(VERTICES);
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  private long any() {
    return 1L + random.nextInt(VERTICES);
  }

  private void change(int times) {
    store
        .graph()
        .retry(
            work -> {
              for (int i = 0; i < times; i++) {
                change(work, any());
              }
              return null;
            });
  }

  private void change(GraphTransaction work, long vertex) {
    if (!work.vertexExists(vertex)) {
      work.addVertex(vertex, random.nextBoolean() ? "person" : "thing");
    } else if (random.nextInt(4) == 0) {
      work.removeVertex(vertex);
    } else {
      String text = "x".repeat(random.nextInt(700));
      work.setProperty(vertex, Cardinality.SINGLE, "text", text + random.nextInt(9), null);
    }
  }

  private static byte[] encoded(VertexRecord record) {
    return record == null ? null : record.encode();
  }

  private void assertSame(GraphTransaction graph) {
    int count = random.nextInt(100);
    long[] asked = random.longs(count, 1, 2 * VERTICES).toArray();
    VertexRecord[] found = new VertexRecord[count + 1];
    graph.vertices(count, i -> asked[i], found);
    for (int i = 0; i < count; i++) {
      byte[] expected = encoded(graph.vertex(asked[i]));
      assertEquals(
          Arrays.toString(expected),
          Arrays.toString(encoded(found[i])),
          Seeds.say(seed) + ", vertex " + asked[i]);
    }
  }

  @Test
  void recordsAreThoseThatAreReadOneByOne() {
    GraphTransaction old = store.graph().begin();
    for (int round = 0; round < ROUNDS; round++) {
      change(20);
      assertSame(old);
      try (GraphTransaction own = store.graph().begin()) {
        assertSame(own);
        for (int i = 0; i < 30; i++) {
          change(own, any());
        }
        assertSame(own);
      }
      if (round % 7 == 6) {
        old.close();
        old = store.graph().begin();
      }
    }
    old.close();
    assertEquals(List.of(), store.check(looked -> {}), Seeds.say(seed));
  }

  @Test
  void eachRecordCountsAsRead() {
    for (int changed = 0; changed < 3; changed++) {
      long vertex = 1_000L + changed;
      for (long each = 1_000; each < 1_003; each++) {
        long id = each;
        store
            .graph()
            .retry(work -> work.vertexExists(id) ? null : (Object) work.addVertex(id, "person"));
      }
      GraphTransaction reader = store.graph().begin();
      reader.vertices(3, i -> 1_000 + i, new VertexRecord[3]);
      reader.addVertex(null, "person");
      store.graph().retry(work -> work.setProperty(vertex, Cardinality.SINGLE, "n", 1, null));
      assertThrows(ConflictException.class, reader::commit, Seeds.say(seed));
    }
  }
}

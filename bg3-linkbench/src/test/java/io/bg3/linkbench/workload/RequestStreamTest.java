package io.bg3.linkbench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.linkbench.model.LinkRow;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What requests there are, and that a seed makes them. */
class RequestStreamTest {
  @Test
  void aSeedMakesTheSameRequests() {
    assertEquals(texts(stream("5"), 2_000), texts(stream("5"), 2_000));
    assertNotEquals(texts(stream("5"), 50), texts(stream("6"), 50));
  }

  @Test
  void theSharesAreThoseOfTheConfiguration() {
    RequestStream stream = stream("9");
    Map<Operation, Integer> counts = new EnumMap<>(Operation.class);
    for (int i = 0; i < 100_000; i++) {
      counts.merge(stream.next().operation(), 1, Integer::sum);
    }
    assertEquals(50_712, counts.get(Operation.GET_LINKS_LIST), 800);
    assertEquals(12_933, counts.get(Operation.GET_NODE), 500);
    assertEquals(8_989, counts.get(Operation.ADD_LINK), 400);
    assertEquals(8_012, counts.get(Operation.UPDATE_LINK), 400);
    assertEquals(526, counts.get(Operation.MULTIGET_LINK), 120);
  }

  @Test
  void requestsAreForNodesThatWereLoaded() {
    RequestStream stream = stream("3");
    for (int i = 0; i < 20_000; i++) {
      if (stream.next() instanceof Request.ListLinks list) {
        assertTrue(list.id1() >= 1 && list.id1() < 501, list.toString());
      }
    }
  }

  @Test
  void aListThatWasCutOffIsContinuedLater() {
    RequestStream stream = stream("3", "getlinklist_history", "50");
    Request.ListLinks first = nextList(stream);
    LinkRow[] full = new LinkRow[RequestStream.RANGE_LIMIT];
    for (int i = 0; i < full.length; i++) {
      full[i] =
          new LinkRow(first.id1(), first.type(), i, LinkRow.VISIBLE, 0, 50_000 - i, new byte[0]);
    }
    stream.answered(first, full);
    Request.ListLinks older;
    do {
      older = nextList(stream);
    } while (older.offset() == 0);
    assertEquals(first.id1(), older.id1());
    assertEquals(50_000 - 9_999, older.maxTime());
    stream.answered(older, new LinkRow[3]);
    for (int i = 0; i < 1_000; i++) {
      assertEquals(0, nextList(stream).offset());
    }
  }

  @Test
  void requestsComeAtTheRateInTheMean() {
    RequestStream stream = stream("1", "requestrate", "1000");
    double sum = 0;
    for (int i = 0; i < 20_000; i++) {
      sum += stream.gap();
    }
    assertEquals(1e6, sum / 20_000, 3e4);
    assertEquals(0, stream("1").gap());
  }

  private static Request.ListLinks nextList(RequestStream stream) {
    while (true) {
      if (stream.next() instanceof Request.ListLinks list) {
        return list;
      }
    }
  }

  private static List<String> texts(RequestStream stream, int count) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      texts.add(stream.next().toString());
    }
    return texts;
  }

  private static RequestStream stream(String seed, String... more) {
    String[] keys = new String[more.length + 2];
    keys[0] = "request_random_seed";
    keys[1] = seed;
    System.arraycopy(more, 0, keys, 2, more.length);
    Config config = Workloads.small(keys);
    Seeds seeds = Seeds.of(config, "request_random_seed");
    return new RequestStream(config, new Degrees(config), seeds.next(), () -> 1_000, 0, 1);
  }
}

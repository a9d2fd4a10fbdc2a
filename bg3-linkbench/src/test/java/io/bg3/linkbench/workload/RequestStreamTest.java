package io.bg3.linkbench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.linkbench.model.LinkRow;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/** The kinds of requests, which are a function of the seed. */
class RequestStreamTest {
  private static final long SUM = 0x9209_0be1L;

  @Test
  void aSeedMakesTheSameRequests() {
    assertEquals(texts(stream("5"), 2_000), texts(stream("5"), 2_000));
    assertNotEquals(texts(stream("5"), 50), texts(stream("6"), 50));
  }

  /** The sum was taken of what Facebook's driver asked its store with this seed and these keys. */
  @Test
  void theRequestsAreThoseOfFacebooksDriver() {
    Config config =
        Workloads.stock(
            "maxid1",
            "100001",
            "nlinks_func",
            "CONST",
            "nlinks_default",
            "4",
            "nlinks_config",
            "1",
            "requesters",
            "1");
    PhaseSeeds seeds = PhaseSeeds.of(config, "request_random_seed");
    RequestStream stream =
        new RequestStream(config, new NodeDegrees(config), seeds.next(), () -> 1_000, 0, 1);
    CRC32 sum = new CRC32();
    for (int i = 0; i < 20_000; i++) {
      sum.update((text(stream.next()) + "\n").getBytes(StandardCharsets.US_ASCII));
    }
    assertEquals(SUM, sum.getValue());
  }

  private static String text(Request request) {
    if (request instanceof Request.AddLink add) {
      LinkRow link = add.link();
      return "add " + link.id1() + " " + link.type() + " " + link.id2() + " " + text(link.data());
    } else if (request instanceof Request.DeleteLink delete) {
      return "del " + delete.id1() + " " + delete.type() + " " + delete.id2();
    } else if (request instanceof Request.GetLinks get) {
      return "get " + get.id1() + " " + get.type() + " " + get.id2s();
    } else if (request instanceof Request.ListLinks list) {
      return "list " + list.id1() + " " + list.type();
    } else if (request instanceof Request.CountLinks count) {
      return "count " + count.id1() + " " + count.type();
    } else if (request instanceof Request.AddNode add) {
      return "addn " + text(add.node().data());
    } else if (request instanceof Request.UpdateNode update) {
      return "updn " + update.node().id() + " " + text(update.node().data());
    } else if (request instanceof Request.DeleteNode delete) {
      return "deln " + delete.id();
    }
    return "getn " + ((Request.GetNode) request).id();
  }

  private static String text(byte[] data) {
    return Arrays.hashCode(data) + "/" + data.length;
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
    PhaseSeeds seeds = PhaseSeeds.of(config, "request_random_seed");
    return new RequestStream(config, new NodeDegrees(config), seeds.next(), () -> 1_000, 0, 1);
  }
}

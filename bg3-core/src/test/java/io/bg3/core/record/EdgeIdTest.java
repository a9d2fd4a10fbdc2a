package io.bg3.core.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.testing.Seeds;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Composed edge ids as text: short, canonical, and safe in a URL. */
class EdgeIdTest {
  @Test
  void textSaysSourceLabelTargetAndSequence() {
    assertEquals("1~3~2", new EdgeId(1, 3, 2, 0).text());
    assertEquals("-1~3~2~4294967295", new EdgeId(-1, 3, 2, -1).text());
    assertEquals(
        "x0~1~x12~1", new EdgeId(VertexId.reserved(0), 1, VertexId.reserved(12), 1).text());
  }

  @Test
  void textNamesTheEdgeItCameFrom() {
    long seed = Seeds.one();
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      EdgeId edge =
          new EdgeId(
              number(random),
              1 + random.nextInt(EdgeId.MAX_LABEL),
              number(random),
              random.nextInt());
      String text = edge.text();
      assertEquals(edge, EdgeId.parse(text), () -> "seed=" + seed);
      assertTrue(text.matches("[-x~0-9]+"), text);
    }
  }

  private static long number(Random random) {
    return random.nextLong() >> random.nextInt(64);
  }

  @Test
  void textOfAnyOtherFormIsNoEdge() {
    for (String text :
        List.of(
            "",
            "1",
            "1~2",
            "1~2~",
            "~1~2",
            "1~0~2",
            "01~1~2",
            "1~1~2~0",
            "1~1~2~3~4",
            "1~x1~2",
            "x~1~2",
            "x-1~1~2",
            "1~1073741824~2",
            "1~1~2~4294967296",
            "-9223372036854775808~1~2",
            "a~1~2")) {
      assertNull(EdgeId.parse(text), text);
    }
  }
}

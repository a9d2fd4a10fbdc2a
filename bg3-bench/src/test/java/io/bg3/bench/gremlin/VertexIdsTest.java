package io.bg3.bench.gremlin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Ids of systems that give their own, and of those that take what they get. */
class VertexIdsTest {
  @Test
  void idsThatASystemGivesBecomeNumbersInAnswers() {
    VertexIds ids = VertexIds.noted(2);
    ids.note(1, "#3:0");
    ids.note(2, "#3:1");
    assertEquals("#3:1", ids.id(2));
    assertEquals(2L, ids.numbered("#3:1"));
    assertEquals(
        Map.of(VertexIds.KEY, 1L, "name", "#3:1"),
        ids.numbered(Map.of(VertexIds.KEY, "#3:0", "name", "#3:1")));
    assertEquals("#9:9", ids.numbered("#9:9"), "an id of no vertex of the graph");
  }

  @Test
  void idsThatASystemTakesAreTheNumbers() {
    VertexIds ids = VertexIds.numbers();
    assertEquals(7L, ids.id(7));
    assertEquals(7L, ids.numbered(7L));
    assertEquals(Map.of(VertexIds.KEY, 7L), ids.numbered(Map.of(VertexIds.KEY, 7L)));
  }
}

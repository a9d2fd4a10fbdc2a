package io.bg3.server.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.answer.Refusal;
import io.bg3.testing.Together;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.antlr.v4.runtime.ParserRuleContext;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.junit.jupiter.api.Test;

/** Parses texts once and again, and measures what their trees take. */
class TextParserTest {
  private static final String LOOK_UP = "g.V(x).out('knows').has('age', gt(y)).limit(n)";

  private final TextParser parser = new TextParser(1 << 20);

  @Test
  void aTextThatIsSentAgainIsNotParsedAgain() throws Refusal {
    ParserRuleContext first = parser.parse(LOOK_UP);
    assertSame(first, parser.parse(new String(LOOK_UP.toCharArray())));
    assertNotSame(first, parser.parse(LOOK_UP + " "));
    assertEquals(1, parser.hits());
    assertEquals(2, parser.misses());
  }

  @Test
  void aTextThatIsRefusedIsRefusedAgain() {
    for (int i = 0; i < 2; i++) {
      assertThrows(Refusal.class, () -> parser.parse("g.V(").getText());
    }
    assertEquals(0, parser.bytes());
    assertEquals(2, parser.misses());
  }

  @Test
  void withoutMemoryNothingIsKept() throws Refusal {
    TextParser none = new TextParser(0);
    assertNotSame(none.parse(LOOK_UP), none.parse(LOOK_UP));
    assertEquals(0, none.bytes());
  }

  @Test
  void valuesOfParametersAreNotKept() throws Refusal {
    QueryValidator validator =
        new QueryValidator(parser, ValidatedMessages.LIMITS, service -> true, service -> true);
    try (Bg3Graph graph = Bg3Graph.open()) {
      for (int i = 1; i <= 3; i++) {
        Object id = graph.addVertex().id();
        graph.tx().commit();
        Map<String, Object> values = Map.of("x", id);
        Object made = validator.validate("g.V(x).id()", values).evaluate(graph.traversal(), values);
        assertEquals(List.of(id), ((Traversal<?, ?>) made).toList());
      }
      assertEquals(2, parser.hits());
      assertThrows(
          Refusal.class, // the tree is known, and this value is looked at
          () -> validator.validate("g.V().has('a', regex(x))", Map.of("x", "(a+)+")).keep());
    }
  }

  @Test
  void threadsShareATree() throws Exception {
    QueryValidator validator =
        new QueryValidator(parser, ValidatedMessages.LIMITS, service -> true, service -> true);
    String text = "g.V().limit(n).values('a').is(within(0, 7)).count()";
    try (Bg3Graph graph = Bg3Graph.open()) {
      for (int i = 0; i < 4; i++) {
        graph.addVertex("a", 7);
      }
      graph.tx().commit();
      Together.run(
          4,
          thread -> {
            Map<String, Object> values = Map.of("n", thread);
            for (int round = 0; round < 500; round++) {
              Object made = validator.validate(text, values).evaluate(graph.traversal(), values);
              assertEquals(List.of((long) thread), ((Traversal<?, ?>) made).toList());
              graph.tx().rollback();
            }
          });
    }
  }

  @Test
  void textsThatAreSentOnceDisplaceFewOfThoseThatAreSentOften() throws Refusal {
    List<String> often =
        IntStream.range(0, 10).mapToObj(i -> LOOK_UP + ".skip(" + i + ")").toList();
    for (int i = 0; i < 20_000; i++) {
      parser.parse(often.get(i % often.size()));
      parser.parse("g.V(" + i + ").out('knows').limit(10)");
      assertTrue(parser.bytes() <= 1 << 20);
    }
    assertTrue(parser.hits() > 19_000, "hits=" + parser.hits());
  }

  /** Trees of ordinary texts, and of those whose characters make the most nodes. */
  @Test
  void treesTakeNoMoreThanIsCounted() throws Refusal {
    for (String part : List.of("1,", "[],", "'',", "[[1]],", "V().", "1.0,")) {
      String text =
          part.startsWith("V")
              ? "g.V()" + ".out()".repeat(400)
              : "g.inject(" + part.repeat(400) + "1)";
      requireCounted(text);
    }
    requireCounted(LOOK_UP);
  }

  private static void requireCounted(String text) throws Refusal {
    TextParser many = new TextParser(1L << 30);
    int copies = 1 + 200_000 / text.length();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < copies; i++) {
      texts.add(text + " ".repeat(i));
    }
    new TextParser(0).parse(text); // the parser learns it
    long before = used();
    for (String one : texts) {
      many.parse(one);
    }
    long held = used() - before;
    long counted = many.bytes();
    assertTrue(
        held <= counted * 5 / 4, // of a heap that others use, too
        text.substring(0, Math.min(60, text.length())) + ": held=" + held + ", counted=" + counted);
  }

  private static long used() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}

package io.bg3.server.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.atn.ParserATNSimulator;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinLexer;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinParser;
import org.junit.jupiter.api.Test;

/** Parses ever other texts. */
class ParserMemoryTest {
  private static final List<String> PARTS =
      List.of(
          "g.V()",
          ".out('a')",
          ".has('a',",
          "P.gt(1)",
          ")",
          "(",
          ".where(__.in())",
          "[1,2]",
          "{1}",
          ".by('x',desc)",
          ".repeat(__.out()).times(2)",
          "1..2",
          "x",
          ",",
          ".select('a','b')",
          ".project('a').by(id)",
          "within(1,2)",
          ".valueMap()",
          ".match(__.as('a').out().as('b'))");

  private final Random random = new Random(7);

  @Test
  void whatIsLearnedHasALimit() {
    ParserMemory memory = new ParserMemory(20_000, 200);
    ParserATNSimulator learned = null;
    long most = 0;
    for (int i = 0; i < 1_500; i++) {
      learned = parse();
      memory.limit(learned);
      most = Math.max(most, ParserMemory.configurations(learned));
      assertTrue(learned.getSharedContextCache().size() <= 200);
    }
    assertTrue(most > 20_000, "it has learned much at times: most=" + most);
    assertTrue(most < 200_000, "and has forgotten it: most=" + most);
  }

  @Test
  void whatIsLearnedOfFewTextsIsKept() {
    ParserMemory memory = new ParserMemory(1L << 30);
    ParserATNSimulator learned = parse();
    long before = ParserMemory.configurations(learned);
    memory.limit(learned);
    assertEquals(before, ParserMemory.configurations(learned));
  }

  @Test
  void whatIsLearnedIsLookedAtOnceInSoManyTextsOrCharacters() {
    ParserMemory memory = new ParserMemory(1L << 30, 0);
    parse().clearDFA(); // so it learns anew
    for (int i = 1; i < 32; i++) {
      ParserATNSimulator learned = parse();
      memory.parsed(learned, 0);
      assertTrue(learned.getSharedContextCache().size() > 0, "text " + i);
    }
    ParserATNSimulator learned = parse();
    memory.parsed(learned, 0);
    assertEquals(0, learned.getSharedContextCache().size());
    learned.clearDFA();
    parse();
    assertTrue(learned.getSharedContextCache().size() > 0);
    memory.parsed(learned, 1 << 14);
    assertEquals(0, learned.getSharedContextCache().size(), "a long text is looked at at once");
  }

  private ParserATNSimulator parse() {
    StringBuilder text = new StringBuilder("g.V()");
    for (int i = 1 + random.nextInt(12); i > 0; i--) {
      text.append(PARTS.get(random.nextInt(PARTS.size())));
    }
    GremlinLexer lexer = new GremlinLexer(CharStreams.fromString(text.toString()));
    lexer.removeErrorListeners();
    GremlinParser parser = new GremlinParser(new CommonTokenStream(lexer));
    parser.removeErrorListeners();
    parser.queryList();
    return parser.getInterpreter();
  }
}

package io.bg3.server.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.LangOnlyEngineFactory;
import io.bg3.server.answer.Refusal;
import io.bg3.server.dispatch.Rejection;
import io.bg3.server.dispatch.RunningRequest;
import io.bg3.server.dispatch.ScheduledRequest;
import io.bg3.server.dispatch.Scheduler;
import io.bg3.server.dispatch.SchedulerLimits;
import java.util.Map;
import javax.script.ScriptException;
import javax.script.SimpleBindings;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.apache.tinkerpop.gremlin.jsr223.DefaultGremlinScriptEngineManager;
import org.apache.tinkerpop.gremlin.jsr223.GremlinScriptEngine;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinLexer;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinParser;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Evaluates texts in a thread that has validated them, and in one that has not. */
class ValidatedTextTest {
  private final Scheduler scheduler =
      new Scheduler(new SchedulerLimits(1, 1, 1, 10, 1 << 20, 10_000));
  private final Bg3Graph graph = Bg3Graph.open();
  private final QueryValidator validator =
      new QueryValidator(
          ValidatedMessages.PARSER, ValidatedMessages.LIMITS, service -> true, service -> true);
  private GremlinScriptEngine engine;
  private RunningRequest running;

  /** A request that the thread of the test runs. */
  private record Work() implements ScheduledRequest {
    @Override
    public long number() {
      return 1;
    }

    @Override
    public int bytes() {
      return 0;
    }

    @Override
    public boolean isInSession() {
      return false;
    }

    @Override
    public void run(RunningRequest one) {}

    @Override
    public void ended(RunningRequest one) {}

    @Override
    public boolean refuse(Rejection why) {
      return true;
    }

    @Override
    public boolean abandon(RunningRequest one) {
      return true;
    }

    @Override
    public String client() {
      return "test";
    }
  }

  @BeforeEach
  void begin() {
    LangOnlyEngineFactory factory = new LangOnlyEngineFactory();
    factory.setCustomizerManager(new DefaultGremlinScriptEngineManager());
    engine = factory.getScriptEngine();
    running = scheduler.enter(scheduler.connect("a"), new Work(), 10_000);
  }

  @AfterEach
  void end() {
    scheduler.leave(running);
    scheduler.close();
    graph.close();
  }

  private String evaluated(String text, Map<String, Object> variables) throws ScriptException {
    SimpleBindings bindings = new SimpleBindings();
    bindings.putAll(variables);
    bindings.put("g", graph.traversal());
    Object result = engine.eval(text, bindings);
    return result instanceof Traversal<?, ?> traversal
        ? traversal.asAdmin().getBytecode().toString()
        : String.valueOf(result);
  }

  private static GremlinParser.QueryListContext tree(String text) {
    return new GremlinParser(new CommonTokenStream(new GremlinLexer(CharStreams.fromString(text))))
        .queryList();
  }

  @Test
  void theTreeThatWasValidatedIsEvaluatedOnce() throws ScriptException {
    String text = "g.V().count()";
    new ValidatedText(text, tree("g.E()")).keep();
    assertEquals("[[], [E()]]", evaluated(text, Map.of()));
    assertEquals("[[], [V(), count()]]", evaluated(text, Map.of()));
  }

  @Test
  void anotherTextIsParsed() throws ScriptException {
    String text = "g.V().count()";
    new ValidatedText(text, tree("g.E()")).keep();
    assertEquals("[[], [V(), count()]]", evaluated("g.V()." + "count()".trim(), Map.of()));
    assertEquals("[[], [V(), count()]]", evaluated(text, Map.of()), "it is kept for one text");
    new ValidatedText(text, tree("g.E()")).keep();
    scheduler.leave(running);
    assertEquals("[[], [V(), count()]]", evaluated(text, Map.of()), "another request");
  }

  @Test
  void aTreeHasTheMeaningOfItsText() throws ScriptException, Refusal {
    graph.traversal().addV("person").property("age", 7).iterate();
    graph.tx().commit();
    for (String text :
        new String[] {
          "g.V().has('age', P.gt(x)).count()",
          "g.V().has('person', 'age', x).toList()",
          "g.with('evaluationTimeout', 100L).V(x, 2L).out().limit(-1).values('a\\'b')",
          "g.inject(0x1f, -07, 1_000, 12b, 1.5e2, 3.5f, [1..3], {'a'}, ['k': 1]).fold().next()",
          "g.V().repeat(__.out()).times(2).where(__.in('a')).order().by('n', desc)",
          "g.V()\ng.E().count() // two queries",
        }) {
      String parsed = evaluated(text, Map.of("x", 7L));
      validator.validate(text, Map.of("x", 7L)).keep();
      assertEquals(parsed, evaluated(text, Map.of("x", 7L)), text);
    }
  }

  @Test
  void aTextThatTheParserWouldRefuseIsRefused() throws Refusal {
    String text = "g.V(y)";
    String parsed =
        assertThrows(ScriptException.class, () -> evaluated(text, Map.of())).getMessage();
    validator.validate(text).keep();
    String validated =
        assertThrows(ScriptException.class, () -> evaluated(text, Map.of())).getMessage();
    assertTrue(parsed.contains("y"), parsed);
    assertEquals(parsed, validated);
  }
}

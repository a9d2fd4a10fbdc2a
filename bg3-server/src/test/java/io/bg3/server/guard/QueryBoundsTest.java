package io.bg3.server.guard;

import static io.bg3.server.guard.ValidatedMessages.JUDGE;
import static io.bg3.server.guard.ValidatedMessages.verdict;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.structure.util.empty.EmptyGraph;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Asks for more than a query may have: memory by a number, steps by a loop, time by an expression.
 * Each query is validated as a text and as the bytecode that a driver makes of it.
 */
class QueryBoundsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "g.inject(1).tail(2147483647) | step=tail, argument=2147483647, least=-1000000,"
            + " most=1000000",
        "g.inject(1).tail(4294967301) | step=tail, argument=4294967301",
        "g.V().map(__.tail(-2147483648)) | step=tail, argument=-2147483648",
        "g.V().fold().tail(Scope.local,1000001) | step=tail",
        "g.V().sample(2147483647) | step=sample",
        "g.V().fold().sample(Scope.local,2147483647) | step=sample",
        "g.V().tail(600000).out().tail(600000) | together: step=tail, sum=1200000, limit=1000000",
        "g.V().valueMap().range(Scope.local,-9223372034707292160,-1) | step=range,"
            + " argument=-922337",
        "g.V().skip(-2) | step=skip, argument=-2, least=-1",
      })
  void numbersThatSizeMemoryAreBounded(String text, String why) throws Exception {
    assertRefused(why, text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "g.V().repeat(__.out()).times(1000000) | steps=3000001, limit=5000",
        "g.V().times(1000000).repeat(__.out()) | written out: steps=2000002",
        "g.V().repeat(__.repeat(__.out()).times(100)).times(100) | written out: steps=30201",
        "g.V().repeat('a',__.filter(__.has('x'))).times(100000) | written out",
        "g.V().map(__.repeat(__.identity()).times(100000)) | written out",
        "g.V().repeat(__.hasValue(__.mergeE())).times(100000) | written out",
        "g.V().repeat(__.filter(__.is(__.path()))).times(100000) | written out",
      })
  void loopsAreCountedAsTheyAreWrittenOut(String text, String why) throws Exception {
    assertRefused(why, text);
  }

  @Test
  void strategiesCountForEachStep() throws Exception {
    String criterion = "__.has('x')" + ".has('x')".repeat(99);
    String text = "g.withStrategies(new SubgraphStrategy(vertices:" + criterion + ")).V()";
    assertAllowed(text);
    assertRefused("written out: steps=10201", text + ".out()".repeat(100));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "g.V().tail(1000000)",
        "g.V().tail().sample(100)",
        "g.V().limit(9223372036854775807)",
        "g.V().range(10,-1)",
        "g.V().skip(5).fold().range(Scope.local,0,9223372036854775807)",
        "g.inject('a').substring(-2147483648,2147483647)",
        "g.V().barrier(2147483647)",
        "g.V(9223372036854775807).has('x',P.lt(-9223372036854775808))",
        "g.V().repeat(__.out()).times(60)",
        "g.V().repeat(__.out().simplePath()).times(1000000)",
        "g.V().repeat(__.out()).emit().times(1000000)",
        "g.V().emit().repeat(__.out()).times(1000000)",
        "g.V().repeat(__.out()).until(__.loops().is(1000000))",
        "g.V().repeat(__.out()).times(20).repeat(__.in()).times(20)",
        "g.inject(1).math('sin(_)+1')",
        "g.V().has('name',TextP.regex('^(Mr|Mrs) [A-Z]'))",
      })
  void ordinaryNumbersAndLoopsPass(String text) throws Exception {
    assertAllowed(text);
  }

  @Test
  void aNumberIsBoundedByWhateverWayItComes() {
    for (Object hidden :
        List.of(
            new Bytecode.Binding<>("x", Integer.MAX_VALUE),
            new Bytecode.Binding<>("x", new Bytecode.Binding<>("y", Long.MAX_VALUE)),
            List.of(Integer.MAX_VALUE),
            Double.POSITIVE_INFINITY,
            BigInteger.TWO.pow(64).add(BigInteger.ONE))) {
      Bytecode query = new Bytecode();
      query.addStep("inject", 1);
      query.addStep("tail", hidden);
      assertTrue(verdict(() -> JUDGE.validate(query)).contains("step=tail"), hidden.toString());
    }
    String text = "g.V().tail(x)";
    assertEquals("", verdict(() -> JUDGE.validate(text, Map.of("x", 5))));
    String told = verdict(() -> JUDGE.validate(text, Map.of("x", Integer.MAX_VALUE)));
    assertTrue(told.contains("step=tail, argument=2147483647"), told);
    assertTrue(told.contains("setting=server.rows.limit"), told);
  }

  /** A step that a later TinkerPop adds to the allow-list and to no other. */
  @Test
  void aStepThatIsOnNoListIsBounded() {
    assertTrue(
        verdict(() -> ArgumentLimits.requireNumber("unheardOf", 2_000_000, 1_000_000))
            .startsWith("number is outside the limits of the step: step=unheardOf"));
    assertTrue(
        verdict(() -> ArgumentLimits.requireText("unheardOf", "x".repeat(10_001)))
            .startsWith("text is too long for the step: step=unheardOf, length=10001"));
  }

  /** A step's modulators hand it their traversals, each of which is compared with the others. */
  @Test
  void theTraversalsOfAStepAreCountedWithThoseOfItsModulators() throws Exception {
    assertRefused("with its by() and option()", "g.V().order()" + ".by(__.out())".repeat(101));
    assertRefused(
        "with its by() and option()",
        "g.V().choose(__.id())" + ".option(1,__.out()).option(2,__.in())".repeat(51));
    assertAllowed("g.V()" + ".order().by(__.out())".repeat(150));
    assertAllowed("g.V().project('a')" + ".by('a')".repeat(150));
  }

  @Test
  void aSourceHasFewSteps() throws Exception {
    String option = ".withSideEffect('a',[])";
    assertAllowed("g" + option.repeat(100) + ".V()");
    String text = "g" + option.repeat(101) + ".V()";
    assertEquals("source has too many steps: limit=100", verdict(() -> JUDGE.validate(text)));
    Bytecode query = new Bytecode();
    for (int i = 0; i < 101; i++) {
      query.addSource("withSideEffect", "a" + i, 1);
    }
    assertEquals("source has too many steps: limit=100", verdict(() -> JUDGE.validate(query)));
  }

  @Test
  void textsTakeNoMoreStackThanThereIs() {
    for (String text :
        List.of(
            "g.V()" + ".identity()".repeat(4_000),
            "g.V().has('x',P.gt(1)" + ".or(P.gt(1)).and(P.lt(5))".repeat(200) + ")")) {
      assertTrue(
          verdict(() -> JUDGE.validate(text)).startsWith("text has too many steps or"), text);
    }
    assertEquals("", verdict(() -> JUDGE.validate("g.V()" + ".identity()".repeat(2_000))));
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 62})
  void traversalsInEachOtherAreFew(int depth) throws Exception {
    for (String step : List.of("local", "map", "union", "where")) {
      String open = "." + step + "(__.out()";
      String text = "g.V()" + open.repeat(depth) + ")".repeat(depth);
      assertRefused("nested too deeply, or too large", text);
      assertAllowed("g.V()" + open.repeat(10) + ")".repeat(10));
    }
  }

  @Test
  void textsThatAreReadAsProgramsAreShort() throws Exception {
    String expression = "a".repeat(1_001);
    assertRefused("step=math, length=100", "g.inject(1).math('" + expression + "')");
    assertRefused("step=format", "g.inject(1).format('" + "%{".repeat(6_000) + "')");
    assertRefused("too many variables", "g.inject(1).format('" + "%{".repeat(500) + "')");
    assertAllowed("g.inject(1).format('" + "a%{_}".repeat(40) + "')");
    assertAllowed("g.inject('" + "a".repeat(20_000) + "').concat('" + expression + "')");
  }

  private static void assertRefused(String why, String text) throws Exception {
    String ofText = verdict(() -> JUDGE.validate(text));
    Bytecode bytecode = bytecode(text);
    String ofBytecode = verdict(() -> JUDGE.validate(bytecode));
    assertTrue(ofText.contains(why), ofText);
    assertTrue(ofBytecode.contains(why), ofBytecode);
  }

  private static void assertAllowed(String text) throws Exception {
    Bytecode bytecode = bytecode(text);
    assertEquals("", verdict(() -> JUDGE.validate(text)));
    assertEquals("", verdict(() -> JUDGE.validate(bytecode)));
  }

  /**
   * Of the text, with numbers small enough to make the steps of the engine, put back afterwards.
   */
  private static Bytecode bytecode(String text) throws Exception {
    Matcher tail = Pattern.compile("tail\\((Scope.local,)?(-?[0-9]{5,})\\)").matcher(text);
    List<Long> numbers = new ArrayList<>();
    String small =
        tail.replaceAll(
            found -> {
              numbers.add(Long.valueOf(found.group(2)));
              return "tail(" + (found.group(1) == null ? "" : found.group(1)) + "7)";
            });
    Bytecode bytecode =
        Growing.traversal(small, EmptyGraph.instance().traversal()).asAdmin().getBytecode();
    putBack(bytecode, numbers.iterator());
    return (Bytecode) Messages.read(Messages.binary(bytecode)).getArgs().get(Tokens.ARGS_GREMLIN);
  }

  private static void putBack(Bytecode bytecode, Iterator<Long> numbers) {
    for (Bytecode.Instruction step : bytecode.getStepInstructions()) {
      Object[] arguments = step.getArguments();
      for (int i = 0; i < arguments.length; i++) {
        if (arguments[i] instanceof Bytecode nested) {
          putBack(nested, numbers);
        } else if (step.getOperator().equals("tail")
            && arguments[i] instanceof Number
            && numbers.hasNext()) {
          arguments[i] = numbers.next();
        }
      }
    }
  }
}

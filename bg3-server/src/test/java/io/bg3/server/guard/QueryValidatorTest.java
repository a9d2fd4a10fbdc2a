package io.bg3.server.guard;

import static io.bg3.server.guard.ValidatedMessages.JUDGE;
import static io.bg3.server.guard.ValidatedMessages.verdict;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.commons.configuration2.MapConfiguration;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinParser;
import org.apache.tinkerpop.gremlin.process.computer.Computer;
import org.apache.tinkerpop.gremlin.process.computer.traversal.strategy.decoration.VertexProgramStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.Operator;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.TraversalStrategyProxy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.HaltedTraverserStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.SubgraphStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.finalization.MatchAlgorithmStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.LazyBarrierStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.EdgeLabelVerificationStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReservedKeysVerificationStrategy;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.empty.EmptyGraph;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.function.Lambda;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Gives the same queries to the guard as bytecode and as text, and expects one verdict. */
class QueryValidatorTest {
  private static final GraphTraversalSource G = EmptyGraph.instance().traversal();

  /**
   * A query in both forms.
   *
   * @param why a part of what a client is told; empty if the query passes
   */
  private record Case(
      String text, Function<GraphTraversalSource, Traversal<?, ?>> query, String why) {
    @Override
    public String toString() {
      return text.length() < 100 ? text : text.substring(0, 100);
    }
  }

  private static Case allowed(String text, Function<GraphTraversalSource, Traversal<?, ?>> query) {
    return new Case(text, query, "");
  }

  static Stream<Case> cases() {
    return Stream.concat(ordinary(), hostile());
  }

  private static Stream<Case> ordinary() {
    return Stream.of(
        allowed("g.V(1,2).out('a').has('n',P.gt(3))", g -> g.V(1, 2).out("a").has("n", P.gt(3))),
        allowed(
            "g.V().repeat(__.out().simplePath()).times(2).path().by('code')",
            g -> g.V().repeat(__.out().simplePath()).times(2).path().by("code")),
        allowed(
            "g.mergeV([(T.label):'a',n:1]).option(Merge.onCreate,[m:2])",
            g ->
                g.mergeV(java.util.Map.of(T.label, "a", "n", 1))
                    .option(
                        org.apache.tinkerpop.gremlin.process.traversal.Merge.onCreate,
                        java.util.Map.of("m", 2))),
        allowed(
            "g.addV('a').property(list,'n',1).property('m',Cardinality.set(2))",
            g ->
                g.addV("a")
                    .property(VertexProperty.Cardinality.list, "n", 1)
                    .property("m", VertexProperty.Cardinality.set(2))),
        allowed(
            "g.withSack(1,Operator.sum).withSideEffect('x',[1,2]).V().order().by('n',desc)",
            g ->
                g.withSack(1, Operator.sum)
                    .withSideEffect("x", List.of(1, 2))
                    .V()
                    .order()
                    .by("n", Order.desc)),
        allowed(
            "g.withStrategies(new SubgraphStrategy(vertices:__.hasLabel('a'))).V().count()",
            g ->
                g.withStrategies(SubgraphStrategy.build().vertices(__.hasLabel("a")).create())
                    .V()
                    .count()),
        allowed(
            "g.withStrategies(ReadOnlyStrategy).V()",
            g -> g.withStrategies(ReadOnlyStrategy.instance()).V()),
        allowed(
            "g.withStrategies(LazyBarrierStrategy).V()",
            g -> g.withStrategies(LazyBarrierStrategy.instance()).V()),
        allowed(
            "g.withStrategies(HaltedTraverserStrategy(haltedTraverserFactory:"
                + "'org.apache.tinkerpop.gremlin.structure.util.detached.DetachedFactory')).V()",
            g -> g.withStrategies(HaltedTraverserStrategy.detached()).V()),
        allowed("g.with('evaluationTimeout',100).V()", g -> g.with("evaluationTimeout", 100).V()),
        allowed("g.call('known')", g -> g.call("known")),
        allowed("g.call('--list')", g -> g.call("--list")),
        allowed(
            "g.V().valueMap().with('~tinkerpop.valueMap.tokens')",
            g -> g.V().valueMap().with("~tinkerpop.valueMap.tokens")),
        allowed("g.V().has('n',TextP.regex('^a.b$'))", g -> g.V().has("n", TextP.regex("^a.b$"))),
        allowed(
            "g.inject(12345678901234567890n)",
            g -> g.inject(new java.math.BigInteger("12345678901234567890"))));
  }

  @SuppressWarnings("unchecked") // an array of generic classes
  private static Stream<Case> hostile() {
    return Stream.of(
        new Case("g.io('/tmp/x').write()", g -> g.io("/tmp/x").write(), "step=io"),
        new Case("g.io('/etc/passwd').read()", g -> g.io("/etc/passwd").read(), "step=io"),
        new Case(
            "g.withoutStrategies(ReadOnlyStrategy).V()",
            g -> g.withoutStrategies(ReadOnlyStrategy.class).V(),
            "step=withoutStrategies"),
        new Case(
            "g.withStrategies(VertexProgramStrategy).V()",
            g -> g.withStrategies(VertexProgramStrategy.instance()).V(),
            "strategy=VertexProgramStrategy"),
        new Case(
            "g.withStrategies(MatchAlgorithmStrategy(matchAlgorithm:'java.util.Date')).V()",
            g ->
                g.withStrategies(
                        MatchAlgorithmStrategy.create(
                            new MapConfiguration(Map.of("matchAlgorithm", "java.util.Date"))))
                    .V(),
            "matchAlgorithm=java.util.Date"),
        new Case("g.with('unknown',1).V()", g -> g.with("unknown", 1).V(), "unknown"),
        new Case("g.call('strange')", g -> g.call("strange"), "call=strange"),
        new Case("g.V().map(__.call('strange'))", g -> g.V().map(__.call("strange")), "strange"),
        new Case("g.V().pageRank()", g -> g.V().pageRank(), "step=pageRank"),
        new Case("g.V().shortestPath()", g -> g.V().shortestPath(), "step=shortestPath"),
        new Case(
            "g.withStrategies(new SubgraphStrategy(vertices:__.call('strange'))).V()",
            g ->
                g.withStrategies(SubgraphStrategy.build().vertices(__.call("strange")).create())
                    .V(),
            "strange"),
        new Case(
            "g.V()" + ".map(__.out()".repeat(201) + ")".repeat(201),
            g -> g.V().map(nested(201)),
            "nested too deeply"),
        new Case(
            "g.V()" + ".out()".repeat(6_000),
            g -> {
              var query = g.V();
              for (int i = 0; i < 6_000; i++) {
                query = query.out();
              }
              return query;
            },
            "too many steps"),
        new Case(
            "g.V().union(" + "__.out(),".repeat(200) + "__.in())",
            g -> g.V().union(outs(201)),
            "too many nested traversals"),
        new Case(
            "g.inject(1e999999999m).sum()",
            g -> g.inject(new BigDecimal("1e999999999")).sum(),
            "too many digits"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void bothFormsHaveOneVerdict(Case query) {
    String ofText = verdict(() -> JUDGE.validate(query.text));
    String ofBytecode = verdict(() -> JUDGE.validate(received(query.query.apply(G))));
    if (query.why.isEmpty()) {
      assertEquals("", ofText);
      assertEquals("", ofBytecode);
    } else {
      assertTrue(ofText.contains(query.why), ofText);
      assertTrue(ofBytecode.contains(query.why), ofBytecode);
    }
  }

  @ParameterizedTest
  @ValueSource(
      classes = {EdgeLabelVerificationStrategy.class, ReservedKeysVerificationStrategy.class})
  <S extends TraversalStrategy<?>> void aKeyIsReadAsJavaScriptSpellsIt(Class<S> strategy) {
    BaseConfiguration configuration = new BaseConfiguration();
    configuration.setProperty("logWarnings", true);
    Bytecode query = new Bytecode();
    query.addSource("withStrategies", new TraversalStrategyProxy<>(strategy, configuration));
    query.addStep("V");
    assertEquals("", verdict(() -> JUDGE.validate(query)));
    assertEquals(true, configuration.getProperty("logWarning"));
    String text = "g.withStrategies(new " + strategy.getSimpleName() + "(logWarnings:true)).V()";
    assertEquals("", verdict(() -> JUDGE.validate(text)));
  }

  @Test
  void aNameInARefusalIsWhole() {
    String name = "org.apache.tinkerpop." + "x".repeat(120);
    assertTrue(verdict(() -> AllowList.requireStep(name)).endsWith("step=" + name));
    String longer = verdict(() -> AllowList.requireStep("x".repeat(1_000)));
    assertTrue(longer.endsWith("x (and 800 more characters)"), longer);
  }

  @Test
  void everyStepOfTheGrammarIsEitherAllowedOrRefusedOnPurpose() {
    Set<String> refused = new TreeSet<>();
    for (String rule : GremlinParser.ruleNames) {
      String step = rule.replaceFirst("^traversal(Method|SourceSpawnMethod)_", "");
      if (!step.equals(rule) && !verdict(() -> AllowList.requireStep(step)).isEmpty()) {
        refused.add(step);
      }
    }
    assertEquals(
        "connectedComponent io pageRank peerPressure read shortestPath write",
        String.join(" ", refused));
  }

  @Test
  void rulesThatAreNoStepsAreValues() {
    String others =
        Arrays.stream(GremlinParser.ruleNames)
            .filter(rule -> !rule.matches("traversal(Terminal|Source(Spawn|Self))?Method_.*"))
            .filter(rule -> !rule.matches("traversalPredicate_.*|.*(Literal|Argument|Varargs).*"))
            .filter(rule -> !rule.matches("(connectedC|pageR|peerP|shortestP|withO|ioO).*"))
            .collect(Collectors.joining(" "));
    assertEquals(
        "queryList query emptyQuery traversalSource transactionPart rootTraversal"
            + " traversalSourceSelfMethod traversalSourceSpawnMethod chainedTraversal"
            + " nestedTraversal terminatedTraversal traversalMethod traversalStrategy configuration"
            + " traversalScope traversalBarrier traversalT traversalTShort traversalTLong"
            + " traversalMerge traversalOrder traversalDirection traversalDirectionShort"
            + " traversalDirectionLong traversalCardinality traversalColumn traversalPop"
            + " traversalOperator traversalPick traversalDT traversalGType traversalPredicate"
            + " traversalTerminalMethod traversalSackMethod traversalComparator traversalFunction"
            + " traversalBiFunction traversalStrategyExpr classTypeList classTypeExpr"
            + " nestedTraversalList nestedTraversalExpr mapKey mapEntry nakedKey classType variable"
            + " keyword",
        others);
  }

  @Test
  void refusesLambdasAndStrangersWhereverTheyStand() {
    Object lambda = Lambda.function("it.get()");
    for (Object hidden :
        List.of(
            List.of(1, List.of(lambda)),
            Set.of(lambda),
            java.util.Map.of("k", lambda),
            java.util.Map.of(lambda, 1),
            new Object[] {lambda},
            new Bytecode.Binding<>("x", lambda),
            P.within(1, lambda),
            P.eq(lambda).and(P.gt(1)))) {
      Bytecode query = new Bytecode();
      query.addStep("inject", hidden);
      assertEquals("lambdas are not available on the server", verdict(() -> JUDGE.validate(query)));
    }
    for (Object stranger : List.of(new Object(), Thread.currentThread(), Computer.class)) {
      Bytecode query = new Bytecode();
      query.addStep("inject", stranger);
      assertTrue(verdict(() -> JUDGE.validate(query)).startsWith("value is not available"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "toList",
        "iterate",
        "explain",
        "getClass",
        "asAdmin",
        "close",
        "forEachRemaining",
        "tx",
        "program",
        "withComputer",
        "withRemote",
        "clone"
      })
  void noMethodIsCalledThatIsNoStep(String method) {
    Bytecode step = new Bytecode();
    step.addStep("V");
    step.addStep(method);
    assertTrue(verdict(() -> JUDGE.validate(step)).contains("step is not available"));
    Bytecode source = new Bytecode();
    source.addSource(method);
    source.addStep("V");
    assertTrue(verdict(() -> JUDGE.validate(source)).contains("not available"));
  }

  @Test
  void takesTheEndsOfTransactions() {
    for (String end : List.of("commit", "rollback")) {
      Bytecode query = new Bytecode();
      query.addSource("tx", end);
      assertEquals("", verdict(() -> JUDGE.validate(query)));
    }
    Bytecode strange = new Bytecode();
    strange.addSource("tx", "open");
    assertFalse(verdict(() -> JUDGE.validate(strange)).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "g.V().has('a',TextP.regex('(a+)+$'))",
        "g.with('evaluationTimeout',0).V()",
        "g.with('evaluationTimeout',600000).V()",
        "g.with('evaluationTimeout',-1).V()",
        "g.with('evaluationTimeout','x').V()",
        "g.with('evaluationTimeout',20000).V();g.with('evaluationTimeout',20000).V()",
        "g.inject([1..1000000,1..1000000])",
        "g.V();g.io('x').read()",
        "g.inject(g.io('x').read().next())",
        "g.V() /* requestId */",
      })
  void refusesInATextWhatOnlyATextCanSay(String text) {
    assertFalse(verdict(() -> JUDGE.validate(text)).isEmpty());
  }

  @Test
  void readersCallOnlyWhatIsKnownToRead() {
    QueryValidator readers = JUDGE.ofReaders();
    for (String list : List.of("g.call()", "g.call('--list')", "g.call('reading')")) {
      assertEquals("", verdict(() -> readers.validate(list)));
    }
    assertEquals("", verdict(() -> readers.validate(G.call("reading").asAdmin().getBytecode())));
    assertEquals("", verdict(() -> readers.validate(G.call().asAdmin().getBytecode())));
    for (String text : List.of("g.call('known',[a:1])", "g.V().map(__.call('known'))")) {
      assertEquals(
          "this request may only read: call=known", verdict(() -> readers.validate(text)), text);
    }
    for (Traversal<?, ?> query :
        List.of(G.call("known", Map.of("a", 1)), G.V().map(__.call("known")))) {
      assertEquals(
          "this request may only read: call=known",
          verdict(() -> readers.validate(query.asAdmin().getBytecode())));
    }
    Bytecode hidden = new Bytecode();
    hidden.addStep("call", new Bytecode.Binding<>("x", "known"));
    assertFalse(verdict(() -> readers.validate(hidden)).isEmpty());
  }

  @Test
  void whatABatchAsksForIsNotLeftToATraversal() {
    QueryValidator validator =
        new QueryValidator(
            ValidatedMessages.PARSER, ValidatedMessages.LIMITS, service -> true, service -> true);
    for (String service : List.of("bg3.batch", "bg3.batch.read", "known")) {
      String expected =
          service.equals("known")
              ? ""
              : "the parameters of this service have to be values, not a traversal: call="
                  + service;
      Bytecode nested = __.inject(1).asAdmin().getBytecode();
      for (Object argument : List.of(nested, new Bytecode.Binding<>("x", nested))) {
        Bytecode called = new Bytecode();
        called.addStep("call", service, argument);
        assertEquals(expected, verdict(() -> validator.validate(called)));
        Bytecode given = new Bytecode();
        given.addStep("call", service);
        given.addStep("as", "x");
        given.addStep("with", "operations", argument);
        assertEquals(expected, verdict(() -> validator.validate(given)));
      }
      for (String text :
          List.of(
              "g.call('%s', __.inject(1))",
              "g.V().call('%s', [a:1], __.inject(1))",
              "g.call('%s', [operations:g.inject(1).next()])",
              "g.inject(1).map(__.call('%s').as('x').with('operations', __.inject(1)))")) {
        assertEquals(
            expected, verdict(() -> validator.validate(String.format(text, service))), text);
      }
      assertEquals(
          "",
          verdict(
              () ->
                  validator.validate(
                      "g.inject(1).union(__.call('%s',[a:1]).with('b',2),__.out()).map(__.in())"
                          .formatted(service))));
    }
  }

  @Test
  void callsATextThatIsNotGremlinByItsName() {
    assertEquals(
        "Failed to interpret Gremlin query: line 1:0 mismatched input 'System' expecting {",
        verdict(() -> JUDGE.validate("System.exit(1)")).substring(0, 81));
  }

  @Test
  void isDoneWithEveryTextInTime() {
    List<String> texts =
        List.of(
            "g.inject(" + "[".repeat(20_000) + "]".repeat(20_000) + ")",
            "g.inject(" + "[".repeat(199) + "]".repeat(199) + ")",
            "g.inject(" + "{[a:".repeat(99) + "1" + "]}".repeat(99) + ")",
            "g.inject(" + "g.inject(".repeat(99) + "1" + ").toList()".repeat(99) + ")",
            "g.inject(" + "1,".repeat(32_000) + "1)",
            "requestId" + "/*".repeat(32_000),
            "'".repeat(65_536),
            "(".repeat(1 << 20),
            "g.V().out()".repeat(1 << 17));
    for (String text : texts) {
      assertTimeoutPreemptively(Duration.ofMinutes(5), () -> verdict(() -> JUDGE.validate(text)));
    }
  }

  private static Traversal<?, ?> nested(int depth) {
    Traversal<?, ?> inner = __.out();
    for (int i = 1; i < depth; i++) {
      inner = __.out().map(inner);
    }
    return inner;
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // there are no arrays of generic types
  private static Traversal<Vertex, Vertex>[] outs(int count) {
    return Stream.generate(() -> __.out()).limit(count).toArray(Traversal[]::new);
  }

  /** Bytecode as it arrives: a message that was written and read. */
  private static Bytecode received(Traversal<?, ?> traversal) {
    return (Bytecode)
        Messages.read(Messages.binary(traversal.asAdmin().getBytecode()))
            .getArgs()
            .get(Tokens.ARGS_GREMLIN);
  }
}

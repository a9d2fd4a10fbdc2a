package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.guard.Growing;
import io.bg3.server.guard.Messages;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy;
import org.apache.tinkerpop.gremlin.structure.util.empty.EmptyGraph;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.function.Lambda;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The requests by which an anonymous client can try to harm a server, sent to one with its default
 * limits but for time; what ends by a time-out alone is sent to a second one that gives little.
 * After each the server is {@link Unharmed}. {@code docs/security.md} has the table of what the
 * stock server does with the same.
 */
class ProbesIT {
  private static final String MARK = "bg3.probe";
  private static final String GROOVY = "java.lang.System.setProperty('" + MARK + "', 'ran')";

  @TempDir private static Path directory;

  private static ServedFixture served;
  private static ServedFixture hasty; // gives queries a second
  private static Unharmed unharmed;

  @BeforeAll
  static void start() throws Exception {
    served =
        new ServedFixture(
            Bg3Graph.open(),
            Map.of(
                "server.evaluation.timeout", "60000",
                "server.threads", "2",
                "server.rows.limit", "10000"));
    hasty =
        new ServedFixture(
            Bg3Graph.open(), Map.of("server.evaluation.timeout", "1000", "server.threads", "2"));
    unharmed = new Unharmed(directory, served.g());
  }

  @AfterEach
  void theServerIsUnharmed() throws Exception {
    unharmed.check();
  }

  @AfterAll
  static void stop() {
    hasty.close();
    served.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "gremlin-groovy", "groovy", "Groovy", "gremlin-lang", "nashorn"})
  void groovyInATextIsNotRun(String language) throws Exception {
    for (String session : new String[] {null, UUID.randomUUID().toString()}) {
      RequestMessage.Builder request =
          RequestMessage.build(Tokens.OPS_EVAL).addArg(Tokens.ARGS_GREMLIN, GROOVY);
      if (!language.isEmpty()) {
        request.addArg(Tokens.ARGS_LANGUAGE, language);
      }
      if (session != null) {
        request.processor("session").addArg(Tokens.ARGS_SESSION, session);
      }
      refused("597 Failed to interpret", Messages.binary(request.create()));
      for (Map<String, String> aliases :
          List.of(Map.of("g", "graph", "java", "g"), Map.of("java", "g"), Map.of("g", "graph"))) {
        refused("499 ", Messages.binary(request.addArg(Tokens.ARGS_ALIASES, aliases).create()));
      }
    }
    assertNull(System.getProperty(MARK));
  }

  @Test
  void groovyInALambdaIsNotRun() throws Exception {
    for (String language : List.of("gremlin-groovy", "gremlin-lang", "x")) {
      Bytecode query = new Bytecode();
      query.addStep("inject", 1);
      query.addStep("map", Lambda.function(GROOVY, language));
      refused("403 lambdas are not available", Messages.binary(query));
    }
    assertNull(System.getProperty(MARK));
  }

  @Test
  void noFileIsWritten() throws Exception {
    Bytecode query = new Bytecode();
    query.addStep("io", unharmed.toWrite().toString());
    query.addStep("write");
    refused("403 step is not available on the server: step=io", Messages.binary(query));
    String text = "g.io('" + unharmed.toWrite() + "').write()";
    refused("403 step is not available on the server: step=io", text(text));
    refused("403 step is not available", text("g.inject(" + text + ".iterate())"));
  }

  @Test
  void aServiceThatIsNotThereIsRefused() throws Exception {
    for (String service : List.of("strange", "", "tinker.search", "bg3.batch2")) {
      Bytecode query = new Bytecode();
      query.addStep("call", service, Map.of("a", 1));
      refused("403 service is not known: call=" + service, Messages.binary(query));
      refused("403 service is not known: call=" + service, text("g.call('" + service + "')"));
    }
  }

  @Test
  void noFileIsReadAndNobodyLearnsWhichExist() throws Exception {
    String there = verdict(text("g.io('" + unharmed.toRead() + "').read()"));
    String missing = verdict(text("g.io('" + unharmed.toWrite() + "').read()"));
    assertEquals(there, missing);
    assertTrue(there.startsWith("403 "), there);
  }

  @ParameterizedTest
  @ValueSource(longs = {600_000, 0, -1, Long.MAX_VALUE})
  void nobodyGetsMoreTimeThanThereIs(long millis) throws Exception {
    String[] sessions = {null, UUID.randomUUID().toString()};
    for (String session : millis == 600_000 ? sessions : new String[] {null}) {
      RequestMessage.Builder asText =
          RequestMessage.build(Tokens.OPS_EVAL)
              .addArg(Tokens.ARGS_GREMLIN, "g.inject(1).repeat(__.identity()).until(__.is(-1))");
      Bytecode endless = new Bytecode();
      endless.addStep("inject", 1);
      endless.addStep("repeat", bytecode("identity"));
      endless.addStep("until", bytecode("is", -1));
      RequestMessage.Builder asBytecode =
          RequestMessage.build(Tokens.OPS_BYTECODE)
              .processor("traversal")
              .addArg(Tokens.ARGS_GREMLIN, endless)
              .addArg(Tokens.ARGS_ALIASES, Map.of("g", "g"));
      for (RequestMessage.Builder request : List.of(asText, asBytecode)) {
        if (session != null) {
          request.processor("session").addArg(Tokens.ARGS_SESSION, session);
        }
        request.addArg(Tokens.ARGS_EVAL_TIMEOUT, millis);
        try (Wire wire = new Wire(hasty.port())) {
          assertTrue(wire.send(Messages.binary(request.create())).verdict().startsWith("598 "));
        }
      }
    }
    String text = "g.with('evaluationTimeout'," + millis + ").inject(1)";
    refused("403 evaluationTimeout is outside the server's limit", text(text));
  }

  @Test
  @SuppressWarnings("unchecked") // an array of generic classes
  void noStrategyIsTakenAway() throws Exception {
    refused(
        "403 source step is not available on the server: step=withoutStrategies",
        text("g.withoutStrategies(ReadOnlyStrategy).V()"));
    Bytecode query =
        EmptyGraph.instance()
            .traversal()
            .withoutStrategies(ReadOnlyStrategy.class)
            .V()
            .asAdmin()
            .getBytecode();
    refused("403 classes are not available", Messages.binary(query));
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 2_000, 20_000})
  void nestedTextsDoNotKeepTheParserBusy(int depth) throws Exception {
    for (String open : List.of("[", "{", "[a:", "g.inject(")) {
      String close = open.startsWith("[") ? "]" : open.equals("{") ? "}" : ")";
      String text = "g.inject(" + open.repeat(depth) + "1" + close.repeat(depth) + ")";
      if (text.length() > 60_000 || depth > 200) {
        refused("403 text is ", text(text));
      } else {
        String verdict = verdict(hasty, text(text));
        assertTrue(verdict.matches("(200|403|597|598|500|206) .*"), verdict);
      }
    }
  }

  @Test
  void aTextOfAMegabyteIsNotParsed() throws Exception {
    refused("403 text is too long", text("g.V()" + ".out()".repeat(170_000)));
    refused("403 text is too long", text("g.inject('" + "x".repeat(1_000_000) + "')"));
  }

  @Test
  void nestedMessagesDoNotOverflowAStack() throws Exception {
    ByteBuf message = beginning();
    for (int i = 0; i < 20_000; i++) {
      message.writeByte(0x09).writeByte(0).writeInt(1);
    }
    message.writeByte(0x01).writeByte(0).writeInt(7);
    refused("403 message is nested too deeply", ByteBufUtil.getBytes(message));
    assertTrue(verdict(Messages.binary(nested("map", 12))).startsWith("200 "));
    refused(
        "403 traversals of the query are nested too deeply", Messages.binary(nested("local", 62)));
  }

  private static Bytecode nested(String step, int depth) {
    Bytecode nested = bytecode("identity");
    for (int i = 0; i < depth; i++) {
      nested = bytecode(step, nested);
    }
    Bytecode query = bytecode("inject", 1);
    query.addStep(step, nested);
    return query;
  }

  @Test
  void nestedJsonDoesNotOverflowAStack() throws Exception {
    try (Wire wire = new Wire(served.port())) {
      String json =
          "{\"requestId\":\""
              + new UUID(1, 2)
              + "\",\"op\":\"eval\",\"args\":{\"bindings\":"
              + "[".repeat(50_000)
              + "]".repeat(50_000)
              + "}}";
      wire.send(json);
      assertTrue(wire.verdict().startsWith("403 message is nested too deeply"));
      wire.send(new String(Messages.json(Messages.request("g.inject(1)")), StandardCharsets.UTF_8));
      assertTrue(wire.verdict().startsWith("200 "));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0x03, 0x06, 0x09, 0x0a, 0x0b, 0x15, 0x1e, 0x23, 0x25, 0x2a, 0x2b, 0x82})
  void declaredSizesAllocateNothing(int type) throws Exception {
    ByteBuf message = beginning();
    message.writeByte(type).writeByte(0).writeInt(Integer.MAX_VALUE);
    byte[] bytes = ByteBufUtil.getBytes(message);
    try (Wire wire = new Wire(served.port())) {
      for (int i = 0; i < 10; i++) {
        String verdict = wire.send(bytes).verdict();
        assertTrue(verdict.matches("(498|403) .*"), verdict);
      }
      assertTrue(wire.send(text("g.inject(1)")).verdict().startsWith("200 "), "not wedged");
    }
  }

  @Test
  void aBatchOfAnySizeAllocatesNothing() throws Exception {
    for (Object size : List.of(Integer.MAX_VALUE, Long.MAX_VALUE, -1, "many")) {
      RequestMessage request =
          RequestMessage.build(Tokens.OPS_EVAL)
              .addArg(Tokens.ARGS_GREMLIN, "g.inject(1)")
              .addArg(Tokens.ARGS_BATCH_SIZE, size)
              .create();
      String verdict = verdict(Messages.binary(request));
      assertTrue(verdict.startsWith(size instanceof String ? "499 " : "200 "), verdict);
    }
  }

  @Test
  void noClassIsLoaded() throws Exception {
    for (String name : List.of("java.lang.ProcessBuilder", "no.such.Class")) {
      ByteBuf message = beginning();
      message.writeByte(0x29).writeByte(0).writeInt(name.length());
      message.writeCharSequence(name, StandardCharsets.UTF_8);
      message.writeInt(0);
      refused("403 class is not available on the server: " + name, ByteBufUtil.getBytes(message));
    }
  }

  @Test
  void aRegularExpressionEndsWithTheQuerysTime() throws Exception {
    String victim = "x".repeat(60) + "!";
    Bytecode query =
        EmptyGraph.instance()
            .traversal()
            .inject(victim)
            .is(TextP.regex("(x+x+)+\\1?y").or(TextP.notRegex("(x+x+)+\\1?y")))
            .asAdmin()
            .getBytecode();
    refused(hasty, "598 ", Messages.binary(query), "");
    refused("403 a regular expression in a text", text("g.inject('a').is(TextP.regex('(a+)+$'))"));
  }

  @Test
  void numbersThatAreLongWhenAddedAreRefused() throws Exception {
    refused("403 number has too many digits", text("g.inject(1e999999999m,1m).sum()"));
    ByteBuf message = beginning();
    message.writeByte(0x22).writeByte(0).writeInt(Integer.MIN_VALUE).writeInt(1).writeByte(1);
    String verdict = verdict(ByteBufUtil.getBytes(message));
    assertTrue(verdict.matches("4\\d\\d .*"), verdict);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "g.inject(1).repeat(__.union(__.identity(),__.identity()).as('a')).times(14)",
        "g.inject(1).repeat(__.union(__.identity(),__.identity()).as('a')).times(14).toList()",
        "g.inject(1).repeat(__.union(__.identity(),__.identity())).times(60)",
        "g.inject(1).until(__.is(2)).repeat(__.identity()).emit()",
      })
  void resultsAreLimited(String query) throws Exception {
    try (Wire wire = new Wire(served.port())) {
      wire.send(text(query));
      String verdict = wire.verdict();
      while (verdict.startsWith("206 ")) {
        verdict = wire.verdict();
      }
      assertTrue(verdict.matches("597 .*too many results: limit=10000.*"), verdict);
    }
  }

  @ParameterizedTest
  @MethodSource("io.bg3.server.guard.Growing#texts")
  void noValueGrowsWithoutEnd(String query) throws Exception {
    String why = "^598 |^597 .*" + Growing.REFUSED; // whichever is first on a busy machine
    refused(hasty, "59", text(query), why);
    refused(hasty, "5", Messages.binary(Growing.bytecode(query)), why.replace("597", "500"));
  }

  @Test
  void whatIsNoRequestIsAnsweredAndTheConnectionGoesOn() throws Exception {
    try (Wire wire = new Wire(served.port())) {
      for (byte[] garbage :
          List.of(
              new byte[] {0},
              new byte[] {127},
              new byte[] {-1, 2, 3},
              "!application/nonsense".getBytes(StandardCharsets.US_ASCII),
              new byte[64])) {
        assertTrue(wire.send(garbage).verdict().startsWith("498 "));
      }
      assertTrue(wire.send("{\"requestId\":1}").verdict().matches("49\\d .*"));
      assertTrue(wire.send("nonsense").verdict().startsWith("498 "));
      UUID id = UUID.randomUUID();
      ByteBuf message = beginning(id);
      assertTrue(wire.send(ByteBufUtil.getBytes(message)).answer().getRequestId().equals(id));
      assertTrue(wire.send(text("g.inject(1)")).verdict().startsWith("200 "));
    }
  }

  private static Bytecode bytecode(String step, Object... arguments) {
    Bytecode query = new Bytecode();
    query.addStep(step, arguments);
    return query;
  }

  /** A request whose only argument's value comes next. */
  private static ByteBuf beginning() {
    return beginning(new UUID(0, 1));
  }

  private static ByteBuf beginning(UUID id) {
    String format = "application/vnd.graphbinary-v1.0";
    ByteBuf message = Unpooled.buffer();
    message.writeByte(format.length()).writeCharSequence(format, StandardCharsets.US_ASCII);
    message.writeByte(0x81).writeLong(id.getMostSignificantBits());
    message.writeLong(id.getLeastSignificantBits());
    message.writeInt(4).writeCharSequence("eval", StandardCharsets.US_ASCII);
    message.writeInt(0);
    message.writeInt(1).writeByte(0x03).writeByte(0).writeInt(1).writeByte('a');
    return message;
  }

  private static byte[] text(String query) {
    return Messages.binary(Messages.request(query));
  }

  private static String verdict(byte[] message) throws Exception {
    return verdict(served, message);
  }

  private static String verdict(ServedFixture by, byte[] message) throws Exception {
    try (Wire wire = new Wire(by.port())) {
      return wire.send(message).verdict();
    }
  }

  /** Expects a refusal, and that the connection is of use afterwards. */
  private static void refused(String how, byte[] message) throws Exception {
    refused(served, how, message, "");
  }

  private static void refused(ServedFixture by, String how, byte[] message, String why)
      throws Exception {
    try (Wire wire = new Wire(by.port())) {
      String verdict = wire.send(message).verdict();
      assertTrue(verdict.startsWith(how), verdict);
      assertTrue(Pattern.compile(why).matcher(verdict).find(), verdict);
      verdict = wire.send(text("g.inject(1)")).verdict();
      for (int i = 0; i < 20 && by == hasty && verdict.startsWith("598 "); i++) {
        verdict = wire.send(text("g.inject(1)")).verdict(); // the machine has paused
      }
      assertTrue(verdict.startsWith("200 "), verdict);
    }
  }
}

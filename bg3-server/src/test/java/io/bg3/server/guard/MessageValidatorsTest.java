package io.bg3.server.guard;

import static io.bg3.server.guard.ValidatedMessages.verdict;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.testing.Seeds;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.DT;
import org.apache.tinkerpop.gremlin.process.traversal.Merge;
import org.apache.tinkerpop.gremlin.process.traversal.Operator;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Pop;
import org.apache.tinkerpop.gremlin.process.traversal.Scope;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.SubgraphStrategy;
import org.apache.tinkerpop.gremlin.structure.Column;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.empty.EmptyGraph;
import org.apache.tinkerpop.gremlin.structure.util.reference.ReferenceVertex;
import org.apache.tinkerpop.gremlin.util.function.Lambda;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Gives whole, cut, changed and invented messages to what validates bytes. */
class MessageValidatorsTest {
  private static final GraphTraversalSource G = EmptyGraph.instance().traversal();

  @Test
  void takesEverythingThatDriversSend() {
    RequestMessage request = Messages.request(everything());
    assertEquals("", validateBinary(Messages.binary(request)));
    assertEquals("", validateJson(Messages.json(request)));
    assertEquals("", validateBinary(Messages.binary(Messages.request("g.V().count()"))));
  }

  @Test
  void everyMessageThatIsCutShortIsRefused() {
    byte[] whole = Messages.binary(everything());
    ByteBuf body = Messages.body(whole);
    for (int length = 0; length < body.readableBytes(); length++) {
      ByteBuf cut = body.slice(body.readerIndex(), length);
      assertTrue(
          !verdict(() -> new GraphBinaryValidator(cut, 200).validate()).isEmpty(),
          "length=" + length);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0x03, 0x09, 0x0a, 0x0b, 0x23, 0x25, 0x15, 0x06, 0x2a})
  void noSizeIsBelievedThatTheMessageCannotHold(int type) {
    ByteBuf message = beginning();
    message.writeByte(type).writeByte(0).writeInt(Integer.MAX_VALUE).writeZero(16);
    String refused = verdict(() -> new GraphBinaryValidator(message, 200).validate());
    assertTrue(refused.matches("(declared size|class|clients cannot send).*"), refused);
  }

  @Test
  void negativeSizesAreRefused() {
    ByteBuf message = beginning();
    message.writeByte(0x09).writeByte(0).writeInt(-1);
    assertTrue(
        verdict(() -> new GraphBinaryValidator(message, 200).validate())
            .startsWith("declared size"));
  }

  @Test
  void nestingIsCountedInBinaryAndJson() {
    ByteBuf message = beginning();
    for (int i = 0; i < 20_000; i++) {
      message.writeByte(0x09).writeByte(0).writeInt(1);
    }
    message.writeByte(0x01).writeByte(0).writeInt(7);
    assertEquals(
        "message is nested too deeply: limit=200",
        verdict(() -> new GraphBinaryValidator(message, 200).validate()));
    String json = "{\"args\":" + "[".repeat(20_000) + "]".repeat(20_000) + "}";
    assertTrue(validateJson(json.getBytes(StandardCharsets.UTF_8)).contains("nested too deeply"));
    assertTrue(
        validateJson(json.getBytes(StandardCharsets.UTF_16BE)).contains("nested too deeply"));
  }

  @Test
  void noClassIsLookedUp() {
    String name = "java.lang.ProcessBuilder";
    ByteBuf message = beginning();
    message.writeByte(0x29).writeByte(0).writeInt(name.length());
    message.writeCharSequence(name, StandardCharsets.UTF_8);
    message.writeInt(0);
    assertEquals(
        "class is not available on the server: " + name,
        verdict(() -> new GraphBinaryValidator(message, 200).validate()));
    for (String json :
        List.of(
            "{\"a\":{\"@type\":\"g:TraversalStrategy\",\"@value\":{\"fqcn\":\"" + name + "\"}}}",
            "{\"a\":{\"@value\":\"" + name + "\",\"@type\":\"g:Class\"}}",
            "{\"a\":{\"@type\":\"g:C\\u006cass\",\"@value\":\"x\"}}")) {
      assertTrue(validateJson(json.getBytes(StandardCharsets.UTF_8)).startsWith("class"), json);
    }
  }

  @Test
  void aCustomTypeIsRefusedAlsoIfItLooksLikeANull() {
    byte[] message = Messages.binary(new Bytecode());
    byte[] before = "aliases".getBytes(StandardCharsets.US_ASCII);
    int at = indexOf(message, before) + before.length;
    message[at] = 0; // custom, instead of a map
    message[at + 1] =
        0x7f; // the highest byte of the name's length, and to who skips the name a flag
    assertEquals("clients cannot send this type: type=CUSTOM", validateBinary(message));
  }

  private static int indexOf(byte[] bytes, byte[] part) {
    return new String(bytes, StandardCharsets.ISO_8859_1)
        .indexOf(new String(part, StandardCharsets.ISO_8859_1));
  }

  @Test
  void changedMessagesEndInAVerdictAndInTime() {
    long seed = Seeds.one();
    Random random = new Random(seed);
    byte[][] samples = {
      Messages.binary(everything()),
      Messages.binary(Messages.request("g.V().has('a',1).out('b').count()")),
    };
    assertTimeoutPreemptively(
        Duration.ofMinutes(10),
        () -> {
          for (int round = 0; round < 20_000; round++) {
            byte[] changed = changed(samples[round % samples.length], random);
            if (validateBinary(changed).isEmpty()) {
              readAlsoIfWrong(changed);
            }
            validateJson(changed(Messages.json(Messages.request("g.V([1])")), random));
          }
        },
        "-Dbg3.seed=" + seed);
  }

  @Test
  void changedTextsEndInAVerdictAndInTime() {
    long seed = Seeds.one();
    Random random = new Random(seed);
    String sample =
        "g.V().has('a',P.gt(1)).repeat(__.out('b').where(__.in('c').count().is(3))).times(2)"
            + ".project('x','y').by(id).by(valueMap('a','b')).order().by('x',desc).limit(10)"
            + ";g.mergeV([(T.label):'a',k:[1,2,{3,'4'}]]).option(onCreate,[b:1.5d])";
    assertTimeoutPreemptively(
        Duration.ofMinutes(10),
        () -> {
          for (int round = 0; round < 1_000; round++) {
            String text =
                new String(
                    changed(sample.getBytes(StandardCharsets.US_ASCII), random),
                    StandardCharsets.ISO_8859_1);
            verdict(() -> ValidatedMessages.JUDGE.validate(text));
          }
        },
        "-Dbg3.seed=" + seed);
  }

  /** A message that passes may still be no request; then an exception follows soon. */
  private static void readAlsoIfWrong(byte[] message) {
    try {
      Messages.read(message);
    } catch (RuntimeException | AssertionError expected) {
      assertTrue(!(expected instanceof NegativeArraySizeException), expected.toString());
    }
  }

  private static byte[] changed(byte[] sample, Random random) {
    byte[] changed = sample.clone();
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(changed.length);
      switch (random.nextInt(4)) {
        case 0 -> changed[at] = (byte) random.nextInt();
        case 1 -> changed[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> {
          int from = random.nextInt(sample.length);
          int room = Math.min(changed.length - at, sample.length - from);
          int length = Math.min(random.nextInt(20), room);
          System.arraycopy(sample, from, changed, at, length);
        }
        default -> {
          byte[] longer = new byte[changed.length + 4];
          System.arraycopy(changed, 0, longer, 0, at);
          System.arraycopy(changed, at, longer, at + 4, changed.length - at);
          ByteBuffer.wrap(longer).putInt(at, random.nextBoolean() ? Integer.MAX_VALUE : -1);
          changed = longer;
        }
      }
    }
    return changed;
  }

  private static String validateBinary(byte[] message) {
    ByteBuf bytes = Unpooled.wrappedBuffer(message);
    int name = bytes.readByte();
    if (name < 0 || name > bytes.readableBytes()) {
      return "no name";
    }
    return verdict(() -> new GraphBinaryValidator(bytes.skipBytes(name), 200).validate());
  }

  private static String validateJson(byte[] message) {
    return verdict(() -> new GraphSonValidator(200).validate(new ByteArrayInputStream(message)));
  }

  /** A request whose only argument's value comes next. */
  private static ByteBuf beginning() {
    ByteBuf message = Unpooled.buffer();
    message.writeByte(0x81).writeZero(16);
    message.writeInt(4).writeCharSequence("eval", StandardCharsets.UTF_8);
    message.writeInt(0);
    message.writeInt(1).writeByte(0x03).writeByte(0).writeInt(1).writeByte('a');
    return message;
  }

  @SuppressWarnings("JavaUtilDate") // drivers send it
  private static Bytecode everything() {
    Bytecode query =
        G.withStrategies(SubgraphStrategy.build().vertices(__.hasLabel("a")).create())
            .withSideEffect("x", List.of(1, 2L, 3.0, 4.0f, (short) 5, (byte) 6))
            .V(1, new ReferenceVertex(1L, "a"), UUID.randomUUID())
            .has("n", P.within(1, 2, 3).or(P.gt(1).negate()))
            .has("m", TextP.startingWith("a"))
            .where(__.out("b").map(Lambda.function("it")))
            .order()
            .by("n", Order.desc)
            .asAdmin()
            .getBytecode();
    query.addStep(
        "inject",
        List.of(1, List.of(Set.of("a"), Map.of("k", Map.of(T.id, 1)))),
        new BigDecimal("1.5"),
        new BigInteger("123456789012345678901234567890"),
        ByteBuffer.wrap(new byte[] {1, 2, 3}),
        true,
        'c',
        '\u20ac',
        null);
    query.addStep(
        "inject",
        new Date(),
        Instant.EPOCH,
        LocalDate.EPOCH,
        LocalDateTime.MIN,
        LocalTime.NOON,
        MonthDay.of(1, 2),
        OffsetDateTime.MIN,
        OffsetTime.MIN,
        Period.ofDays(1),
        Duration.ofSeconds(1),
        Year.of(1),
        YearMonth.of(1, 2),
        ZonedDateTime.of(LocalDateTime.MIN, ZoneOffset.UTC),
        ZoneOffset.UTC);
    query.addStep(
        "inject",
        Column.keys,
        Direction.OUT,
        DT.day,
        Merge.onCreate,
        Operator.sum,
        Pop.all,
        Scope.local,
        VertexProperty.Cardinality.list,
        new Bytecode.Binding<>("x", 1));
    return query;
  }
}

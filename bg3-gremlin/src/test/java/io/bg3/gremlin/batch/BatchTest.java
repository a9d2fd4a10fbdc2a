package io.bg3.gremlin.batch;

import static io.bg3.gremlin.batch.Message.properties;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Settings;
import io.bg3.core.graph.EdgeLabel;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.SortOrder;
import io.bg3.gremlin.services.Bg3Services;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many operations in one message, as the services take it, and messages of strangers. */
class BatchTest {
  private static final int ADD_LINK = 1;
  private static final int DELETE_LINK = 2;
  private static final int GET_LINKS = 3;
  private static final int LIST_LINKS = 4;
  private static final int COUNT_LINKS = 5;
  private static final int ADD_NODE = 6;
  private static final int GET_NODE = 7;
  private static final int UPDATE_NODE = 8;
  private static final int DELETE_NODE = 9;

  private static final byte DONE = 0;
  private static final byte FAILED = 1;
  private static final byte PUT_OFF = 2;

  /** Numbers of texts. */
  private static final int LIKES = 0;

  private static final int PERSON = 1;
  private static final int NAME = 2;
  private static final int EXTRA = 3;

  private BatchGraph batches;
  private Bg3Graph graph;
  private GraphTraversalSource g;

  @BeforeEach
  void open() {
    batches = new BatchGraph();
    graph = batches.graph();
    g = batches.traversal();
  }

  @AfterEach
  void close() {
    batches.close();
  }

  private static Message message() {
    return new Message("likes", "person", "name", "extra");
  }

  private ByteBuffer run(Message message) {
    return run("bg3.batch", message.toBuffer());
  }

  private ByteBuffer run(String service, ByteBuffer operations) {
    return (ByteBuffer) g.call(service, Map.of("operations", operations)).next();
  }

  /** The answers with nothing but their lengths between them and their number checked. */
  private static ByteBuffer begin(ByteBuffer answer, int count) {
    assertEquals(1, answer.get());
    assertEquals(count, answer.getShort());
    return answer;
  }

  private static ByteBuffer next(ByteBuffer answer, byte status) {
    byte found = answer.get();
    int length = answer.getInt();
    ByteBuffer content = answer.slice(answer.position(), length);
    assertEquals(status, found, () -> StandardCharsets.UTF_8.decode(content).toString());
    answer.position(answer.position() + length);
    return content;
  }

  private static void assertNumber(long number, ByteBuffer content) {
    assertEquals(Long.BYTES, content.remaining());
    assertEquals(number, content.getLong());
  }

  private static void assertLink(
      long target, long time, boolean visible, String name, ByteBuffer at) {
    assertEquals(target, at.getLong());
    assertEquals(time, at.getLong());
    assertEquals(visible ? 1 : 0, at.get());
    assertEquals(1, at.getShort(), "one property, since the key of the other is no text here");
    assertName(name, at);
  }

  private static void assertName(String name, ByteBuffer at) {
    assertEquals(NAME, at.getShort());
    assertEquals(4, at.get());
    byte[] text = new byte[at.getInt()];
    at.get(text);
    assertEquals(name, new String(text, StandardCharsets.UTF_8));
  }

  private static Message link(Message message, long target, long time, String name) {
    return message.add(ADD_LINK, LIKES, 1L, target, time, true, properties(NAME, name, EXTRA, 5L));
  }

  @Test
  void operationsAreAnsweredInTheirOrder() {
    Message writes = message();
    link(writes, 5, 500, "five");
    link(writes, 6, 600, "six");
    link(writes, 5, 550, "fünf");
    writes
        .add(DELETE_LINK, LIKES, 1L, 6L, false)
        .add(DELETE_LINK, LIKES, 1L, 7L, true)
        .add(ADD_NODE, PERSON, properties(NAME, "ada"))
        .add(ADD_NODE, PERSON, properties(NAME, "bob"))
        .add(UPDATE_NODE, PERSON, 2L, properties(NAME, "Bob"))
        .add(UPDATE_NODE, LIKES, 2L, properties(NAME, "of another label"))
        .add(DELETE_NODE, PERSON, 1L)
        .add(DELETE_NODE, PERSON, 1L);
    ByteBuffer answer = begin(run(writes), 11);
    for (long number : new long[] {0, 0, 2, 2, 0, 1, 2, 1, 0, 1, 0}) {
      assertNumber(number, next(answer, DONE));
    }
    assertFalse(answer.hasRemaining());

    Message reads =
        new Message("likes", "person", "name", "never heard of")
            .add(GET_LINKS, LIKES, 1L, (short) 3, 5L, 6L, 7L)
            .add(LIST_LINKS, LIKES, 1L, 0L, 1_000L, true, 0, 10)
            .add(COUNT_LINKS, LIKES, 1L)
            .add(COUNT_LINKS, 3, 1L)
            .add(GET_NODE, PERSON, 2L)
            .add(GET_NODE, PERSON, 1L)
            .add(GET_NODE, LIKES, 2L)
            .add(LIST_LINKS, 3, 1L, 0L, 1_000L, false, 0, 10);
    answer = begin(run("bg3.batch.read", reads.toBuffer()), 8);
    ByteBuffer links = next(answer, DONE);
    assertEquals(2, links.getInt());
    assertLink(5, 550, true, "fünf", links);
    assertLink(6, 600, false, "six", links);
    ByteBuffer list = next(answer, DONE);
    assertEquals(1, list.getInt());
    assertLink(5, 550, true, "fünf", list);
    assertNumber(1, next(answer, DONE));
    assertNumber(0, next(answer, DONE));
    ByteBuffer node = next(answer, DONE);
    assertEquals(1, node.get());
    assertEquals(1, node.getShort());
    assertName("Bob", node);
    assertEquals(0, next(answer, DONE).get());
    assertEquals(0, next(answer, DONE).get());
    assertEquals(0, next(answer, DONE).getInt());
    assertFalse(answer.hasRemaining());
    assertEquals(List.of("Bob"), g.V(2L).values("name").toList());
  }

  @Test
  void oneThatFailsLeavesTheOthersAlone() {
    Message mixed = message();
    mixed.add(ADD_LINK, PERSON, 1L, 2L, 3L, true, properties());
    link(mixed, 5, 500, "five");
    mixed.add(LIST_LINKS, LIKES, 1L, 0L, 1_000L, true, -1, 10);
    mixed.add(ADD_LINK, LIKES, Long.MIN_VALUE, 2L, 3L, true, properties());
    mixed.add(ADD_LINK, LIKES, 1L, 2L, 3L, true, properties(NAME, 1L, NAME, 2L));
    mixed.add(COUNT_LINKS, LIKES, Long.MIN_VALUE);
    mixed.add(GET_NODE, PERSON, 77L);
    ByteBuffer answer = begin(run(mixed), 7);
    assertProblem("the label is not declared", answer);
    assertNumber(0, next(answer, DONE));
    assertProblem("must not be negative", answer);
    assertProblem("no such number for an id", answer);
    assertProblem("be put once", answer);
    assertProblem("no such number for an id", answer);
    assertEquals(0, next(answer, DONE).get());
    assertEquals(List.of(1L), g.call("bg3.links.count", counted()).toList());
  }

  private static Map<Object, Object> counted() {
    return Map.of("label", "likes", "source", 1L);
  }

  private static void assertProblem(String words, ByteBuffer answer) {
    String problem = StandardCharsets.UTF_8.decode(next(answer, FAILED)).toString();
    assertTrue(problem.contains(words), problem);
  }

  @Test
  void everyKindOfValueComesBackAndOthersAreNamed() {
    String[] texts = {"likes", "person", "a", "b", "c", "d", "e", "f"};
    byte[] bytes = {1, -1, 0};
    byte[] all = properties(2, 1L << 40, 3, -5, 4, bytes, 5, "text", 6, true, 7, 0.5);
    run(new Message(texts).add(ADD_NODE, PERSON, all));
    ByteBuffer answer = begin(run(new Message(texts).add(GET_NODE, PERSON, 1L)), 1);
    ByteBuffer node = next(answer, DONE);
    assertEquals(1, node.get());
    byte[] shown = new byte[node.remaining()];
    node.get(shown);
    assertArrayEquals(all, shown);
    g.V(1L).property("a", 1.5f).iterate();
    graph.tx().commit();
    answer = begin(run(new Message(texts).add(GET_NODE, PERSON, 1L)), 1);
    assertProblem("class=Float", answer);
  }

  @Test
  void whatDoesNotFitIsPutOffAndCanBeAskedForAlone() {
    Message large = message();
    String name = "x".repeat(1 << 20);
    for (long target = 0; target < 7; target++) {
      link(large, target, target, name);
    }
    run(large);
    Message asks = message();
    for (int i = 0; i < 2; i++) {
      asks.add(LIST_LINKS, LIKES, 1L, 0L, 10L, true, 0, 10);
    }
    link(asks, 8, 8, "small");
    ByteBuffer answer = begin(run(asks), 3);
    assertEquals(7, next(answer, DONE).getInt());
    assertEquals(0, next(answer, PUT_OFF).remaining());
    assertNumber(0, next(answer, DONE));
    assertFalse(answer.hasRemaining());
  }

  @Test
  void onlyReadsGoByTheServiceForReaders() {
    ByteBuffer writes = link(message(), 5, 500, "five").toBuffer();
    assertThrows(IllegalArgumentException.class, () -> run("bg3.batch.read", writes));
    assertEquals(List.of(0L), g.call("bg3.links.count", counted()).toList());
  }

  @Test
  void anInterruptEndsIt() {
    Message reads = message().add(COUNT_LINKS, LIKES, 1L);
    Thread.currentThread().interrupt();
    assertThrows(TraversalInterruptedException.class, () -> run(reads));
  }

  @Test
  void whatItAsksForIsSaidToPeople() {
    ByteBuffer asks =
        message().add(COUNT_LINKS, LIKES, 7L).add(ADD_NODE, PERSON, properties()).toBuffer();
    assertEquals(
        "[links.count likes 7, nodes.add person]", Bg3Services.describe(asks, Integer.MAX_VALUE));
    assertEquals("[links.count likes 7, ...]", Bg3Services.describe(asks, 10));
    asks.put(0, (byte) 2);
    String said = Bg3Services.describe(asks, 10);
    assertTrue(said.contains("version=2"), said);
  }

  @Test
  void oneLongLabelOfManyOperationsIsNotSaidForEach() {
    Message asks = new Message("x".repeat(1_024));
    for (int i = 0; i < Batch.MOST_OPERATIONS; i++) {
      asks.add(GET_NODE, 0, 1L);
    }
    assertTrue(Batch.read(asks.toBuffer()).describe(2_000).length() < 4_000);
    ByteBuffer longer = new Message("x".repeat(1_025)).toBuffer();
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Batch.read(longer));
    assertTrue(e.getMessage().contains("limit=NAME_BYTES, most=1024"), e.getMessage());
    assertTrue(e.getMessage().contains("given=1025"), e.getMessage());
  }

  @Test
  void aMessageHasAsManyOperationsAsTheLimitSaysAndNoMore() {
    Message asks = new Message("label");
    for (int i = 0; i < Batch.MOST_OPERATIONS; i++) {
      asks.add(GET_NODE, 0, 1L);
    }
    assertFalse(Batch.read(asks.toBuffer()).writes());
    asks.add(GET_NODE, 0, 1L);
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Batch.read(asks.toBuffer()));
    assertTrue(e.getMessage().contains("limit=BATCH_OPERATIONS, most=1024"), e.getMessage());
    assertTrue(e.getMessage().contains("given=1025"), e.getMessage());
  }

  @Test
  void whoAsksForManyLinksIsLookedAfterMeanwhile() throws IOException {
    Object[] fields = new Object[1_002];
    Arrays.fill(fields, 5L); // targets but for the first two
    fields[0] = 1L;
    fields[1] = (short) 1_000;
    Batch batch = Batch.read(message().add(GET_LINKS, LIKES, fields).toBuffer());
    int[] looks = new int[1];
    try (Bg3 other = Bg3.open(Settings.defaults())) {
      GraphStore store = other.graph();
      store.declareEdgeLabel(
          "likes", EdgeLabelForm.plain().orderedBy("time", SortOrder.ASCENDING).asLoose());
      batch.run(
          store,
          each -> null,
          question -> {
            try (GraphTransaction transaction = store.beginReadOnly()) {
              question.accept(transaction);
            }
          },
          () -> looks[0]++);
    }
    assertEquals(1 + 16, looks[0], "one for the operation, and one for each 64 links");
  }

  @Test
  void whatWasDoneBeforeAnInterruptIsThereToStay() throws IOException {
    Batch batch = Batch.read(link(link(message(), 5, 500, "five"), 6, 600, "six").toBuffer());
    int[] looks = new int[1];
    try (Bg3 other = Bg3.open(Settings.defaults())) {
      GraphStore store = other.graph();
      EdgeLabel likes =
          store.declareEdgeLabel(
              "likes", EdgeLabelForm.plain().orderedBy("time", SortOrder.ASCENDING).asLoose());
      assertThrows(
          TraversalInterruptedException.class,
          () ->
              batch.run(
                  store,
                  each -> null,
                  question -> {},
                  () -> {
                    if (looks[0]++ > 0) {
                      throw new TraversalInterruptedException();
                    }
                  }));
      try (GraphTransaction transaction = store.beginReadOnly()) {
        assertNotNull(transaction.links().get(likes, 1, 5));
        assertNull(transaction.links().get(likes, 1, 6));
      }
    }
  }

  @Test
  void aPropertyHasTheNumberOfTheFirstTextThatIsItsKey() {
    run(link(message(), 5, 500, "five"));
    Message asks = new Message("likes", "nobody", "name", "no one", "name");
    ByteBuffer link = next(begin(run(asks.add(GET_LINKS, 0, 1L, (short) 1, 5L)), 1), DONE);
    assertEquals(1, link.getInt());
    link.position(link.position() + 2 * Long.BYTES + 1);
    assertEquals(1, link.getShort());
    assertEquals(2, link.getShort());
  }

  @Test
  void aMessageThatEndsTooEarlyDoesNothing() {
    byte[] whole = everything().toBuffer().array();
    for (int length = 0; length < whole.length; length++) {
      ByteBuffer part = ByteBuffer.wrap(whole, 0, length);
      assertThrows(IllegalArgumentException.class, () -> Batch.read(part));
    }
    ByteBuffer longer = ByteBuffer.allocate(whole.length + 1).put(whole).rewind();
    assertThrows(IllegalArgumentException.class, () -> Batch.read(longer));
    assertThrows(IllegalArgumentException.class, () -> run("bg3.batch", longer));
  }

  @Test
  void sizesAndCodesOfStrangersAreRefusedBeforeAnythingIsMadeOfThem() {
    String[] hex = {
      "", // nothing
      "02 0000 0000", // a version
      "01 ffff", // texts
      "01 0001 ffff", // a text
      "01 0000 ffff", // operations
      "01 0001 0000 0401 " + "050000 0000000000000001".repeat(0x401), // too many of them
      "01 0001 0000 0001 00 0000 0000000000000001", // codes
      "01 0001 0000 0001 0a 0000 0000000000000001",
      "01 0001 0000 0001 ff 0000 0000000000000001",
      "01 0001 0000 0001 05 0001 0000000000000001", // a text that is not there
      "01 0001 0000 0001 03 0000 0000000000000001 ffff", // targets
      "01 0001 0000 0001 06 0000 ffff", // properties
      "01 0001 0000 0001 06 0000 0001 0000 03 7fffffff", // bytes
      "01 0001 0000 0001 06 0000 0001 0000 03 ffffffff",
      "01 0001 0000 0001 06 0000 0001 0000 04 80000000", // a text
      "01 0001 0000 0001 06 0000 0001 0000 07 00000000", // a kind
      "01 0001 0000 0001 06 0000 0001 0000 05 02", // neither yes nor no
    };
    for (String each : hex) {
      byte[] bytes = HexFormat.of().parseHex(each.replace(" ", ""));
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class, () -> Batch.read(ByteBuffer.wrap(bytes)), each);
      assertTrue(e.getMessage().length() < 200, e.getMessage());
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> g.call("bg3.batch", Map.of("operations", "text")).next());
  }

  @Test
  void changedMessagesAreReadOrRefused() {
    long seed = Seeds.one();
    Random random = new Random(seed);
    byte[] whole = everything().toBuffer().array();
    for (int round = 0; round < 3_000; round++) {
      byte[] changed = whole.clone();
      for (int i = random.nextInt(4); i >= 0; i--) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      }
      try {
        ByteBuffer answer = run("bg3.batch", ByteBuffer.wrap(changed));
        begin(answer, answer.getShort(1));
        while (answer.hasRemaining()) {
          answer.position(answer.position() + 1);
          answer.position(answer.position() + Integer.BYTES + answer.getInt(answer.position()));
        }
      } catch (IllegalArgumentException e) {
        assertTrue(e.getMessage() != null, "-Dbg3.seed=" + seed);
      } catch (RuntimeException e) {
        throw new AssertionError("-Dbg3.seed=" + seed + ", round " + round, e);
      }
    }
  }

  private static Message everything() {
    Message message = message();
    link(message, 5, 500, "five");
    return message
        .add(DELETE_LINK, LIKES, 1L, 6L, false)
        .add(GET_LINKS, LIKES, 1L, (short) 2, 5L, 6L)
        .add(LIST_LINKS, LIKES, 1L, 0L, 1_000L, true, 0, 10)
        .add(COUNT_LINKS, LIKES, 1L)
        .add(ADD_NODE, PERSON, properties(NAME, "ada", EXTRA, new byte[5]))
        .add(GET_NODE, PERSON, 1L)
        .add(UPDATE_NODE, PERSON, 2L, properties(NAME, 5, EXTRA, true))
        .add(DELETE_NODE, PERSON, 3L);
  }
}

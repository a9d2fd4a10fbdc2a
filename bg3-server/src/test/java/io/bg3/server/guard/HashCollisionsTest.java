package io.bg3.server.guard;

import static io.bg3.server.guard.ValidatedMessages.verdict;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3Graph;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Scope;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONMapper;
import org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONVersion;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV3;
import org.apache.tinkerpop.gremlin.util.ser.SerializationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sends collections whose elements have one hash, and makes them inside of queries. */
class HashCollisionsTest {
  private static final int MANY = 40_000;

  private static final GraphBinaryMessageSerializerV1 BINARY =
      new GraphBinaryMessageSerializerV1(new GuardedTypes());

  private static final GraphSONMessageSerializerV3 JSON =
      new GraphSONMessageSerializerV3(
          GraphSONMapper.build().version(GraphSONVersion.V3_0).addRegistry(new GuardedJson()));

  /** Different values of one hash. */
  static Stream<List<?>> colliding() {
    return Stream.of(
        IntStream.range(0, MANY).mapToObj(i -> List.of(i, -31 * i)).toList(),
        IntStream.range(0, MANY).mapToObj(i -> Set.of(i, -i - 1)).toList(),
        IntStream.range(0, MANY).mapToObj(i -> Map.of(i, i)).toList(),
        IntStream.range(0, MANY).mapToObj(i -> number(i, i % 2 == 0)).toList());
  }

  /** A long or a double whose halves are the same; two classes have no common order. */
  private static Number number(int half, boolean isLong) {
    long bits = (long) half << 32 | half;
    return isLong ? (Number) bits : (Number) Double.longBitsToDouble(bits);
  }

  @ParameterizedTest
  @MethodSource("colliding")
  void setsAndMapsOfMessagesAreRefusedSoon(List<?> elements) {
    for (boolean asMap : new boolean[] {false, true}) {
      Bytecode query = new Bytecode(); // with a list, since a set would be made by the test
      query.addStep("inject", asMap ? entries(elements) : elements);
      byte[] binary = Messages.binary(query);
      int at = indexOfList(binary, asMap ? 2 * MANY : MANY);
      binary[at] = (byte) (asMap ? 0x0a : 0x0b);
      ByteBuffer.wrap(binary).putInt(at + 2, MANY);
      byte[] json =
          new String(Messages.json(Messages.request(query)), StandardCharsets.UTF_8)
              .replaceFirst("g:List", asMap ? "g:Map" : "g:Set")
              .getBytes(StandardCharsets.UTF_8);
      assertTimeoutPreemptively(
          Duration.ofMinutes(5),
          () -> {
            assertThrows(
                SerializationException.class,
                () -> BINARY.deserializeRequest(Messages.body(binary)));
            assertThrows(
                SerializationException.class,
                () -> JSON.deserializeRequest(Unpooled.wrappedBuffer(json)));
          });
    }
  }

  private static List<Object> entries(List<?> keys) {
    return keys.stream().flatMap(key -> Stream.<Object>of(key, 1)).toList();
  }

  /** Where a list of so many elements begins. */
  private static int indexOfList(byte[] message, int count) {
    String begin = "\u0009\u0000" + new String(bytes(count), StandardCharsets.ISO_8859_1);
    return new String(message, StandardCharsets.ISO_8859_1).indexOf(begin);
  }

  private static byte[] bytes(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  @ParameterizedTest
  @MethodSource("colliding")
  void listsOfAQueryAreRefusedSinceAStepMayHashThem(List<?> elements) {
    Bytecode query = new Bytecode();
    query.addStep("inject", elements);
    query.addStep("unfold");
    query.addStep("dedup");
    assertTrue(
        verdict(() -> ValidatedMessages.JUDGE.validate(query))
            .startsWith("collection has too many elements"));
  }

  static Stream<Collection<?>> ordinary() {
    return Stream.of(
        IntStream.range(0, MANY).boxed().toList(),
        IntStream.range(0, MANY).mapToObj(i -> (long) i << 20).toList(),
        IntStream.range(0, MANY).mapToObj(i -> i / 8.0).toList(),
        IntStream.range(0, MANY).mapToObj(i -> "name " + i).toList(),
        IntStream.range(0, MANY).mapToObj(i -> List.of(i % 200, i / 200)).toList(),
        IntStream.range(0, MANY).mapToObj(i -> List.of("a" + i, i)).toList(),
        IntStream.range(0, MANY).mapToObj(i -> Map.of("k", i)).toList(),
        Collections.nCopies(MANY, List.of(1, 2)),
        IntStream.range(0, MANY).mapToObj(i -> Set.of(i % 50, "a")).toList());
  }

  @ParameterizedTest
  @MethodSource("ordinary")
  void ordinaryCollectionsPass(Collection<?> elements) throws Exception {
    assertTrue(HashCollisions.areFew(elements));
    Bytecode query = new Bytecode();
    Map<Object, Object> map = new LinkedHashMap<>();
    elements.forEach(element -> map.put(element, 1));
    query.addStep("inject", new HashSet<>(elements), map);
    RequestMessage read = BINARY.deserializeRequest(Messages.body(Messages.binary(query)));
    RequestMessage plain = Messages.read(Messages.binary(query));
    assertEquals(plain.getArgs(), read.getArgs());
    ByteBuf json = Unpooled.wrappedBuffer(Messages.json(Messages.request(query)));
    assertEquals(plain.getArgs(), JSON.deserializeRequest(json).getArgs());
  }

  @Test
  void fewCollisionsAreNoMatter() {
    assertTrue(
        HashCollisions.areFew(IntStream.range(0, 60).mapToObj(i -> List.of(i, -31 * i)).toList()));
    assertFalse(
        HashCollisions.areFew(IntStream.range(0, 600).mapToObj(i -> List.of(i, -31 * i)).toList()));
  }

  @Test
  void textsHashFewCollections() {
    String keys =
        IntStream.range(0, 1_100).mapToObj(i -> "[" + i + "]").collect(Collectors.joining(","));
    assertTrue(
        verdict(() -> ValidatedMessages.JUDGE.validate("g.inject({" + keys + "})"))
            .contains("limit=1000"));
    String map = keys.replace("]", "]:1");
    assertTrue(
        verdict(() -> ValidatedMessages.JUDGE.validate("g.inject([" + map + "])"))
            .contains("limit=1000"));
    assertEquals("", verdict(() -> ValidatedMessages.JUDGE.validate("g.inject([" + keys + "])")));
  }

  /** The lists are made by the query, so that no message has them. */
  @Test
  void stepsThatHashACollectionInOneGoRefuseIt() {
    try (Bg3Graph graph = Bg3Graph.open()) {
      GraphTraversalSource g =
          graph.traversal().withStrategies(new ValueLimit(ValidatedMessages.LIMITS));
      List<Object> colliding = new ArrayList<>(colliding().findFirst().orElseThrow());
      for (Traversal<?, ?> query :
          List.of(
              g.inject((Object) colliding).dedup(Scope.local),
              g.inject((Object) colliding).merge(List.of(1)),
              g.inject((Object) colliding).intersect(List.of(1)),
              g.inject((Object) colliding).disjunct(List.of(1)),
              g.inject((Object) colliding).difference(List.of(1)),
              g.inject((Object) List.of(1)).merge(__.constant(colliding)))) {
        String told = assertThrows(IllegalStateException.class, query::next).getMessage();
        assertTrue(
            told.startsWith("collection has too many elements with equal hash codes: step="), told);
      }
      List<Object> numbers = new ArrayList<>(IntStream.range(0, MANY).boxed().toList());
      for (Traversal<?, ?> query :
          List.of(
              g.inject((Object) numbers).difference(numbers),
              g.inject((Object) numbers).all(P.within(numbers)),
              g.inject((Object) numbers).any(P.within(numbers).negate()),
              g.inject((Object) numbers).none(P.gt(5).and(P.within(numbers))))) {
        String told = assertThrows(IllegalStateException.class, query::next).getMessage();
        assertTrue(told.startsWith("collections take too many comparisons: step="), told);
      }
      assertEquals(Set.of(3), g.inject((Object) List.of(1, 2, 3)).difference(List.of(1, 2)).next());
    }
  }
}

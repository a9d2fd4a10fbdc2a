package io.bg3.server.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.server.connection.AutoRead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.structure.util.reference.ReferenceVertex;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV3;
import org.apache.tinkerpop.gremlin.util.ser.SerializationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reads messages that are small and become large, and looks at what the heap holds of them.
 *
 * <p>Takes about 15 s: it measures the real heap of decoded messages, the figure on which the limit
 * for clients that are not logged in rests. The list of messages determines its length.
 */
class DecodedSizeTest {
  private static final int VALUES = 10_000;
  private static final int COPIES = 8;
  private static final int ATTEMPTS = 20;

  static Stream<Object> values() {
    return Stream.of(
        null,
        1,
        1L << 40,
        "",
        "a",
        "\u20ac\u20ac\u20ac",
        List.of(),
        Set.of(),
        Map.of(),
        Map.of("a", 1),
        Set.of(1, 2, 3),
        Collections.nCopies(3, List.of(1)),
        new BigInteger("7"),
        P.eq(1),
        new ReferenceVertex(1L, ""),
        new Bytecode(),
        new Bytecode.Binding<>("", null));
  }

  @ParameterizedTest
  @MethodSource("values")
  void theHeapHoldsNoMoreThanIsSaid(Object value) throws Exception {
    Bytecode query = new Bytecode();
    query.addStep("inject", Collections.nCopies(VALUES, value).toArray());
    byte[] binary = Messages.binary(query);
    DecodedSize said = new GraphBinaryValidator(Messages.body(binary), 200).validate();
    assertTrue(said.values() >= VALUES, said.toString());
    assertHeld(held -> held <= said.bytes(), () -> Messages.read(binary), said);
    byte[] json = Messages.json(Messages.request(query));
    DecodedSize saidOfJson = new GraphSonValidator(200).validate(new ByteArrayInputStream(json));
    assertHeld(held -> held <= saidOfJson.bytes(), () -> readJson(json), saidOfJson);
  }

  @Test
  void aMessageOfOneNumberIsSmall() throws Exception {
    Bytecode query = new Bytecode();
    query.addStep("V", 1L);
    DecodedSize said =
        new GraphBinaryValidator(Messages.body(Messages.binary(query)), 200).validate();
    assertEquals(7, said.values(), "arguments, aliases and query, and what is in them");
    assertTrue(said.bytes() < 4_000, said.toString());
  }

  @Test
  void aSetIsEstimatedByWhatItHolds() throws Exception {
    Bytecode query = new Bytecode();
    query.addStep("inject", Set.copyOf(IntStream.range(0, VALUES).boxed().toList()));
    byte[] binary = Messages.binary(query);
    DecodedSize said = new GraphBinaryValidator(Messages.body(binary), 200).validate();
    assertHeld(
        held -> held <= said.bytes() && said.bytes() < 4 * held, () -> Messages.read(binary), said);
  }

  private interface AutoRead {
    Object read() throws Exception;
  }

  /** Threads of other tests may take or free memory while it is measured, so it is repeated. */
  private static void assertHeld(LongPredicate expected, AutoRead reading, DecodedSize said)
      throws Exception {
    List<Long> measured = new ArrayList<>();
    while (measured.isEmpty() || !expected.test(measured.get(measured.size() - 1))) {
      assertTrue(measured.size() < ATTEMPTS, said + ", held=" + measured);
      measured.add(held(reading));
    }
  }

  /** Bytes of heap that one of several copies takes. */
  private static long held(AutoRead reading) throws Exception {
    List<Object> copies = new ArrayList<>();
    copies.add(reading.read()); // also loads classes
    long before = used();
    for (int i = 0; i < COPIES; i++) {
      copies.add(reading.read());
    }
    long after = used();
    assertEquals(COPIES + 1, copies.size());
    return (after - before) / COPIES;
  }

  private static long used() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static Object readJson(byte[] json) throws SerializationException {
    ByteBuf bytes = Unpooled.wrappedBuffer(json);
    return new GraphSONMessageSerializerV3().deserializeRequest(bytes);
  }
}

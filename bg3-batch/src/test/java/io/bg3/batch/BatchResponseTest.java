package io.bg3.batch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Responses as a server encodes them and as a client decodes them. */
class BatchResponseTest {
  private static final int LIMIT = 1 << 20;

  private final BatchRequest request = new BatchRequest("name", "since");

  /** A response to seven operations, of which one has failed and one was deferred. */
  private static ByteBuffer response() {
    ResponseEncoder encoder = new ResponseEncoder(7, LIMIT);
    encoder.begin(AnswerStatus.DONE).number(2).end();
    encoder.begin(AnswerStatus.DONE).beginLinks();
    encoder.link(5, 50, true);
    encoder.property(0, "five");
    encoder.property(1, 1815);
    encoder.endProperties();
    encoder.link(6, 60, false);
    encoder.endProperties();
    encoder.endLinks();
    encoder.end();
    encoder.begin(AnswerStatus.FAILED).problem("no such label").end();
    encoder.begin(AnswerStatus.DEFERRED).end();
    encoder.begin(AnswerStatus.DONE).node(true);
    encoder.property(0, "Ada");
    encoder.endProperties();
    encoder.end();
    encoder.begin(AnswerStatus.DONE).node(false);
    encoder.end();
    encoder.begin(AnswerStatus.DONE).number(0).end();
    return encoder.toBuffer();
  }

  private BatchResponse read(ByteBuffer bytes) {
    while (request.size() < 7) {
      request.countLinks("likes", 1);
    }
    return request.response(bytes);
  }

  /** The bytes that docs/provider.md describes. */
  @Test
  void theLayoutIsThatOfThePage() {
    String expected =
        "01 0007 00 00000008 0000000000000002 00 0000003c 00000002 0000000000000005"
            + " 0000000000000032 01 0002 0000 04 00000004 66697665 0001 02 00000717"
            + " 0000000000000006 000000000000003c 00 0000 01 0000000d 6e6f2073756368206c6162656c 02"
            + " 00000000 00 0000000d 01 0001 0000 04 00000003 416461 00 00000001 00 00 00000008"
            + " 0000000000000000";
    assertEquals(expected.replace(" ", ""), HexFormat.of().formatHex(response().array()));
  }

  @Test
  void theClientDecodesWhatTheServerEncodes() {
    BatchResponse response = read(response());
    assertEquals(7, response.size());
    assertEquals(PriorState.VISIBLE, response.answer(0).priorState());
    assertEquals(2, response.answer(0).number());
    assertTrue(response.answer(0).existed());
    List<BatchLink> links = response.answer(1).links();
    assertEquals(List.of(5L, 6L), links.stream().map(BatchLink::target).toList());
    assertEquals(List.of(50L, 60L), links.stream().map(BatchLink::sortKey).toList());
    assertEquals(List.of(true, false), links.stream().map(BatchLink::visible).toList());
    assertEquals(Map.of("name", "five", "since", 1815), links.get(0).properties().toMap());
    assertEquals(0, links.get(1).properties().count());
    assertEquals("no such label", response.answer(2).problem());
    assertEquals("", response.answer(3).problem());
    assertEquals("Ada", response.answer(4).node().orElseThrow().get("name"));
    assertEquals(Optional.empty(), response.answer(5).node());
    assertFalse(response.answer(6).existed());
    assertArrayEquals(new int[] {3}, response.deferred());
  }

  @Test
  void anAnswerThatIsNotDoneHasNoContent() {
    BatchResponse response = read(response());
    for (int index : new int[] {2, 3}) {
      IllegalStateException e =
          assertThrows(IllegalStateException.class, () -> response.answer(index).links());
      assertTrue(e.getMessage().contains("status="), e.getMessage());
    }
  }

  @Test
  void theAnswerOfAnotherOperationIsRefused() {
    BatchResponse response = read(response());
    assertThrows(IllegalArgumentException.class, () -> response.answer(0).links());
    assertThrows(IllegalArgumentException.class, () -> response.answer(0).node());
    assertThrows(IllegalArgumentException.class, () -> response.answer(1).number());
  }

  @Test
  void everyPartOfAResponseIsRefused() {
    byte[] whole = response().array();
    for (int length = 0; length < whole.length; length++) {
      ByteBuffer part = ByteBuffer.wrap(Arrays.copyOf(whole, length));
      assertThrows(IllegalArgumentException.class, () -> read(part), "length " + length);
    }
    ByteBuffer longer = ByteBuffer.wrap(Arrays.copyOf(whole, whole.length + 1));
    assertThrows(IllegalArgumentException.class, () -> read(longer));
  }

  @Test
  void responsesToOtherRequestsAndOfOtherVersionsAreRefused() {
    ByteBuffer other = new ResponseEncoder(0, LIMIT).toBuffer();
    assertThrows(IllegalArgumentException.class, () -> read(other));
    ByteBuffer newer = response().put(0, (byte) 2);
    assertThrows(IllegalArgumentException.class, () -> read(newer));
    ByteBuffer status = response().put(3, (byte) 3);
    assertThrows(IllegalArgumentException.class, () -> read(status));
  }

  /** The buffer may be a window of a larger array, in any byte order. */
  @Test
  void aResponseMayBeAWindowOfAnArray() {
    byte[] content = response().array();
    ByteBuffer window = ByteBuffer.allocate(content.length + 10).position(5).put(content).flip();
    window.position(5).order(ByteOrder.LITTLE_ENDIAN);
    assertEquals(2, read(window).answer(0).number());
    assertEquals(5, window.position());
  }

  @Test
  void anAnswerAboveTheLimitIsBegunAgain() {
    ResponseEncoder encoder = new ResponseEncoder(1, 20);
    encoder.begin(AnswerStatus.DONE);
    assertThrows(BatchFullException.class, () -> encoder.problem("x".repeat(20)));
    encoder.again(AnswerStatus.DEFERRED).end();
    BatchRequest one = new BatchRequest();
    one.countLinks("likes", 1);
    assertArrayEquals(new int[] {0}, one.response(encoder.toBuffer()).deferred());
  }
}

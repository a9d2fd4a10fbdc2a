package io.bg3.batch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Requests as a client encodes them and as a server decodes them. */
class BatchRequestTest {
  /** Every operation once, with every kind of value. */
  private static void addEverything(BatchOperations request) {
    request.addLink("likes", 1, 2, 3, true, BatchProperties.of(Map.of("v", 1L << 40)));
    request.deleteLink("likes", 1, 2, true);
    request.getLinks("likes", 1, 2, 3);
    request.listLinks("likes", 1, Long.MIN_VALUE, Long.MAX_VALUE, true, 4, 5);
    request.countLinks("likes", 1);
    List<Object> values = List.of(-5, new byte[] {1, -1}, "ü", true, 0.5);
    request.addNode("person", new BatchProperties(List.of("v", "w", "x", "y", "z"), values));
    request.getNode("person", 7);
    request.updateNode("person", 7, BatchProperties.none());
    request.deleteNode("person", 7);
  }

  private static RequestDecoder decoder(byte[] bytes) {
    return new RequestDecoder(ByteBuffer.wrap(bytes), length -> {}, count -> {});
  }

  /** The bytes that docs/provider.md describes. */
  @Test
  void theLayoutIsThatOfThePage() {
    BatchRequest request = new BatchRequest();
    addEverything(request);
    String expected =
        "01 0007 0005 6c696b6573 0001 76 0006 706572736f6e 0001 77 0001 78 0001 79 0001 7a 0009"
            + " 01 0000 0000000000000001 0000000000000002 0000000000000003 01"
            + " 0001 0001 01 0000010000000000"
            + " 02 0000 0000000000000001 0000000000000002 01"
            + " 03 0000 0000000000000001 0002 0000000000000002 0000000000000003"
            + " 04 0000 0000000000000001 8000000000000000 7fffffffffffffff 01 00000004 00000005"
            + " 05 0000 0000000000000001"
            + " 06 0002 0005 0001 02 fffffffb 0003 03 00000002 01ff 0004 04 00000002 c3bc"
            + " 0005 05 01 0006 06 3fe0000000000000"
            + " 07 0002 0000000000000007"
            + " 08 0002 0000000000000007 0000"
            + " 09 0002 0000000000000007";
    assertEquals(expected.replace(" ", ""), HexFormat.of().formatHex(request.toBuffer().array()));
  }

  /** A request is itself a handler of operations, so what it decodes it encodes again. */
  @Test
  void theServerDecodesWhatTheClientEncodes() {
    BatchRequest sent = new BatchRequest();
    addEverything(sent);
    BatchRequest received = new BatchRequest();
    RequestDecoder decoder = decoder(sent.toBuffer().array());
    decoder.read(received);
    assertArrayEquals(sent.toBuffer().array(), received.toBuffer().array());
    assertArrayEquals(new String[] {"likes", "v", "person", "w", "x", "y", "z"}, decoder.texts());
  }

  @Test
  void everyPartOfARequestIsRefused() {
    BatchRequest request = new BatchRequest();
    addEverything(request);
    byte[] whole = request.toBuffer().array();
    for (int length = 0; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThrows(IllegalArgumentException.class, () -> decoder(part).read(new BatchRequest()));
    }
  }

  @Test
  void theServerSetsTheLimitsOfTextsAndOperations() {
    BatchRequest request = new BatchRequest();
    request.countLinks("likes", 1);
    ByteBuffer bytes = request.toBuffer();
    int[] seen = new int[2];
    new RequestDecoder(bytes, length -> seen[0] = length, count -> seen[1] = count)
        .read(new BatchRequest());
    assertArrayEquals(new int[] {5, 1}, seen);
  }

  @Test
  void theServiceIsTheOneForReadersUnlessAnOperationWrites() {
    BatchRequest request = new BatchRequest();
    request.countLinks("likes", 1);
    request.getNode("person", 1);
    assertEquals("bg3.batch.read", request.service());
    request.deleteNode("person", 1);
    assertEquals("bg3.batch", request.service());
    assertTrue(request.writes());
    assertFalse(request.only(0, 1).writes());
    assertEquals(Set.of("operations"), request.parameters().keySet());
  }

  @Test
  void requestsThatShareTheirTextsCanBeJoinedAndDivided() {
    BatchTexts texts = new BatchTexts();
    BatchRequest first = new BatchRequest(texts);
    first.countLinks("likes", 1);
    BatchRequest second = new BatchRequest(texts);
    second.getNode("person", 2);
    second.getLinks("likes", 3, 4);
    first.addAll(second);
    assertEquals(3, first.size());
    assertEquals(second.toBuffer(), first.only(1, 2).toBuffer());
    BatchRequest stranger = new BatchRequest();
    stranger.countLinks("likes", 1);
    assertThrows(IllegalArgumentException.class, () -> first.addAll(stranger));
    assertThrows(IndexOutOfBoundsException.class, () -> first.only(3));
  }

  @Test
  void whatCannotBeEncodedLeavesTheRequestAsItWas() {
    BatchRequest request = new BatchRequest();
    request.countLinks("likes", 1);
    int bytes = request.bytes();
    BatchProperties strange = BatchProperties.of(Map.of("v", 1.5f));
    assertMessage("class=Float", () -> request.addNode("person", strange));
    assertMessage("most=65535", () -> request.getLinks("likes", 1, new long[65_536]));
    String longer = "x".repeat(BatchTexts.MAX_BYTES + 1);
    assertMessage("bytes=1025, most=1024", () -> request.countLinks(longer, 1));
    assertEquals(1, request.size());
    assertEquals(bytes, request.bytes());
    while (request.size() < BatchRequest.MAX_OPERATIONS) {
      request.countLinks("likes", 1);
    }
    assertMessage("too many operations", () -> request.countLinks("likes", 1));
  }

  private static void assertMessage(String part, Runnable call) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call::run);
    assertTrue(e.getMessage().contains(part), e.getMessage());
  }

  /** Threads that add the same texts get the same numbers, and read each other's. */
  @Test
  void textsAreSharedByThreads() {
    BatchTexts texts = new BatchTexts();
    Map<String, Integer> seen = new ConcurrentHashMap<>();
    IntStream.range(0, 4_000)
        .parallel()
        .forEach(
            i -> {
              String text = "text " + i % 500;
              int number = texts.number(text);
              assertEquals(text, texts.text(number));
              Integer other = seen.putIfAbsent(text, number);
              assertEquals(other == null ? number : other, number);
            });
    assertEquals(500, Set.copyOf(seen.values()).size());
    assertEquals(500, ByteBuffer.wrap(texts.encoded()).getShort());
  }
}

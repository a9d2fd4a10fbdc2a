package io.bg3.server.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.server.guard.Messages;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.junit.jupiter.api.Test;

/** Looks at messages as drivers send them, and at what is none. */
class RawMessageTest {
  private static final String SASL =
      Base64.getEncoder().encodeToString("\0ada\0p:w".getBytes(StandardCharsets.UTF_8));
  private static final String ID = "5104bda7-0000-4000-8000-00000000002a";

  @Test
  void findsALoginInEachFormat() {
    Map<String, Object> arguments = Map.of(Tokens.ARGS_SASL, SASL);
    for (WebSocketFrame frame : frames(Tokens.OPS_AUTHENTICATION, arguments)) {
      RawMessage message = RawMessage.of(frame);
      assertTrue(message.isLogin());
      assertEquals(ID, message.id().toString());
      Credentials credentials = RawMessage.credentials(frame).orElseThrow();
      assertEquals("ada", credentials.name());
      assertEquals("p:w", new String(credentials.password(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void readsTheMechanism() {
    for (String mechanism : List.of("PLAIN", "", "GSSAPI")) {
      Map<String, Object> arguments = new HashMap<>();
      arguments.put(Tokens.ARGS_SASL_MECHANISM, mechanism);
      arguments.put(Tokens.ARGS_SASL, SASL);
      for (WebSocketFrame frame : frames(Tokens.OPS_AUTHENTICATION, arguments)) {
        assertEquals(!mechanism.equals("GSSAPI"), RawMessage.credentials(frame).isPresent());
      }
    }
  }

  @Test
  void aRequestIsNoLogin() {
    for (WebSocketFrame frame : frames(Tokens.OPS_EVAL, Map.of(Tokens.ARGS_GREMLIN, "g.V()"))) {
      RawMessage message = RawMessage.of(frame);
      assertFalse(message.isLogin());
      assertEquals(ID, message.id().toString());
      assertEquals(Optional.empty(), RawMessage.credentials(frame).map(Credentials::name));
    }
  }

  @Test
  void theFieldsOfGraphSonComeInAnyOrder() {
    for (String text :
        List.of(
            "{\"args\":{\"x\":[{\"op\":\"eval\"}],\"sasl\":\"%s\"},\"op\":\"authentication\","
                + "\"requestId\":\"%s\"}",
            "{\"args\":{\"@type\":\"g:Map\",\"@value\":[\"saslMechanism\",\"PLAIN\",\"sasl\",\"%s\"]},"
                + "\"op\":\"authentication\",\"requestId\":{\"@type\":\"g:UUID\",\"@value\":\"%s\"}}")) {
      WebSocketFrame frame = new TextWebSocketFrame(text.formatted(SASL, ID));
      RawMessage message = RawMessage.of(frame);
      assertTrue(message.isLogin(), text);
      assertEquals(ID, message.id().toString());
      assertEquals("ada", RawMessage.credentials(frame).orElseThrow().name());
    }
  }

  @Test
  void aLargeMessageIsLookedAtNoFurtherThanALoginIsLong() {
    String large = "{\"requestId\":\"" + ID + "\",\"args\":{\"gremlin\":\"" + "x".repeat(1 << 20);
    RawMessage message = RawMessage.of(new TextWebSocketFrame(large + "\"},\"op\":\"eval\"}"));
    assertEquals(ID, message.id().toString());
    assertFalse(message.isLogin());
    WebSocketFrame login =
        new TextWebSocketFrame(
            "{\"op\":\"authentication\",\"args\":{\"sasl\":\""
                + SASL
                + "\",\"x\":\""
                + "x".repeat(10_000)
                + "\"}}");
    assertTrue(RawMessage.of(login).isLogin());
    assertTrue(RawMessage.credentials(login).isEmpty());
  }

  @Test
  void whatIsNoMessageHasNoIdAndNoOperation() {
    Random random = new Random(7);
    for (WebSocketFrame whole : frames(Tokens.OPS_AUTHENTICATION, Map.of(Tokens.ARGS_SASL, SASL))) {
      byte[] bytes = new byte[whole.content().readableBytes()];
      whole.content().getBytes(0, bytes);
      for (int i = 0; i < 20_000; i++) {
        byte[] changed = bytes.clone();
        for (int change = 1 + random.nextInt(3); change > 0; change--) {
          changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
        }
        int length = random.nextInt(4) == 0 ? random.nextInt(changed.length) : changed.length;
        WebSocketFrame frame = new BinaryWebSocketFrame(Unpooled.wrappedBuffer(changed, 0, length));
        RawMessage.of(frame);
        RawMessage.credentials(frame);
      }
    }
    RawMessage nothing = RawMessage.of(new BinaryWebSocketFrame());
    assertEquals(RawMessage.UNKNOWN, nothing.id());
    assertFalse(nothing.isLogin());
    assertEquals("", nothing.format());
  }

  private static List<WebSocketFrame> frames(String operation, Map<String, Object> arguments) {
    RequestMessage.Builder builder =
        RequestMessage.build(operation).overrideRequestId(UUID.fromString(ID));
    arguments.forEach(builder::addArg);
    RequestMessage request = builder.create();
    byte[] json = Messages.json(request);
    byte[] name = "application/vnd.gremlin-v3.0+json".getBytes(StandardCharsets.UTF_8);
    return List.of(
        new BinaryWebSocketFrame(Unpooled.wrappedBuffer(Messages.binary(request))),
        new TextWebSocketFrame(new String(json, StandardCharsets.UTF_8)),
        new BinaryWebSocketFrame(
            Unpooled.wrappedBuffer(new byte[] {(byte) name.length}, name, json)));
  }
}

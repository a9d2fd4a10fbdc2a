package io.bg3.server.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pings before and after the login. */
class PingLimitTest {
  private final EmbeddedChannel channel = new EmbeddedChannel(new PingLimit());

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  @Test
  void manyPingsBeforeTheLoginEndTheConnection() {
    for (int i = 0; i < PingLimit.PINGS; i++) {
      channel.writeInbound(i % 2 == 0 ? new PingWebSocketFrame() : new PongWebSocketFrame());
    }
    assertTrue(channel.isOpen());
    assertEquals(PingLimit.PINGS, channel.inboundMessages().size());
    channel.writeInbound(new PingWebSocketFrame());
    assertFalse(channel.isOpen());
    assertEquals(PingLimit.PINGS, channel.inboundMessages().size());
  }

  @Test
  void aUserMayPing() {
    channel.attr(StateKey.AUTHENTICATED_USER).set(new Account("ada", Role.WRITER));
    for (int i = 0; i < 100; i++) {
      channel.writeInbound(new PingWebSocketFrame());
    }
    assertTrue(channel.isOpen());
    assertEquals(100, channel.inboundMessages().size());
    assertNull(channel.pipeline().get(PingLimit.class));
  }
}

package io.bg3.server.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Negotiates compression, and looks when frames are compressed. */
class LateCompressionTest {
  private static final int COMPRESSED = 4; // the bit of a frame that says so

  private final EmbeddedChannel channel = new EmbeddedChannel();

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  @Test
  void onlyAnswersAfterTheLoginAreCompressed() {
    channel.pipeline().addLast(new LateCompression(channel, 1 << 20));
    FullHttpRequest request =
        new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/gremlin");
    request
        .headers()
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE)
        .set(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET)
        .set(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS, "permessage-deflate");
    channel.writeInbound(request);
    FullHttpResponse response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS);
    response
        .headers()
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE)
        .set(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET);
    channel.writeOutbound(response);
    FullHttpResponse sent = channel.readOutbound();
    assertTrue(
        sent.headers()
            .get(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS)
            .contains("permessage-deflate"));
    sent.release();
    assertEquals(0, bits());
    channel.attr(StateKey.AUTHENTICATED_USER).set(new Account("ada", Role.WRITER));
    assertEquals(COMPRESSED, bits());
  }

  private int bits() {
    channel.writeOutbound(new TextWebSocketFrame(true, 0, Unpooled.buffer().writeZero(1_000)));
    WebSocketFrame frame = channel.readOutbound();
    int bits = frame.rsv() & COMPRESSED;
    frame.release();
    return bits;
  }
}

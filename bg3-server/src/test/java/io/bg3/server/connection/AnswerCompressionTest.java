package io.bg3.server.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Negotiates each kind of compression, and looks which answers are compressed. */
class AnswerCompressionTest {
  private static final int COMPRESSED = 4; // the bit of a frame that says so

  private final EmbeddedChannel channel = new EmbeddedChannel();

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  @ParameterizedTest
  @ValueSource(strings = {"permessage-deflate", "x-webkit-deflate-frame"})
  void answersOfMiddleSizeAreCompressed(String kind) {
    negotiate(kind, new AnswerCompression(1 << 20));
    requireBounds();
  }

  @ParameterizedTest
  @ValueSource(strings = {"permessage-deflate", "x-webkit-deflate-frame"})
  void nothingIsCompressedBeforeTheConnectionMayAndTheBoundsHoldBehindIt(String kind) {
    AtomicBoolean hasLogin = new AtomicBoolean();
    negotiate(kind, new AnswerCompression(1 << 20, hasLogin::get));
    assertFalse(isCompressed(AnswerCompression.SMALLEST));
    assertFalse(isCompressed(AnswerCompression.LARGEST));
    hasLogin.set(true);
    requireBounds();
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, Accept, false",
    "::1, Accept, false",
    "127.0.0.1, X-Forwarded-For, true",
    "::1, Via, true",
    "192.0.2.1, Accept, true"
  })
  void aClientOnTheSameHostGetsNone(String address, String header, boolean isCompressed)
      throws UnknownHostException {
    SocketAddress remote = new InetSocketAddress(InetAddress.getByName(address), 1);
    EmbeddedChannel from =
        new EmbeddedChannel() {
          @Override
          protected SocketAddress remoteAddress0() {
            return remote;
          }
        };
    from.pipeline().addLast(new AnswerCompression(1 << 20));
    from.writeInbound(upgrade("permessage-deflate", header));
    from.writeOutbound(accepted());
    FullHttpResponse sent = from.readOutbound();
    assertEquals(isCompressed, sent.headers().contains(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS));
    sent.release();
    from.writeOutbound(new BinaryWebSocketFrame(Unpooled.buffer(4_096).writeZero(4_096)));
    WebSocketFrame frame = from.readOutbound();
    assertEquals(isCompressed, (frame.rsv() & COMPRESSED) != 0);
    frame.release();
    from.finishAndReleaseAll();
  }

  private void requireBounds() {
    assertFalse(isCompressed(1));
    assertFalse(isCompressed(AnswerCompression.SMALLEST - 1));
    assertTrue(isCompressed(AnswerCompression.SMALLEST));
    assertTrue(isCompressed(AnswerCompression.LARGEST));
    assertFalse(isCompressed(AnswerCompression.LARGEST + 1));
    assertTrue(isCompressed(AnswerCompression.SMALLEST), "frames are compressed behind others");
  }

  private void negotiate(String kind, AnswerCompression compression) {
    channel.pipeline().addLast(compression);
    channel.writeInbound(upgrade(kind, "Accept"));
    channel.writeOutbound(accepted());
    FullHttpResponse sent = channel.readOutbound();
    assertEquals(kind, sent.headers().get(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS));
    sent.release();
  }

  private static FullHttpRequest upgrade(String kind, String header) {
    FullHttpRequest request =
        new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/gremlin");
    request
        .headers()
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE)
        .set(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET)
        .set(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS, kind)
        .set(header, "192.0.2.7");
    return request;
  }

  private static FullHttpResponse accepted() {
    FullHttpResponse response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS);
    response
        .headers()
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE)
        .set(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET);
    return response;
  }

  private boolean isCompressed(int bytes) {
    channel.writeOutbound(
        new BinaryWebSocketFrame(true, 0, Unpooled.buffer(bytes).writeZero(bytes)));
    WebSocketFrame frame = channel.readOutbound();
    boolean is = (frame.rsv() & COMPRESSED) != 0;
    assertEquals(is, frame.content().readableBytes() != bytes);
    frame.release();
    return is;
  }
}

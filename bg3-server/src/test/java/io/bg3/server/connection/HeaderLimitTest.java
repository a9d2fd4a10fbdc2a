package io.bg3.server.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sends requests with few and with many headers to a decoder. */
class HeaderLimitTest {
  private final EmbeddedChannel channel =
      new EmbeddedChannel(new HttpServerCodec(HeaderLimit.config(1_000, 8_192, 8_192)));

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  @Test
  void aRequestHasAHundredHeaders() {
    send("GET / HTTP/1.1\r\n" + "a:\r\n".repeat(HeaderLimit.HEADERS) + "\r\n");
    HttpRequest request = channel.readInbound();
    assertTrue(request.decoderResult().isSuccess());
    assertEquals(HeaderLimit.HEADERS, request.headers().size());
  }

  @Test
  void aRequestWithMoreHeadersIsInvalidBeforeItIsWhole() {
    send("GET / HTTP/1.1\r\n" + "a:\r\n".repeat(4_000));
    HttpRequest request = channel.readInbound();
    assertTrue(request.decoderResult().isFailure());
    assertTrue(request.headers().size() <= HeaderLimit.HEADERS);
  }

  @Test
  void aBodyHasNoMoreTrailers() {
    send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + "a:\r\n".repeat(4_000));
    HttpObject last = channel.readInbound();
    while (!channel.inboundMessages().isEmpty()) {
      ReferenceCountUtil.release(last);
      last = channel.readInbound();
    }
    assertTrue(last instanceof LastHttpContent && last.decoderResult().isFailure(), "" + last);
  }

  private void send(String text) {
    channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
  }
}

package io.bg3.server.access;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.util.UUID;

/** An error response, with the request id and message that {@link HttpRefusals} logs. */
final class HttpRefused extends DefaultFullHttpResponse {
  private final UUID request;
  private final String message;

  HttpRefused(HttpResponseStatus status, ByteBuf body, UUID request, String message) {
    super(HttpVersion.HTTP_1_1, status, body);
    this.request = request;
    this.message = message;
  }

  UUID request() {
    return request;
  }

  String message() {
    return message;
  }
}

package io.bg3.server.access;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.util.UUID;
import org.apache.tinkerpop.shaded.jackson.databind.ObjectMapper;
import org.apache.tinkerpop.shaded.jackson.databind.node.ObjectNode;

/**
 * Builds and sends HTTP responses that are not query results: errors and health checks, as JSON.
 */
@SuppressWarnings("FutureReturnValueIgnored") // no caller waits until a response is sent
public final class HttpAnswer {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The request id in responses to requests whose id is not known. */
  private static final UUID UNKNOWN = new UUID(0, 0);

  private HttpAnswer() {}

  /** Sends an error and closes the connection, because the client may send more such requests. */
  public static void refuse(
      ChannelHandlerContext context, HttpResponseStatus status, String message) {
    refuse(context, status, UNKNOWN, message);
  }

  /** Sends an error for a request whose id is known, and closes the connection. */
  public static void refuse(
      ChannelHandlerContext context, HttpResponseStatus status, UUID request, String message) {
    context
        .writeAndFlush(error(context, status, request, message))
        .addListener(ChannelFutureListener.CLOSE);
  }

  /** Builds an error response without sending it. */
  public static FullHttpResponse error(
      ChannelHandlerContext context, HttpResponseStatus status, String message) {
    return error(context, status, UNKNOWN, message);
  }

  /**
   * Builds an error response without sending it. The body has the request id, the message, and the
   * status object that drivers read.
   *
   * @param request the id of the request
   */
  public static FullHttpResponse error(
      ChannelHandlerContext context, HttpResponseStatus status, UUID request, String message) {
    ObjectNode node = JSON.createObjectNode();
    node.put("requestId", request.toString()).put("message", message);
    node.putObject("status").put("code", status.code()).put("message", message);
    ByteBuf body = ByteBufUtil.writeUtf8(context.alloc(), node + "\n");
    FullHttpResponse response = new HttpRefused(status, body, request, message);
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, "application/json; charset=utf-8");
    harden(response.headers());
    HttpUtil.setContentLength(response, body.readableBytes());
    response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    return response;
  }

  /** Responds to a health check: 200 if the server accepts requests, otherwise 503. */
  public static void health(ChannelHandlerContext context, Readiness readiness) {
    boolean ready = readiness.isReady();
    ByteBuf body =
        ByteBufUtil.writeUtf8(
            context.alloc(), "{\"status\":\"" + (ready ? "ready" : "not ready") + "\"}\n");
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            ready ? HttpResponseStatus.OK : HttpResponseStatus.SERVICE_UNAVAILABLE,
            body);
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, "application/json; charset=utf-8");
    harden(response.headers());
    HttpUtil.setContentLength(response, body.readableBytes());
    context.writeAndFlush(response);
  }

  /** Sets the headers that restrict a browser to displaying the response. */
  public static void harden(HttpHeaders headers) {
    headers.set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE);
    headers.set(
        HttpHeaderNames.CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("X-Content-Type-Options", "nosniff");
  }
}

package io.bg3.server.http;

import io.bg3.server.access.BrowserRules;
import io.bg3.server.access.HttpAnswer;
import io.bg3.server.access.Readiness;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Serves the metrics in the text format of Prometheus, and health checks. An instance belongs to
 * one connection and runs on its event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // no caller waits until a response is sent
final class MetricsHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
  static final String PATH = "/metrics";

  private final BrowserRules rules;
  private final Readiness readiness;
  private final Supplier<String> figures;

  MetricsHandler(BrowserRules rules, Readiness readiness, Supplier<String> figures) {
    this.rules = rules;
    this.readiness = readiness;
    this.figures = figures;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
    Optional<String> problem = rules.problem(request.headers());
    if (problem.isPresent()) {
      HttpAnswer.refuse(context, HttpResponseStatus.FORBIDDEN, problem.get());
    } else if (HttpAccessHandler.isHealthCheck(request)) {
      HttpAnswer.health(context, readiness);
    } else if (!request.method().equals(HttpMethod.GET)
        || request.decoderResult().isFailure()
        || !new QueryStringDecoder(request.uri()).rawPath().equals(PATH)) {
      HttpAnswer.refuse(
          context,
          HttpResponseStatus.NOT_FOUND,
          "metrics are at " + PATH + ", health is at " + HttpAccessHandler.HEALTH);
    } else {
      ByteBuf body = ByteBufUtil.writeUtf8(context.alloc(), figures.get());
      FullHttpResponse response =
          new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body);
      response
          .headers()
          .set(HttpHeaderNames.CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8");
      HttpAnswer.harden(response.headers());
      HttpUtil.setContentLength(response, body.readableBytes());
      context.writeAndFlush(response);
    }
  }
}

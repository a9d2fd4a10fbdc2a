package io.bg3.server.access;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.ReferenceCountUtil;
import java.util.Optional;

/**
 * Looks at the request that wants to become a WebSocket: the {@link BrowserRules} hold for it, and
 * a request for something else is answered with the place where it is.
 *
 * <p>Threads: shared by all connections, without state of its own.
 */
@Sharable
final class HandshakeHandler extends ChannelInboundHandlerAdapter {
  private final BrowserRules rules;

  HandshakeHandler(BrowserRules rules) {
    this.rules = rules;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof FullHttpRequest request)) {
      context.fireChannelRead(message);
      return;
    }
    Optional<String> problem = rules.problem(request.headers());
    if (request.decoderResult().isFailure()) {
      HttpAnswer.refuse(context, HttpResponseStatus.BAD_REQUEST, "not a request of HTTP/1.1");
    } else if (problem.isPresent()) {
      HttpAnswer.refuse(context, HttpResponseStatus.FORBIDDEN, problem.get());
    } else if (!request
        .headers()
        .containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true)) {
      HttpAnswer.refuse(
          context,
          HttpResponseStatus.UPGRADE_REQUIRED,
          "here are WebSockets for Gremlin drivers; plain HTTP has a port of its own, --http-port");
    } else {
      context.fireChannelRead(message);
      return;
    }
    ReferenceCountUtil.release(message);
  }
}

package io.bg3.server.connection;

import io.bg3.server.answer.Answers;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection that does not complete the WebSocket handshake before a deadline. An idle
 * timeout is not enough: a client that sends a byte now and then is never idle.
 *
 * <p>Threads: the event loop of the connection; each connection has an instance of its own.
 */
public final class HandshakeDeadline extends ChannelInboundHandlerAdapter {
  private final long millis;
  private ScheduledFuture<?> end;

  public HandshakeDeadline(long millis) {
    this.millis = millis;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    end =
        context
            .executor()
            .schedule(() -> Answers.close(context.channel()), millis, TimeUnit.MILLISECONDS);
    context.channel().closeFuture().addListener(closed -> end.cancel(false));
    context.fireChannelActive();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    context.fireUserEventTriggered(event);
    if (event instanceof WebSocketServerProtocolHandler.HandshakeComplete) {
      end.cancel(false);
    }
  }
}

package io.bg3.server.access;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.util.ReferenceCountUtil;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;

/**
 * Closes a WebSocket that sends more than {@value #PINGS} pings or pongs before its login: the
 * server answers each ping, and a client with a purpose has sent its first request by then. Goes
 * away when the connection has logged in.
 *
 * <p>Threads: one instance a connection, in its event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // nobody waits for a connection to be closed
final class PingLimit extends ChannelInboundHandlerAdapter {
  static final int PINGS = 10;

  private int pings;

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (context.channel().attr(StateKey.AUTHENTICATED_USER).get() != null) {
      context.fireChannelRead(message);
      context.pipeline().remove(this);
    } else if ((message instanceof PingWebSocketFrame || message instanceof PongWebSocketFrame)
        && ++pings > PINGS) {
      ReferenceCountUtil.release(message);
      context.close();
    } else {
      context.fireChannelRead(message);
    }
  }
}

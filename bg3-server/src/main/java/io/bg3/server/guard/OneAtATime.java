package io.bg3.server.guard;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Stops reading from a connection that has sent a request, until {@link AuthorizationGate} has
 * judged it. What was read already goes on: at most what one read holds.
 */
@Sharable
final class OneAtATime extends ChannelInboundHandlerAdapter {
  static final OneAtATime HANDLER = new OneAtATime();

  private OneAtATime() {}

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    context.channel().config().setAutoRead(false);
    context.fireChannelRead(message);
  }
}

package io.bg3.server.guard;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the connections and closes those that are too many. Shared by all of them. */
@Sharable
public final class ConnectionGate extends ChannelInboundHandlerAdapter {
  private final AtomicInteger open = new AtomicInteger();
  private final int limit;

  /** For all connections of an endpoint. */
  public ConnectionGate(Limits limits) {
    this.limit = limits.connections();
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    context.channel().closeFuture().addListener(closed -> open.decrementAndGet());
    if (open.incrementAndGet() > limit) {
      Answers.close(context.channel());
    } else {
      context.fireChannelActive();
    }
  }
}

package io.bg3.server.guard;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the connections and closes those that are too many, and all new ones while the server
 * stops. Shared by all of them.
 */
@Sharable
public final class ConnectionGate extends ChannelInboundHandlerAdapter {
  private final AtomicInteger open = new AtomicInteger();
  private final int limit;
  private final Intake intake;

  /** For all connections of an endpoint. */
  public ConnectionGate(Limits limits, Intake intake) {
    this.limit = limits.connections();
    this.intake = intake;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    context.channel().closeFuture().addListener(closed -> open.decrementAndGet());
    boolean taken = intake.take(context.channel());
    if (open.incrementAndGet() > limit || !taken) {
      Answers.close(context.channel());
    } else {
      context.fireChannelActive();
    }
  }
}

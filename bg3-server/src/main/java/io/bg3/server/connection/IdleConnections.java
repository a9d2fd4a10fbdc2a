package io.bg3.server.connection;

import io.bg3.server.answer.Answers;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;

/** Closes connections that have been silent for too long. Shared by all connections. */
@Sharable
public final class IdleConnections extends ChannelInboundHandlerAdapter {
  public static final IdleConnections HANDLER = new IdleConnections();

  private IdleConnections() {}

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof IdleStateEvent idle && idle.state() == IdleState.READER_IDLE) {
      Answers.close(context.channel());
    } else {
      context.fireUserEventTriggered(event);
    }
  }
}

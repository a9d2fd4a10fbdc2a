package io.bg3.server.access;

import io.bg3.server.metrics.ServerMeters;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;

/**
 * Counts the answers that are no results. Stands where they are written out, so that it sees those
 * of every handler. Threads: shared by all connections, without state of its own.
 */
@Sharable
@SuppressWarnings("FutureReturnValueIgnored") // nobody waits for an answer to be sent
public final class AnswerCounter extends ChannelOutboundHandlerAdapter {
  private final ServerMeters meters;

  /** Counts in these figures. */
  public AnswerCounter(ServerMeters meters) {
    this.meters = meters;
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof ResponseMessage response) {
      meters.answered(response.getStatus().getCode());
    }
    context.write(message, promise);
  }
}

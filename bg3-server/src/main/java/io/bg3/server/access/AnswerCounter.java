package io.bg3.server.access;

import io.bg3.server.metrics.ServerMeters;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;

/**
 * Counts the responses that refuse a request or report an error, by status code. It stands where
 * the pipeline writes responses out, so it sees the responses of every handler.
 *
 * <p>Threads: any; all connections share one instance, which has no state of its own.
 */
@Sharable
@SuppressWarnings("FutureReturnValueIgnored") // no caller waits until a response is sent
public final class AnswerCounter extends ChannelOutboundHandlerAdapter {
  private final ServerMeters meters;

  /** Creates a handler that counts in these metrics. */
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

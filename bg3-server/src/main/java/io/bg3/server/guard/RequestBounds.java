package io.bg3.server.guard;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * Brings what a request asks for within what the server gives: its time into (0, limit], its
 * language to gremlin-lang.
 *
 * <p>Stands behind the deserialiser and ahead of the {@link Guard}. A request without a time keeps
 * none: the server's own applies. Threads: shared by all connections, without state.
 */
@Sharable
public final class RequestBounds extends ChannelInboundHandlerAdapter {
  private final long limitMillis;

  /** For all connections of a server. */
  public RequestBounds(Limits limits) {
    this.limitMillis = limits.evaluationMillis();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    context.fireChannelRead(message instanceof RequestMessage request ? bounded(request) : message);
  }

  RequestMessage bounded(RequestMessage request) {
    Object asked = request.getArgs().get(Tokens.ARGS_EVAL_TIMEOUT);
    boolean evaluates = Tokens.OPS_EVAL.equals(request.getOp());
    if (asked == null && !evaluates) {
      return request;
    }
    RequestMessage.Builder bounded = RequestMessage.from(request);
    if (asked != null) {
      bounded.addArg(Tokens.ARGS_EVAL_TIMEOUT, bounded(asked));
    }
    if (evaluates) {
      bounded.addArg(Tokens.ARGS_LANGUAGE, "gremlin-lang");
    }
    return bounded.create();
  }

  /** Zero and less mean "no limit" to Gremlin Server; here they mean the server's. */
  private long bounded(Object asked) {
    long millis = asked instanceof Number number ? number.longValue() : limitMillis;
    return millis <= 0 || millis > limitMillis ? limitMillis : millis;
  }
}

package io.bg3.server.guard;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * Hands requests of sessions to them by way of their {@link Lease}, which lets only so many
 * sessions live, each only so long and with only so many requests waiting, and tells a client that
 * its session has ended.
 *
 * <p>Threads: shared by all connections, without state of its own.
 */
@Sharable
final class SessionGate extends ChannelInboundHandlerAdapter {
  /** The processor that requests in sessions name. */
  static final String PROCESSOR = "session";

  private final Sessions sessions;

  SessionGate(Sessions sessions) {
    this.sessions = sessions;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof RequestMessage request
        && request.getProcessor().equals(PROCESSOR)
        && !request.getOp().equals(Tokens.OPS_CLOSE)
        && request.getArgs().get(Tokens.ARGS_SESSION) instanceof String name) {
      if (!context.channel().isActive()) {
        return; // its session is gone with the connection, and no other may begin in its name
      }
      try {
        sessions.lease(name, context).pass(request, () -> pass(context, message));
      } catch (Refusal e) {
        Answers.refuse(context, request, e);
      }
    } else {
      pass(context, message);
    }
  }

  /**
   * Has a request begun. Gremlin Server notes its session with the connection and has every answer
   * that is not yet in bytes written by the session's thread, for which the connection's waits; the
   * answer may be another request's, and the session's thread busy for long. Answers that hold
   * something of the graph are in bytes by then.
   */
  private static void pass(ChannelHandlerContext context, Object message) {
    context.fireChannelRead(message);
    context.channel().attr(StateKey.SESSION).set(null);
  }
}

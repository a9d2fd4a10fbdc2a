package io.bg3.server.guard;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.apache.tinkerpop.gremlin.server.op.session.Session;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * Lets only so many sessions live, each only so long and with only so many requests waiting, and
 * tells a client that its session has ended: Gremlin Server begins another under the same name, in
 * which the rest of a transaction would be committed without its beginning.
 *
 * <ul>
 *   <li>A session that stands idle is rolled back and closed by Gremlin Server.
 *   <li>One that is over its age, and one whose connection goes, is interrupted and closed; the
 *       provider rolls back the transaction of the thread that ended.
 * </ul>
 *
 * <p>Threads: shared by all connections. A lease is made, used and given back by the thread of its
 * connection; those of sessions that have ended are taken back when there is no room for another.
 */
@Sharable
final class SessionGate extends ChannelInboundHandlerAdapter {
  private final Limits limits;
  private final ScheduledExecutorService timer;
  private final Map<String, Lease> leases = new ConcurrentHashMap<>();

  /**
   * @param timer for the ends of sessions
   */
  SessionGate(Limits limits, ScheduledExecutorService timer) {
    this.limits = limits;
    this.timer = timer;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof RequestMessage request
        && request.getProcessor().equals("session")
        && !request.getOp().equals(Tokens.OPS_CLOSE)
        && request.getArgs().get(Tokens.ARGS_SESSION) instanceof String name) {
      try {
        Lease lease = lease(name, context.channel());
        pass(context, message);
        begun(name, lease);
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

  private Lease lease(String name, Channel channel) throws Refusal {
    Lease lease = leases.get(name);
    if (lease == null) {
      return newLease(name, channel);
    } else if (lease.channel() != channel) {
      throw Refusal.forbidden("session belongs to another connection");
    } else if (lease.hasEnded()) {
      leases.remove(name, lease);
      throw Refusal.gone(
          "session has ended: it was idle or open for too long, and its transaction was rolled"
              + " back; begin a new one");
    } else if (!lease.enter(limits.sessionQueue())) {
      throw Refusal.tooMany(
          "too many requests wait in the session: limit=" + limits.sessionQueue());
    }
    return lease;
  }

  private Lease newLease(String name, Channel channel) throws Refusal {
    if (leases.size() >= limits.sessions()) {
      leases.values().removeIf(Lease::hasEnded);
    }
    if (leases.size() >= limits.sessions()) {
      throw Refusal.tooMany("too many sessions are open: limit=" + limits.sessions());
    }
    Lease lease = new Lease(channel);
    if (leases.putIfAbsent(name, lease) != null) {
      throw Refusal.forbidden("session belongs to another connection");
    }
    lease.enter(limits.sessionQueue());
    return lease;
  }

  /** After a request was passed on: it waits in the session's only thread now, if there is one. */
  private void begun(String name, Lease lease) {
    Session session = OpenSessions.find(name);
    if (session == null) {
      leases.remove(name, lease); // it did not come to a session
      return;
    }
    if (lease.begin(session)) {
      lease.channel().closeFuture().addListener(closed -> leases.remove(name, lease));
      var end = timer.schedule(lease::end, limits.sessionLifeMillis(), TimeUnit.MILLISECONDS);
      lease.channel().closeFuture().addListener(closed -> end.cancel(false));
    }
    try {
      session.getExecutor().execute(lease::leave); // behind the request
    } catch (RejectedExecutionException e) {
      lease.leave();
    }
  }
}

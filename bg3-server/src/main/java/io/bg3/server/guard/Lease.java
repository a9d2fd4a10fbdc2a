package io.bg3.server.guard;

import io.netty.channel.Channel;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.tinkerpop.gremlin.server.op.session.Session;

/**
 * The right of a connection to one session, and how many of its requests wait in it.
 *
 * <p>{@code session} is set once, by the thread of the connection, and read by any.
 */
final class Lease {
  private final Channel channel;
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile Session session;

  Lease(Channel channel) {
    this.channel = channel;
  }

  Channel channel() {
    return channel;
  }

  /** Takes a place among the requests that wait; false if all are taken. */
  boolean enter(int limit) {
    if (waiting.get() >= limit) {
      return false;
    }
    waiting.incrementAndGet();
    return true;
  }

  void leave() {
    waiting.decrementAndGet();
  }

  /** Notes the session; true the first time. */
  boolean begin(Session begun) {
    boolean first = session == null;
    if (first) {
      session = begun;
    }
    return first;
  }

  /** Whether there was a session and it takes no more requests. */
  boolean hasEnded() {
    Session begun = session;
    return begun != null && OpenSessions.find(begun.getSessionId()) != begun;
  }

  /**
   * Ends the session, whatever it is doing. Requests that wait behind the one that runs are never
   * answered, so their connection is closed.
   */
  void end() {
    session.manualKill(true);
    if (waiting.get() > 1) {
      Answers.close(channel);
    }
  }
}

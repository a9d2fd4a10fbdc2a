package io.bg3.server.answer;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Tells whether the server accepts requests, and coordinates a graceful stop.
 *
 * <pre>
 *   OPEN       the server accepts connections and requests
 *   FINISHING  it accepts neither; accepted requests run, and sessions may end their transactions
 *   ENDED      it also refuses accepted requests that have not begun to run
 * </pre>
 *
 * <p>Threads: any.
 */
public final class Admission {
  /** The message for a request that the server refuses because it is stopping. */
  public static final String STOPPING =
      "the server is stopping, and the request was not run; repeat it when the server is back";

  private enum State {
    OPEN,
    FINISHING,
    ENDED
  }

  private volatile State state = State.OPEN;

  /** Server sockets that have accepted a connection. */
  private final Set<Channel> listeners = ConcurrentHashMap.newKeySet();

  /** Whether the server accepts connections and requests. */
  public boolean isOpen() {
    return state == State.OPEN;
  }

  /** Stops accepting connections and requests, and closes the server sockets. */
  public void close() {
    state = State.FINISHING;
    listeners.forEach(Answers::close);
  }

  /** Closes a connection after the responses written so far have been sent. */
  public static void closeAfterAnswers(Channel connection) {
    Answers.closeAfterAnswers(connection);
  }

  /** Refuses accepted requests that have not begun: {@link #requireRunning} throws from now on. */
  public void end() {
    state = State.ENDED;
  }

  /**
   * Called by a worker thread before it runs a request.
   *
   * @throws ServerStoppingException after {@link #end}
   */
  public void requireRunning() {
    if (state == State.ENDED) {
      throw new ServerStoppingException(STOPPING);
    }
  }

  /** Whether the server accepts a new connection; records its server socket for {@link #close}. */
  public boolean take(Channel connection) {
    Channel listener = connection.parent();
    if (listener != null) { // null for an embedded channel
      listeners.add(listener);
    }
    if (isOpen()) {
      return true;
    }
    listeners.forEach(Answers::close); // close() may have run before this listener was recorded
    return false;
  }

  /** The threads of the server sockets that have accepted a connection. */
  public Set<EventLoopGroup> acceptors() {
    return listeners.stream()
        .map(listener -> listener.eventLoop().parent())
        .collect(Collectors.toSet());
  }
}

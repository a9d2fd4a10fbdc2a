package io.bg3.server.guard;

import io.netty.channel.Channel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Whether the server takes requests. It does until it is told to stop; then it finishes what it has
 * taken, and after the grace it runs nothing more.
 *
 * <pre>
 *   OPEN       connections and requests are taken
 *   FINISHING  neither is; requests that were taken run, and sessions may end their transactions
 *   ENDED      a request that was taken and has not begun to run is refused
 * </pre>
 *
 * <p>Threads: any.
 */
public final class Intake {
  /** Message for a request that the server refuses because it stops. */
  public static final String STOPPING =
      "the server is stopping, and the request was not run; repeat it when the server is back";

  private enum State {
    OPEN,
    FINISHING,
    ENDED
  }

  private volatile State state = State.OPEN;
  private final Set<Channel> listeners = ConcurrentHashMap.newKeySet(); // once one was used

  /** Whether connections and requests are taken. */
  public boolean isOpen() {
    return state == State.OPEN;
  }

  /** Takes no more connections and requests. */
  public void close() {
    state = State.FINISHING;
    listeners.forEach(Answers::close);
  }

  /** Closes a connection when the answers that were written to it have been sent. */
  public static void closeAfterAnswers(Channel connection) {
    Answers.closeAfterAnswers(connection);
  }

  /** From now on {@link #requireRunning} throws. */
  public void end() {
    state = State.ENDED;
  }

  /**
   * Called by a thread that begins to run a request.
   *
   * @throws ServerStoppingException if it is too late for that
   */
  public void requireRunning() {
    if (state == State.ENDED) {
      throw new ServerStoppingException(STOPPING);
    }
  }

  /** Whether a new connection is taken; one that is not also shows which socket to close. */
  boolean take(Channel connection) {
    Channel listener = connection.parent();
    if (listener != null) { // null in a channel without a socket
      listeners.add(listener);
    }
    if (isOpen()) {
      return true;
    }
    listeners.forEach(Answers::close); // close() may have run before this one was known
    return false;
  }
}

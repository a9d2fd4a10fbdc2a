package io.bg3.server.guard;

import io.netty.channel.Channel;

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
  /** What a client is told whose request is not run any more. */
  public static final String STOPPING =
      "the server is stopping, and the request was not run; repeat it when the server is back";

  private enum State {
    OPEN,
    FINISHING,
    ENDED
  }

  private volatile State state = State.OPEN;
  private volatile Channel listener; // the socket that drivers connect to, once one has

  /** Whether connections and requests are taken. */
  public boolean isOpen() {
    return state == State.OPEN;
  }

  /** Takes no more connections and requests. */
  public void close() {
    state = State.FINISHING;
    Channel listening = listener;
    if (listening != null) {
      Answers.close(listening);
    }
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
    listener = connection.parent();
    if (isOpen()) {
      return true;
    }
    Answers.close(connection.parent()); // close() may have run before it was known
    return false;
  }
}

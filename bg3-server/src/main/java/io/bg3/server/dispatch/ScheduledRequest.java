package io.bg3.server.dispatch;

import io.bg3.core.commit.OutcomeUnknownException;
import java.util.Optional;

/**
 * A request that a client has sent, as the scheduler sees it. The scheduler calls exactly one of
 * {@link #run} and {@link #refuse}, once; it calls neither if the client closes its connection
 * before the request begins.
 */
public interface ScheduledRequest {
  /** The number by which people name the request: unique in the process, rising. */
  long number();

  /** Bytes that the request holds while it waits. */
  int bytes();

  /**
   * Whether the request certainly belongs to a session: the thread of the session runs it, so it
   * begins whatever its owner has running. The scheduler's lock is held.
   */
  boolean isInSession();

  /** Runs the request, in a worker thread. */
  void run(RunningRequest running);

  /** Called by the same thread when everything of the request has been run. */
  void ended(RunningRequest running);

  /**
   * Called by the event loop that has run the request, behind {@link #ended}, when it is known what
   * has become of a commit that the loop has not waited for ({@link
   * RunningRequest#isAnsweredLater}).
   *
   * @param failure if it is not known; empty if the commit is durable
   */
  default void acknowledged(RunningRequest running, Optional<OutcomeUnknownException> failure) {
    throw new IllegalStateException("no event loop runs such a request: " + this);
  }

  /**
   * Answers that the request is not run. Called by any thread; must not block.
   *
   * @return whether requests that the client has sent behind this one may begin; false if they
   *     depend on it, as a commit depends on the statements of its transaction
   */
  boolean refuse(Rejection why);

  /**
   * Gives up on a request that does not end although its thread was interrupted: answers the client
   * if nothing has been answered, and closes the connection. The thread may still run. Called by
   * any thread; must not block.
   *
   * @return false if the request commits, so that only the outcome may be answered; then this is
   *     called again
   */
  boolean abandon(RunningRequest running);

  /** The client of this request, for the log. */
  String client();
}

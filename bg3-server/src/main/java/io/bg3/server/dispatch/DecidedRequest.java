package io.bg3.server.dispatch;

import java.util.Optional;

/**
 * A request of which is decided once which of two comes first, the commit or the order to end.
 *
 * <pre>
 *   RUNS --- told to end ---> TOLD       interrupted; a commit is refused from now on
 *    ^'----- commits -------> COMMITS    not interrupted any more; the outcome is the answer,
 *    |                           |       or the query goes on behind it: RUNS or TOLD
 *    '--- has done nothing ------'       in an event loop, which leaves it to a worker then
 *   any of them ------------> ENDED      an interrupt that comes later would hit another request
 * </pre>
 *
 * <p>Threads: any. The state is guarded by this object's monitor.
 */
abstract class DecidedRequest {
  private enum State {
    RUNS,
    TOLD,
    COMMITS,
    ENDED
  }

  private volatile Thread thread; // null until a thread has it
  private volatile boolean hasEnded; // its thread says so, before the scheduler knows
  private State state = State.RUNS;
  private boolean isPassingCommit; // the query goes on behind the commit that is under way
  private boolean hasCommitted;
  private EndReason ending; // null until it is told to end

  /** The thread that runs it; null until there is one. */
  Thread thread() {
    return thread;
  }

  /** Whether the thread has done all that it does for the request. */
  boolean hasEnded() {
    return hasEnded;
  }

  /** Says that the calling thread runs the request. */
  synchronized void begin() {
    thread = Thread.currentThread();
    if (state == State.TOLD) {
      thread.interrupt();
    }
  }

  /** Says that the calling thread runs the request no more. */
  synchronized void end() {
    hasCommitted |= state == State.COMMITS;
    state = State.ENDED;
    boolean unused = Thread.interrupted(); // was meant for this request
    hasEnded = true;
  }

  /**
   * Tells the request to end and interrupts its thread. False if it is too late: it commits, it has
   * ended, or was told before.
   */
  public synchronized boolean tell(EndReason why) {
    if (isPassingCommit && ending == null) {
      ending = why; // and is interrupted behind the commit
      return true;
    }
    if (state != State.RUNS) {
      return false;
    }
    state = State.TOLD;
    ending = why;
    if (thread != null) {
      thread.interrupt();
    }
    return true;
  }

  /** Interrupts the thread once more if the request was told to end and has not. */
  synchronized void tellAgain() {
    if (state == State.TOLD && thread != null) {
      thread.interrupt();
    }
  }

  /**
   * Called by the request's thread right before it commits. False if the request was told to end
   * before: then it must not commit.
   */
  public synchronized boolean commits() {
    if (state == State.RUNS) {
      state = State.COMMITS;
    }
    return state == State.COMMITS;
  }

  /**
   * Called by the request's thread before a commit inside of a query, which may go on behind it.
   * False if the request was told to end before: then it must not commit.
   */
  public synchronized boolean beginsCommit() {
    if (state == State.RUNS) {
      state = State.COMMITS;
      isPassingCommit = true;
    }
    return state == State.COMMITS;
  }

  /** Called by the request's thread after such a commit, whether it has succeeded or not. */
  public synchronized void endsCommit() {
    hasCommitted = true;
    if (isPassingCommit) {
      goesOn();
    }
  }

  /**
   * Called by the request's thread after a commit of which nothing has happened: it may be told to
   * end again. Does nothing if something else of the request may be durable.
   */
  synchronized void givesUpCommit() {
    if (state == State.COMMITS && !hasCommitted) {
      goesOn();
    }
  }

  /** Behind a commit: the request may be told to end again, or was told meanwhile. */
  private void goesOn() {
    isPassingCommit = false;
    state = ending == null ? State.RUNS : State.TOLD;
    tellAgain();
  }

  /**
   * Called by the request's thread before it writes apart from a transaction, as services do. False
   * if the request was told to end before: then it must not write.
   */
  public synchronized boolean writesApart() {
    if (state == State.TOLD) {
      return false;
    }
    hasCommitted = true;
    return true;
  }

  /** Whether something of the request may be durable: it has begun a commit, or written apart. */
  public synchronized boolean hasCommitted() {
    return hasCommitted || state == State.COMMITS;
  }

  /**
   * Called by the request's thread when all that the request wanted is done and durable, without a
   * commit of its own: only that may be answered now, also if the request was told to end.
   */
  public synchronized void completed() {
    if (state == State.RUNS || state == State.TOLD) {
      state = State.COMMITS;
      boolean unused = Thread.interrupted(); // it has done its work
    }
  }

  /** Whether the commit has begun: only its outcome may be answered. */
  public synchronized boolean isCommitting() {
    return state == State.COMMITS;
  }

  /** Why the request was told to end; empty if it was not. */
  public synchronized Optional<EndReason> ending() {
    return Optional.ofNullable(ending);
  }
}

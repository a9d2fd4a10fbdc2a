package io.bg3.server.request;

import io.bg3.server.answer.Answers;
import io.bg3.server.answer.Refusal;
import io.bg3.server.dispatch.RunningRequest;
import io.bg3.server.guard.AllowList;
import io.bg3.server.log.ClientAddress;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.tinkerpop.gremlin.server.auth.AuthenticatedUser;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.apache.tinkerpop.gremlin.server.op.session.Session;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * The right of a connection to one session, its requests that are not done, and the memory that it
 * has ended.
 *
 * <p>Gremlin Server ends a session by rolling back in the session's thread and going on with what
 * waits there, and makes a new one under the same name for what comes later: a commit that comes
 * then finds nothing open and is answered with success. So this alone ends sessions:
 *
 * <ul>
 *   <li>E1: the session's thread runs nothing after the end but the request that it is at. Requests
 *       that wait are taken out and answered with an error. The transaction is rolled back when the
 *       thread is gone.
 *   <li>E2: handing a request to the session and ending the session exclude each other, by a lock.
 *       A request finds the session, or it finds the end. Handing over translates the request,
 *       which may take long; so the end does not wait for it: it is noted, and done by the thread
 *       that hands over, when that has the lock no more.
 *   <li>E3: if a transaction was open at the end, every request is refused until the client has
 *       acknowledged the end by a rollback, or by a commit, which is refused too. So a client that
 *       ignores an error cannot have half of its transaction committed.
 *   <li>E4: when the server ends a statement, at the end of its time for instance, the session
 *       ends: the statement may have done half of its work, and a commit may wait behind it.
 *   <li>E5: behind a statement that the session refuses because too many wait, every statement is
 *       refused, and a commit ends the session, until the client sends a rollback.
 *   <li>E6: a session keeps to the graph of its first request, since a commit commits one graph.
 * </ul>
 *
 * <p>Threads: any. All fields but the final and the volatile ones are guarded by the lock, which is
 * taken before the monitor of Gremlin Server's session. Only workers and the session's thread wait
 * for it.
 */
final class SessionLease {
  /** How long the request that runs at the end has to answer before its connection is closed. */
  private static final long LAST_ANSWER_MILLIS = 1_000;

  private final Sessions sessions;
  private final String name;
  private final ChannelHandlerContext context;
  private final String owner;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<RequestMessage> waiting = new ArrayDeque<>(); // the first of them may run
  private volatile String graph; // null until the first request has named it
  private volatile Session session; // null until the first request has made it
  private boolean open; // whether the requests so far leave a transaction open, as far as is known
  private boolean isSpoilt; // whether a request of the open transaction was refused
  private volatile String end; // why the session has ended, null if it has not
  private volatile String wanted; // an end that is to come, null if there is none
  private volatile boolean isGone; // the connection is closed, which is to be noted
  private long idleSince;
  private Future<?> life;
  private Future<?> idle;

  /** A lease of the connection that the context belongs to. */
  SessionLease(Sessions sessions, String name, ChannelHandlerContext context) {
    this.sessions = sessions;
    this.name = name;
    this.context = context;
    this.owner = owner(context.channel());
  }

  private static String owner(Channel channel) {
    AuthenticatedUser user = channel.attr(StateKey.AUTHENTICATED_USER).get();
    return user == null
        ? "address " + ClientAddress.of(channel.remoteAddress())
        : "user " + user.getName();
  }

  String name() {
    return name;
  }

  /** The owner of its share of the sessions: the user, or the address where there are no users. */
  String owner() {
    return owner;
  }

  /** The name of its graph; null if it has none yet. */
  String graph() {
    return graph;
  }

  ChannelId connection() {
    return context.channel().id();
  }

  boolean isOf(ChannelHandlerContext other) {
    return context.channel() == other.channel();
  }

  /**
   * Hands a request to the session, or answers it.
   *
   * @param onward hands it to Gremlin Server, which has put it into the session's queue on return
   */
  void pass(RequestMessage request, Runnable onward) throws Refusal {
    lock.lock();
    try {
      passLocked(request, onward);
    } finally {
      lock.unlock();
      doWhatWaits();
    }
  }

  private void passLocked(RequestMessage request, Runnable onward) throws Refusal {
    if (end != null) {
      acknowledge(request);
      return;
    }
    if (sessions.isClosing() && !open) {
      throw Refusal.stopping();
    }
    requireGraph(GraphName.of(request));
    if (isSpoilt && TransactionRequest.isCommit(request)) {
      endLocked("an earlier request of it was refused");
      acknowledge(request);
      return;
    }
    isSpoilt &= !TransactionRequest.isRollback(request);
    boolean isFull = waiting.size() >= sessions.limits().sessionQueue();
    isSpoilt |= isFull && !TransactionRequest.managesTransaction(request);
    if (isFull || isSpoilt) { // E5
      throw Refusal.tooMany(
          "too many requests wait in the session: limit=" + sessions.limits().sessionQueue());
    }
    onward.run();
    Session found = OpenSessions.find(name);
    if (found == null) {
      end = "it never began"; // the request did not come to a session
      sessions.ended(this, false);
      return;
    }
    if (session == null) {
      begin(found);
    }
    waiting.add(request);
    open =
        TransactionRequest.isEnd(request)
            ? false
            : open || !TransactionRequest.managesTransaction(request);
    try {
      session.getExecutor().execute(new Leave(request)); // behind the request
    } catch (RejectedExecutionException e) {
      waiting.remove(request); // the connection is gone
    }
  }

  /** E6. */
  private void requireGraph(String named) throws Refusal {
    if (graph == null) {
      graph = named;
    } else if (!graph.equals(named)) {
      throw Refusal.argument(
          "a session keeps to the graph that it has begun with: session's graph="
              + graph
              + ", graph="
              + AllowList.shown(named)
              + "; open another session for the other graph");
    }
  }

  private void begin(Session found) {
    session = found;
    idleSince = System.nanoTime();
    life =
        sessions.later(
            () -> end("it was open for longer than server.session.life"),
            sessions.limits().sessionLifeMillis());
    idle = sessions.later(this::endIfIdle, sessions.limits().sessionIdleMillis());
    context.channel().closeFuture().addListener(closed -> connectionGone());
  }

  /** Answers a request after the end. */
  private void acknowledge(RequestMessage request) throws Refusal {
    if (TransactionRequest.isEnd(request) || TransactionRequest.managesTransaction(request)) {
      sessions.forget(this); // the next request begins a new session
    }
    if (TransactionRequest.isRollback(request)) {
      Answers.done(context, request);
      return;
    }
    throw gone();
  }

  private Refusal gone() {
    if (sessions.isClosing()) {
      return Refusal.temporary(
          "the server is stopping: the session has ended, and nothing of its transaction is"
              + " committed; repeat the transaction when the server is back");
    }
    return Refusal.gone(
        "session has ended, and nothing of its transaction is committed: reason="
            + end
            + "; send a rollback or open a new session");
  }

  /** Runs behind what the session does for a request: the request is done. */
  private final class Leave implements Runnable {
    private final RequestMessage request;

    Leave(RequestMessage request) {
      this.request = request;
    }

    @Override
    public void run() {
      leave(request);
    }
  }

  private void leave(RequestMessage request) {
    lock.lock();
    try {
      waiting.remove(request);
      idleSince = System.nanoTime();
    } finally {
      lock.unlock();
      doWhatWaits();
    }
    sessions.changed();
  }

  private void endIfIdle() {
    long limit = sessions.limits().sessionIdleMillis();
    if (!lock.tryLock()) { // it is at work
      var unused = sessions.later(this::endIfIdle, limit);
      return;
    }
    try {
      if (end != null) {
        return;
      }
      long since = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - idleSince);
      if (!waiting.isEmpty() || since < limit) {
        idle = sessions.later(this::endIfIdle, waiting.isEmpty() ? limit - since : limit);
        return;
      }
      wanted = "it stood idle for longer than server.session.timeout";
    } finally {
      lock.unlock();
      doWhatWaits();
    }
  }

  /** Ends the session behind a statement that the server has ended (E4). */
  void endBehindStatement(RequestMessage statement) {
    if (TransactionRequest.managesTransaction(statement)) {
      return; // nothing is left of its transaction
    }
    String why = "the server ended one of its statements";
    if (RunningRequest.current().isEmpty()) { // not the session's thread, which goes on
      end(why);
      return;
    }
    lock.lock(); // before the session's thread takes what waits
    try {
      endLocked(why);
    } finally {
      lock.unlock();
      doWhatWaits();
    }
  }

  /** Ends the session, whatever it is doing, without waiting for what it is doing (E2). */
  void end(String why) {
    wanted = why;
    doWhatWaits();
  }

  /**
   * Does what was noted while a thread had the lock. The thread that notes something looks
   * afterwards, and so does each thread that gives the lock back: one of the two finds it.
   */
  private void doWhatWaits() {
    while ((wanted != null || isGone) && lock.tryLock()) {
      try {
        String why = wanted;
        wanted = null;
        if (why != null) {
          endLocked(why);
        }
        if (isGone) {
          isGone = false;
          noteGone();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Ends the session (E1). The connection of requests that waited is closed behind their answers:
   * Gremlin Server's timers may answer them a second time.
   */
  private void endLocked(String why) {
    if (end != null || session == null) {
      return;
    }
    end = why;
    List<RequestMessage> dropped = notBegun(session.getExecutor().shutdownNow());
    session.manualKill(true);
    cancelTimers();
    refuse(dropped);
    sessions.ended(this, open);
  }

  /**
   * The requests that the session has not begun, of the tasks that were taken out of its queue: one
   * that has a task of its own there, ahead of the task that says that it is done.
   */
  private static List<RequestMessage> notBegun(List<Runnable> tasks) {
    List<RequestMessage> requests = new ArrayList<>();
    boolean begun = true;
    for (Runnable task : tasks) {
      if (!(task instanceof Leave leave)) {
        begun = false;
      } else {
        if (!begun) {
          requests.add(leave.request);
        }
        begun = true;
      }
    }
    return requests;
  }

  private void refuse(List<RequestMessage> dropped) {
    for (RequestMessage request : dropped) {
      Answers.refuse(context, request, gone());
    }
    waiting.clear();
    if (!dropped.isEmpty()) {
      var unused =
          sessions.later(() -> Answers.closeAfterAnswers(context.channel()), LAST_ANSWER_MILLIS);
    }
  }

  /** Gremlin Server kills the session by itself when its connection closes. */
  private void connectionGone() {
    isGone = true;
    doWhatWaits();
  }

  private void noteGone() {
    if (end == null) {
      end = "its connection was closed";
      cancelTimers();
      sessions.ended(this, false);
    } else {
      sessions.forget(this);
    }
  }

  private void cancelTimers() {
    life.cancel(false);
    idle.cancel(false);
  }

  /** Whether it has ended: none of its requests begins any more. */
  boolean hasEnded() {
    return end != null;
  }

  /** Whether nothing of it runs, waits or is left open. */
  boolean isDone() {
    if (!lock.tryLock()) {
      return false; // it is at work
    }
    try {
      return end != null || (!open && waiting.isEmpty());
    } finally {
      lock.unlock();
      doWhatWaits();
    }
  }

  /** The session's thread, null if there is none yet. */
  ExecutorService thread() {
    Session found = session;
    return found == null ? null : found.getExecutor();
  }

  /** Closes the connection. */
  void closeConnection() {
    Answers.close(context.channel());
  }
}

package io.bg3.server.request;

import io.bg3.server.answer.Refusal;
import io.bg3.server.dispatch.Client;
import io.bg3.server.dispatch.EndReason;
import io.bg3.server.dispatch.RunningRequest;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.server.Context;
import org.apache.tinkerpop.gremlin.server.handler.Frame;
import org.apache.tinkerpop.gremlin.server.util.ServerGremlinExecutor;
import org.apache.tinkerpop.gremlin.structure.util.TemporaryException;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;

/**
 * TinkerPop's view of a request that is evaluated. All answers pass here, and here the answer is
 * decided once:
 *
 * <ul>
 *   <li>A1: an error that another thread than the request's answers, a timer's for instance, ends
 *       the request first, so that it cannot commit any more. If the commit has begun, the error is
 *       dropped, and the outcome of the commit is answered.
 *   <li>A2: a request that was told to end is answered with the reason.
 * </ul>
 *
 * <p>Threads: any.
 */
final class RequestContext extends Context {
  /** Bytes of an answer that makes a connection not writable: Netty's high-water mark. */
  private static final int LARGE = 64 << 10;

  /** Held while an answer is written, so that none follows the final one. */
  private final Object writing = new Object();

  private volatile boolean isFinalWritten; // written under the monitor of writing

  private final SessionRequests sessions; // null outside of sessions
  private final SessionLease lease; // null outside of sessions
  private final Client client;
  private volatile Optional<RunningRequest> running; // empty in a session until its thread begins
  private final long number;
  private final long made = System.nanoTime();
  private EndReason told; // before a session's thread began, null if it was not; guarded by this
  private volatile boolean isDoneInParts;
  private volatile Reservation kept; // in a session
  private volatile Runnable whenAnswered = () -> {};
  private Runnable beforeAnswer = () -> {}; // of the request's thread
  private ResponseStatusCode keptCode; // of the event loop; null if no answer is kept
  private Object keptAnswer; // of the event loop

  /** A request that a worker runs. */
  RequestContext(
      RequestMessage message,
      ChannelHandlerContext channel,
      ServerGremlinExecutor server,
      RunningRequest running) {
    this(
        message,
        channel,
        server,
        Optional.of(running),
        null,
        null,
        null,
        running.scheduled().number());
  }

  /** A request that the thread of a session runs. */
  RequestContext(
      RequestMessage message,
      ChannelHandlerContext channel,
      ServerGremlinExecutor server,
      SessionRequests sessions,
      SessionLease lease,
      Client client,
      long number) {
    this(message, channel, server, Optional.empty(), sessions, lease, client, number);
    sessions.add(this);
  }

  private RequestContext(
      RequestMessage message,
      ChannelHandlerContext channel,
      ServerGremlinExecutor server,
      Optional<RunningRequest> running,
      SessionRequests sessions,
      SessionLease lease,
      Client client,
      long number) {
    super(
        message,
        channel,
        server.getSettings(),
        server.getGraphManager(),
        server.getGremlinExecutor(),
        ((GuardContext) server.getSettings()).sessions().timer());
    this.running = running;
    this.sessions = sessions;
    this.lease = lease;
    this.client = client;
    this.number = number;
  }

  /** The number by which people name the request. */
  long number() {
    return number;
  }

  /** The connection of a request in a session, as the scheduler sees it. */
  Client client() {
    return client;
  }

  /** How long ago the request was handed to its session, in milliseconds. */
  long ageMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - made);
  }

  /** Whether the request waits for the thread of its session. */
  boolean isWaiting() {
    return sessions != null && running.isEmpty() && !isFinalWritten && !lease.hasEnded();
  }

  /** Whether a request that waits for its session's thread was told to end. */
  synchronized boolean isTold() {
    return told != null;
  }

  /**
   * Has a request that waits for its session's thread end as soon as that begins it. False if it is
   * a commit, or has begun and cannot be ended any more.
   */
  boolean tellWaiting(EndReason why) {
    synchronized (this) {
      if (running.isEmpty()) {
        if (TransactionRequest.isCommit(getRequestMessage())) {
          return false; // the session's thread lets nothing end it
        }
        told = told == null ? why : told;
        return true;
      }
    }
    return running.get().tell(why);
  }

  /** Called by TinkerPop in the thread that begins to evaluate bytecode. */
  @Override
  public void setStartedResponse() {
    super.setStartedResponse();
    begin();
  }

  /** Called by the thread that begins to evaluate the request. */
  void begin() {
    if (sessions == null || running.isPresent()) {
      return;
    }
    RunningRequest entered = sessions.enter(client, this);
    synchronized (this) {
      running = Optional.of(entered);
      if (told != null) { // it may have been answered before it began
        boolean unused = entered.tell(told);
      }
    }
  }

  /** Called when no more of the request is evaluated. */
  void end() {
    if (sessions != null) {
      running.ifPresent(sessions::leave);
    }
  }

  /** Has this run when the request is answered. */
  void whenAnswered(Runnable task) {
    whenAnswered = task;
  }

  /** Has this run by an event loop before it answers the request that it runs. */
  void beforeQuickAnswer(Runnable task) {
    beforeAnswer = task;
  }

  /** Gives back what a request of a session holds while it waits. */
  void close() {
    Reservation reservation = kept;
    if (reservation != null) {
      reservation.release();
    }
    sessions.remove(this);
    whenAnswered.run();
  }

  /**
   * Says that the request commits by itself, without a transaction of the graph: when it is ended,
   * it is never answered as if nothing had been done.
   */
  void setDoneInParts() {
    isDoneInParts = true;
  }

  /** Has memory given back when the request is answered. */
  void keep(Reservation reservation) {
    kept = reservation;
  }

  private void answered(ResponseStatusCode code) {
    if (sessions != null && code.isFinalResponse()) {
      close();
      end();
    }
  }

  @Override
  public void writeAndFlush(ResponseStatusCode code, Object message) {
    write(code, message, true);
  }

  @Override
  public void write(ResponseStatusCode code, Object message) {
    write(code, message, false);
  }

  private void write(ResponseStatusCode code, Object message, boolean flushes) {
    if (running.filter(RunningRequest::isQuick).isPresent()
        && !isAnsweredQuickly(running.get(), code, isLarge(message))) {
      release(message);
    } else if (running.filter(RunningRequest::isAnsweredLater).isPresent()) {
      keepAnswer(code, message);
    } else if (isDecided(code)) {
      Object answer = bounded(message);
      boolean isLarge = isLarge(answer);
      answers(code);
      hand(codeOf(answer, code), answer, flushes);
      if (isLarge) {
        awaitCounted();
      }
      answered(code);
    }
  }

  /** Keeps the first final answer until the commit is durable, and drops others. */
  private void keepAnswer(ResponseStatusCode code, Object message) {
    if (keptCode == null && code.isFinalResponse()) {
      keptCode = code;
      keptAnswer = message;
    } else {
      release(message);
    }
  }

  /**
   * Answers a request that its event loop has run, and whose commit the loop has not waited for.
   * The answer is the one that the request has given, or the failure. Called by the loop.
   *
   * @param failure of the commit; empty if it is durable
   */
  void answerKept(Optional<? extends RuntimeException> failure) {
    Object answer = keptAnswer;
    ResponseStatusCode code = keptCode;
    keptAnswer = null;
    if (failure.isPresent() || code == null) {
      release(answer);
      RuntimeException why =
          failure.isPresent()
              ? failure.get()
              : new IllegalStateException("the request ended without a result");
      code = ResponseStatusCode.SERVER_ERROR;
      answer = ShortError.of(FailureAnswers.of(getRequestMessage(), why, code, why.getMessage()));
    }
    answers(code);
    Object told = bounded(answer);
    hand(codeOf(told, code), told, true);
  }

  /**
   * Hands an answer to the event loop, as one task where TinkerPop makes two, each of which may
   * have to wake the loop. Drops what follows the final answer.
   */
  private void hand(ResponseStatusCode code, Object answer, boolean flushes) {
    synchronized (writing) {
      if (!isFinalWritten) {
        isFinalWritten = code.isFinalResponse();
        var unused =
            flushes
                ? getChannelHandlerContext().writeAndFlush(answer)
                : getChannelHandlerContext().write(answer);
        return;
      }
    }
    release(answer);
  }

  private static void release(Object answer) {
    if (answer instanceof Frame frame) {
      frame.tryRelease();
    }
  }

  /** Whether an event loop gives this answer, or leaves the request to a worker. */
  private boolean isAnsweredQuickly(
      RunningRequest quick, ResponseStatusCode code, boolean isLarge) {
    boolean isWhole = code.isSuccess() && code.isFinalResponse() && !isLarge;
    if (quick.isCommitting() || (isWhole && quick.commits())) {
      Runnable before = beforeAnswer;
      beforeAnswer = () -> {}; // once, however many messages there are
      before.run();
      return true;
    }
    quick.leaveToWorker();
    return false;
  }

  @Override
  public boolean isFinalResponseWritten() {
    return isFinalWritten;
  }

  private void answers(ResponseStatusCode code) {
    if (sessions == null
        && code.isFinalResponse()
        && running.isPresent()
        && running.get().scheduled() instanceof QueuedRequest request) {
      request.answers();
    }
  }

  private static boolean isLarge(Object answer) {
    return answer instanceof Frame frame
        && frame.getMsg() instanceof ByteBuf bytes
        && bytes.readableBytes() > LARGE;
  }

  /**
   * Waits until the event loop has taken a large answer over. Before that the answer does not count
   * as unread, and the thread would find the connection writable and make the next.
   */
  private void awaitCounted() {
    EventLoop loop = getChannelHandlerContext().channel().eventLoop();
    if (loop.inEventLoop()) {
      return;
    }
    CountDownLatch taken = new CountDownLatch(1);
    try {
      loop.execute(taken::countDown);
      taken.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the query looks at it
    } catch (RejectedExecutionException e) {
      return; // the loop has ended, and its connections with it
    }
  }

  private static ResponseStatusCode codeOf(Object answer, ResponseStatusCode otherwise) {
    return answer instanceof ResponseMessage response ? response.getStatus().getCode() : otherwise;
  }

  /** A1. */
  private boolean isDecided(ResponseStatusCode code) {
    if (code.isSuccess()) {
      return true;
    }
    synchronized (this) {
      if (running.isEmpty()) {
        if (sessions != null && told == null) {
          told = EndReason.TIME;
        }
        return true;
      }
    }
    if (running.equals(RunningRequest.current())) {
      return true;
    }
    boolean unused = running.get().tell(EndReason.TIME);
    return !running.get().isCommitting();
  }

  private Object bounded(Object message) {
    if (!(message instanceof ResponseMessage response)
        || response.getStatus().getCode().isSuccess()) {
      return message;
    }
    ResponseStatusCode code = response.getStatus().getCode();
    boolean isTold = running.flatMap(RunningRequest::ending).isPresent();
    if (code == ResponseStatusCode.SERVER_ERROR_TIMEOUT
        || (code == ResponseStatusCode.SERVER_ERROR_SERIALIZATION && isTold)) { // A2
      return timedOut();
    }
    return ShortError.of(response);
  }

  private ResponseMessage timedOut() {
    EndReason why = running.map(RunningRequest::reason).orElse(EndReason.TIME);
    long limit = running.map(RunningRequest::limitMillis).orElse(getRequestTimeout());
    boolean mayBeDone = isDoneInParts || running.map(RunningRequest::hasCommitted).orElse(false);
    Refusal refusal = mayBeDone ? EndedQuery.inParts(why, limit) : EndedQuery.undone(why, limit);
    endSession();
    return ResponseMessage.build(getRequestMessage())
        .code(refusal.code())
        .statusMessage(refusal.getMessage())
        .statusAttributeException(new InterruptedException())
        .create();
  }

  /** Ends the session of the request, of which the server has ended a statement. */
  void endSession() {
    if (lease != null) {
      lease.endBehindStatement(getRequestMessage());
    }
  }

  /** As TinkerPop's, which makes a text of the whole request first: here nothing reads it. */
  @Override
  public void sendTimeoutResponse() {
    sendTimeoutResponse("");
  }

  /** As TinkerPop's, without the whole request in the log. */
  @Override
  public void sendTimeoutResponse(String message) {
    ResponseMessage answer = timedOut();
    writeAndFlush(answer.getStatus().getCode(), answer);
  }

  /** Answers a request that has ended without an answer: an error of it was dropped (A1). */
  void answerIfNobodyHas() {
    if (isFinalResponseWritten() || !getChannelHandlerContext().channel().isActive()) {
      return;
    }
    Throwable failure = running.flatMap(RunningRequest::failure).orElse(null);
    if (running.flatMap(RunningRequest::ending).isPresent()
        || failure instanceof TraversalInterruptedException
        || failure instanceof InterruptedException) {
      sendTimeoutResponse();
      return;
    }
    ResponseStatusCode code =
        failure instanceof TemporaryException
            ? ResponseStatusCode.SERVER_ERROR_TEMPORARY
            : ResponseStatusCode.SERVER_ERROR;
    String problem =
        failure == null || failure.getMessage() == null
            ? "the request ended without a result"
            : failure.getMessage();
    ResponseMessage.Builder answer =
        ResponseMessage.build(getRequestMessage()).code(code).statusMessage(problem);
    writeAndFlush((failure == null ? answer : answer.statusAttributeException(failure)).create());
  }
}

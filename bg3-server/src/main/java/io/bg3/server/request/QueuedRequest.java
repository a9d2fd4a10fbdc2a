package io.bg3.server.request;

import io.bg3.core.commit.OutcomeUnknownException;
import io.bg3.server.answer.Answers;
import io.bg3.server.answer.Refusal;
import io.bg3.server.dispatch.Client;
import io.bg3.server.dispatch.EndReason;
import io.bg3.server.dispatch.Rejection;
import io.bg3.server.dispatch.RunningRequest;
import io.bg3.server.dispatch.ScheduledRequest;
import io.netty.channel.ChannelHandlerContext;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.tinkerpop.gremlin.structure.util.TransactionException;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * A request of a connection on its way from bytes to an answer. It is made in the event loop with
 * its bytes, and everything else is done by the worker that runs it.
 *
 * <p>Exactly one final answer is written: by the worker; or for a request that does not run, or is
 * stuck, in its place.
 */
public abstract class QueuedRequest implements ScheduledRequest, DecodeBudget {
  private static final AtomicLong NUMBERS = new AtomicLong();

  private final long number = NUMBERS.incrementAndGet();
  private final int bytes;
  private RequestProcessor processor;
  private RequestQueue queue;
  private ChannelHandlerContext context;
  private boolean isTakenWhileOpen;
  private boolean isInSession;
  private volatile RequestContext answer; // null until the request is evaluated
  private Reservation reservation; // of the worker's thread
  private boolean isShed; // of the worker's thread
  private final AtomicBoolean isAnswered = new AtomicBoolean(); // or has ended

  /** A request of so many bytes. */
  protected QueuedRequest(int bytes) {
    this.bytes = bytes;
  }

  /** Called before it is submitted. */
  final void submitted(
      RequestQueue by, RequestProcessor with, ChannelHandlerContext on, boolean whileOpen) {
    queue = by;
    processor = with;
    context = on;
    isTakenWhileOpen = whileOpen;
    isInSession = belongsToSession();
  }

  /**
   * Reads the request.
   *
   * @return empty if it cannot be read as a request and was answered
   * @throws Refusal if it may not be read
   */
  protected abstract Optional<RequestMessage> read() throws Refusal;

  /** The id of the request, as far as it can be found without reading it. */
  protected abstract UUID id();

  /** Answers a request that was not read. */
  protected abstract void refuse(Refusal why);

  /**
   * Whether the request may belong to a session, as far as can be seen without reading it; true in
   * doubt.
   */
  protected abstract boolean mayBeInSession();

  /**
   * Whether the request belongs to a session, as far as its bytes say so without doubt: a client
   * gains by it, so no other request may look like one.
   */
  protected abstract boolean belongsToSession();

  /**
   * The request once more, as it came.
   *
   * @return empty if no event loop may run it
   */
  protected Optional<QueuedRequest> again() {
    return Optional.empty();
  }

  /** Whether {@link #again} gives one. */
  protected boolean isRepeatable() {
    return false;
  }

  /** The connection's handlers that an answer passes. */
  protected final ChannelHandlerContext context() {
    return context;
  }

  /** Whether the server took requests when this one came. */
  final boolean isTakenWhileOpen() {
    return isTakenWhileOpen;
  }

  /** Called by any thread before the final answer is written. */
  final void answers() {
    if (isAnswered.compareAndSet(false, true)) {
      queue.answers();
    }
  }

  /** Says that the request is evaluated now, and answered so. */
  final void answeredBy(RequestContext evaluated) {
    answer = evaluated;
  }

  /** How the request is answered; null until it is evaluated. */
  final RequestContext answer() {
    return answer;
  }

  /**
   * Lets a request of a session keep its memory until it is answered or its connection is closed,
   * since the worker hands it over.
   */
  final void handOver(RequestContext toSession) {
    if (reservation != null) {
      toSession.keep(reservation);
      reservation = null;
    }
    queue.handOver(toSession);
  }

  /** The connection's queue. */
  final RequestQueue queue() {
    return queue;
  }

  /** Whether no other request of the connection is under way. */
  final boolean isAlone() {
    return queue.isAlone();
  }

  /** The connection, as the scheduler sees it. */
  final Client scheduled() {
    return queue.client();
  }

  @Override
  public final long number() {
    return number;
  }

  @Override
  public final int bytes() {
    return bytes;
  }

  @Override
  public final boolean isInSession() {
    return isInSession;
  }

  @Override
  public final void take(long decoded) throws Refusal {
    try {
      reservation = processor.reserve(queue.client(), decoded);
    } catch (Refusal e) {
      shed();
      throw e;
    }
  }

  @Override
  public final void shrink(long decoded) {
    reservation.shrink(decoded);
  }

  /** Says that the request is refused because of the load, not because of what it is. */
  final void shed() {
    isShed = true;
  }

  @Override
  public final void run(RunningRequest running) {
    queue.begins();
    queue.left();
    if (!context.channel().isActive()) {
      return; // no client waits for it
    }
    try {
      Optional<RequestMessage> request = read();
      if (request.isPresent()) {
        processor.perform(this, context, request.get(), running);
      } else {
        running.completed(); // it was answered, and no other answer may follow
      }
    } catch (Refusal e) {
      if (QuickReads.leave(running)) {
        return;
      }
      boolean isOver = isShed && mayBeInTransaction();
      if (isOver) {
        running.breakOff(); // before the next of the connection's requests can begin
      }
      answers();
      refuse(e);
      if (isOver) {
        Answers.closeAfterAnswers(context.channel()); // as for one that does not run
      }
    } catch (RuntimeException | StackOverflowError e) {
      if (QuickReads.leave(running)) {
        return;
      }
      answers();
      refuse(Refusal.malformed("message cannot be read as a request"));
    } catch (Error e) {
      if (answer == null && !QuickReads.leave(running)) {
        answers();
        refuse(Refusal.gone("the server failed to read the request"));
      }
      throw e;
    }
  }

  /** Whether the connection may have a transaction, perhaps one that this request was to begin. */
  private boolean mayBeInTransaction() {
    return queue.hasSession() || mayBeInSession();
  }

  @Override
  public final void ended(RunningRequest running) {
    RequestContext evaluated = answer;
    if (running.isAnsweredLater()) {
      queue.ended(this, processor.ran(running, evaluated, true));
      return;
    }
    release();
    if (evaluated != null) {
      boolean isOver = !running.isQuick() || running.isCommitting(); // a worker runs others again
      if (isOver) {
        evaluated.answerIfNobodyHas();
      }
      boolean isQuick = processor.ran(running, evaluated, isOver);
      if (isOver) {
        processor.evaluated(running, evaluated);
      }
      queue.ended(this, isQuick);
    }
  }

  @Override
  public final void acknowledged(
      RunningRequest running, Optional<OutcomeUnknownException> failure) {
    Optional<TransactionException> cause =
        failure.map(unknown -> new TransactionException(unknown.getMessage(), unknown));
    cause.ifPresent(running::failed);
    try {
      answer.answerKept(cause);
    } finally {
      release();
    }
    processor.evaluated(running, answer);
  }

  private void release() {
    queue.ends(isAnswered.getAndSet(true));
    if (reservation != null) {
      reservation.release();
    }
  }

  @Override
  public final boolean refuse(Rejection why) {
    queue.refused();
    if (!context.channel().isWritable()) {
      Answers.close(context.channel()); // it sends requests and reads no answers
      return false;
    }
    if (why == Rejection.QUEUE_FULL) {
      queue.pause();
    }
    boolean mayGoOn = !mayBeInTransaction();
    refuse(refusal(why));
    if (!mayGoOn) {
      Answers.closeAfterAnswers(context.channel());
    }
    return mayGoOn;
  }

  private static Refusal refusal(Rejection why) {
    return switch (why) {
      case QUEUE_FULL ->
          Refusal.tooMany(
              "too many requests wait for a thread, repeat it later; the limits are server.queue"
                  + " and server.queue.bytes");
      case WAITED_TOO_LONG ->
          Refusal.late(
              "the request waited as long as a query may take, for a thread or for other queries of"
                  + " its user, and was not run");
      case STOPPING -> Refusal.stopping();
      case KILLED -> EndedQuery.undone(EndReason.KILLED, 0);
      case NO_THREAD -> Refusal.tooMany("the system gives the server no more threads");
    };
  }

  @Override
  public final boolean abandon(RunningRequest running) {
    if (running.isCommitting()) {
      return false; // its outcome is the answer
    }
    RequestContext evaluated = answer;
    if (evaluated != null) {
      evaluated.sendTimeoutResponse();
    } else {
      answers();
      refuse(EndedQuery.undone(running.reason(), running.limitMillis()));
    }
    Answers.closeAfterAnswers(context.channel());
    return true;
  }

  @Override
  public final String client() {
    return processor == null ? "" : processor.clientOf(context.channel());
  }
}

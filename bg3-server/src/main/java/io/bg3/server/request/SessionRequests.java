package io.bg3.server.request;

import io.bg3.server.answer.Answers;
import io.bg3.server.dispatch.Client;
import io.bg3.server.dispatch.Rejection;
import io.bg3.server.dispatch.RunningRequest;
import io.bg3.server.dispatch.ScheduledRequest;
import io.bg3.server.dispatch.Scheduler;
import io.bg3.server.log.ClientLog;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * The requests that wait for the thread of their session or run there. When such a thread begins
 * one, the scheduler is told, so that a request that does not end is found there as well.
 *
 * <p>Threads: any.
 */
public final class SessionRequests {
  /** By identity: a request has no other. */
  private final Map<RequestMessage, RequestContext> requests = new ConcurrentHashMap<>();

  private final Scheduler scheduler;
  private final EvaluatedRequests evaluated;

  /**
   * Requests that this scheduler looks after.
   *
   * @param evaluated is told of those that were evaluated
   */
  public SessionRequests(Scheduler scheduler, EvaluatedRequests evaluated) {
    this.scheduler = scheduler;
    this.evaluated = evaluated;
  }

  void add(RequestContext request) {
    requests.put(request.getRequestMessage(), request);
  }

  void remove(RequestContext request) {
    requests.remove(request.getRequestMessage());
  }

  /** The calling thread begins to run a request, perhaps of a session. */
  public void began(RequestMessage message) {
    if (RequestProcessor.SESSION.equals(message.getProcessor())) {
      RequestContext request = requests.get(message);
      if (request != null) {
        request.begin();
      }
    }
  }

  /** The calling thread has ended a request with an error, perhaps after its answer. */
  public void ended(RequestMessage message, Throwable error) {
    if (RequestProcessor.SESSION.equals(message.getProcessor())) {
      RunningRequest.current().ifPresent(running -> ended(running, error));
    }
  }

  private void ended(RunningRequest running, Throwable error) {
    boolean isInterrupt =
        error instanceof TraversalInterruptedException
            || error instanceof InterruptedException
            || error instanceof InterruptedIOException;
    if (isInterrupt && running.scheduled() instanceof InSession one) {
      one.request().endSession(); // a timer answers it later, and a commit may be next
    }
    leave(running);
  }

  /** The requests that wait for the threads of their sessions. */
  List<RequestContext> waiting() {
    return requests.values().stream().filter(RequestContext::isWaiting).toList();
  }

  RunningRequest enter(Client client, RequestContext request) {
    long asked = request.getRequestTimeout();
    boolean isCommit = asked == 0;
    long limit = isCommit ? request.getSettings().getEvaluationTimeout() : asked;
    RunningRequest entered = scheduler.enter(client, new InSession(request), limit);
    if (isCommit) {
      boolean unused = entered.commits(); // nothing comes before it
    }
    return entered;
  }

  void leave(RunningRequest entered) {
    boolean isOwn = RunningRequest.current().filter(running -> running == entered).isPresent();
    if (isOwn && entered.scheduled() instanceof InSession one) {
      RequestContext request = one.request();
      evaluated.ended(
          entered, request.getRequestMessage(), request.getChannelHandlerContext().channel());
    }
    scheduler.leave(entered);
  }

  /** A request of a session, as the scheduler sees it. */
  record InSession(RequestContext request) implements ScheduledRequest {
    @Override
    public long number() {
      return request.number();
    }

    @Override
    public int bytes() {
      return 0;
    }

    @Override
    public boolean isInSession() {
      return true;
    }

    @Override
    public void run(RunningRequest running) {
      throw new IllegalStateException("the thread of the session runs it");
    }

    @Override
    public void ended(RunningRequest running) {}

    @Override
    public boolean refuse(Rejection why) {
      throw new IllegalStateException("the session refuses it");
    }

    @Override
    public boolean abandon(RunningRequest running) {
      if (running.isCommitting()) {
        return false;
      }
      request.sendTimeoutResponse();
      Answers.closeAfterAnswers(request.getChannelHandlerContext().channel());
      return true;
    }

    @Override
    public String client() {
      return "session of "
          + ClientLog.address(request.getChannelHandlerContext().channel().remoteAddress());
    }
  }
}

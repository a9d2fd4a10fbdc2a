package io.bg3.server.request;

import io.bg3.server.dispatch.EndReason;
import io.bg3.server.dispatch.RunningRequest;
import io.bg3.server.dispatch.ScheduledQuery;
import io.bg3.server.dispatch.ScheduledRequest;
import io.bg3.server.dispatch.Scheduler;
import io.bg3.server.log.ClientLog;
import io.bg3.server.log.Printable;
import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * The requests of a server that run or wait, those of sessions included, and the way to end one.
 * Batches of reads that an event loop answers at once are not among them.
 *
 * <p>Threads: any.
 */
public final class RunningQueries {
  /** Characters of a query that are shown. */
  private static final int QUERY = 1_000;

  /**
   * A request at a moment.
   *
   * @param number its name for {@link #kill}
   * @param state {@code queued}, {@code running}, or {@code ending} if it was told to end
   * @param owner its user, or its address where there are no users
   * @param address of its connection
   * @param ageMillis how long it has run, or waited
   * @param allocatedBytes what its thread has allocated for it; empty if it has not begun
   * @param graph that it is for; empty while it is not decoded
   * @param thread that it runs in; null if it has none
   * @param query the text, or the shape of bytecode: escaped and bounded; empty while it is not
   *     decoded
   */
  public record Info(
      long number,
      String state,
      String owner,
      String address,
      long ageMillis,
      OptionalLong allocatedBytes,
      String graph,
      Thread thread,
      String query) {}

  private final Scheduler scheduler;
  private final SessionRequests sessions;

  /** The requests of a server. */
  public RunningQueries(Scheduler scheduler, SessionRequests sessions) {
    this.scheduler = scheduler;
    this.sessions = sessions;
  }

  /** The connection of the request that the calling thread runs; empty if it runs none. */
  public static Optional<Channel> caller() {
    return RunningRequest.current().map(running -> channel(running.scheduled()));
  }

  /** The user, or address, of the request that the calling thread runs. */
  public static Optional<String> callersOwner() {
    return RunningRequest.current().map(RunningRequest::owner);
  }

  /** The graph of the request that the calling thread runs. */
  public static Optional<String> callersGraph() {
    return RunningRequest.current()
        .flatMap(running -> message(running.scheduled()))
        .map(GraphName::of);
  }

  /**
   * Tells all requests for a graph to end, as the end of their time would, and has its sessions
   * end.
   *
   * @return whether none runs
   */
  public boolean endAll(String graph, Sessions open) {
    boolean isQuiet = open.end(graph, "its graph was dropped");
    for (ScheduledQuery query : scheduler.queries(Integer.MAX_VALUE, owner -> true)) {
      Optional<RunningRequest> running = query.running();
      boolean isIn = message(query.work()).map(GraphName::of).filter(graph::equals).isPresent();
      if (running.isPresent() && isIn) {
        boolean unused = running.get().tell(EndReason.DROPPED);
        isQuiet = false;
      }
    }
    return isQuiet;
  }

  /**
   * The requests that run, and then those that wait.
   *
   * @param most how many at most
   * @param owners whose
   */
  public List<Info> list(int most, Predicate<String> owners) {
    List<Info> found = new ArrayList<>();
    Set<Long> numbers = new HashSet<>();
    for (ScheduledQuery query : scheduler.queries(most, owners)) {
      if (numbers.add(query.work().number())) { // one that is handed to a session is there twice
        found.add(info(query));
      }
    }
    for (RequestContext request : sessions.waiting()) {
      if (found.size() >= most) {
        break;
      }
      String owner = request.client().ownerName();
      if (owners.test(owner) && numbers.add(request.number())) {
        found.add(waiting(request, owner));
      }
    }
    return found;
  }

  /**
   * Ends a request, as the end of its time would.
   *
   * @param owners whose requests may be ended
   * @return its owner; empty if there is no such request, or it commits and cannot be ended any
   *     more
   */
  public Optional<String> kill(long number, Predicate<String> owners) {
    Optional<RequestContext> waiting = waiting(number, owners);
    if (waiting.isEmpty()) {
      Optional<String> killed = scheduler.kill(number, owners);
      waiting = waiting(number, owners);
      if (waiting.isEmpty()) {
        return killed;
      }
      // a worker has just handed it to its session, and what was killed is the handing over
    }
    return waiting
        .filter(request -> request.tellWaiting(EndReason.KILLED))
        .map(request -> request.client().ownerName());
  }

  private Optional<RequestContext> waiting(long number, Predicate<String> owners) {
    return sessions.waiting().stream()
        .filter(request -> request.number() == number)
        .filter(request -> owners.test(request.client().ownerName()))
        .findAny();
  }

  private static Info info(ScheduledQuery query) {
    String state =
        query
            .running()
            .map(running -> running.ending().isPresent() ? "ending" : "running")
            .orElse("queued");
    return new Info(
        query.work().number(),
        state,
        query.owner(),
        ClientLog.address(channel(query.work()).remoteAddress()),
        TimeUnit.NANOSECONDS.toMillis(query.nanos()),
        query.running().map(RunningRequest::allocatedBytes).orElse(OptionalLong.empty()),
        message(query.work()).map(GraphName::of).orElse(""),
        query.thread(),
        message(query.work()).map(RunningQueries::text).orElse(""));
  }

  private static Info waiting(RequestContext request, String owner) {
    return new Info(
        request.number(),
        request.isTold() ? "ending" : "queued",
        owner,
        ClientLog.address(request.getChannelHandlerContext().channel().remoteAddress()),
        request.ageMillis(),
        OptionalLong.empty(),
        GraphName.of(request.getRequestMessage()),
        null,
        text(request.getRequestMessage()));
  }

  private static Channel channel(ScheduledRequest work) {
    return work instanceof SessionRequests.InSession session
        ? session.request().getChannelHandlerContext().channel()
        : ((QueuedRequest) work).context().channel();
  }

  private static Optional<RequestMessage> message(ScheduledRequest work) {
    RequestContext context =
        work instanceof SessionRequests.InSession session
            ? session.request()
            : ((QueuedRequest) work).answer();
    return Optional.ofNullable(context).map(RequestContext::getRequestMessage);
  }

  private static String text(RequestMessage request) {
    Object query = request.getArgs().get(Tokens.ARGS_GREMLIN);
    String text =
        query instanceof Bytecode bytecode
            ? QueryShape.of(bytecode, QUERY)
            : String.valueOf(query == null ? request.getOp() : query);
    return Printable.unquoted(text, QUERY);
  }
}

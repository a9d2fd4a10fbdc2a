package io.bg3.server.request;

import io.bg3.server.answer.Refusal;
import io.bg3.server.dispatch.Budget;
import io.bg3.server.dispatch.Client;
import io.bg3.server.dispatch.OwnerLimits;
import io.bg3.server.dispatch.QuickRuns;
import io.bg3.server.dispatch.RunningRequest;
import io.bg3.server.dispatch.Scheduler;
import io.bg3.server.guard.AllowList;
import io.bg3.server.log.ClientAddress;
import io.bg3.server.log.ClientLog;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.server.Context;
import org.apache.tinkerpop.gremlin.server.OpProcessor;
import org.apache.tinkerpop.gremlin.server.auth.AuthenticatedUser;
import org.apache.tinkerpop.gremlin.server.authz.Authorizer;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.apache.tinkerpop.gremlin.server.op.OpLoader;
import org.apache.tinkerpop.gremlin.server.op.OpProcessorException;
import org.apache.tinkerpop.gremlin.server.op.standard.StandardOpProcessor;
import org.apache.tinkerpop.gremlin.server.op.traversal.TraversalOpProcessor;
import org.apache.tinkerpop.gremlin.server.util.ServerGremlinExecutor;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;

/**
 * The work of a worker on a request that it has read: it brings the request within bounds, asks
 * whether it is allowed, and hands it to the processor of its kind, which gives the query back to
 * the same worker ({@link io.bg3.server.dispatch.QueryExecutor}); or to the session that it belongs
 * to.
 *
 * <p>The time of a request is counted from the moment at which its worker began, so TinkerPop's own
 * timers are left out, but for those of sessions.
 *
 * <p>Threads: any; one instance for all connections of an endpoint.
 */
public final class RequestProcessor {
  /** The processor that requests in sessions name. */
  static final String SESSION = "session";

  /** The language of all texts; {@link RequestBounds} sees to it. */
  static final String LANGUAGE = "gremlin-lang";

  /** Bytes of a commit or rollback that is let in whatever is taken of the memory. */
  private static final int END_BYTES = 4 << 10;

  private final ServerGremlinExecutor server;
  private final GuardContext guarded;
  private final RequestBounds bounds;
  private final Authorization authorization;
  private final Budget budget;
  private final Optional<BatchQueries> batches;
  private final BytecodeProcessor traversals = new BytecodeProcessor();
  private final TextProcessor texts;
  private final QuickShapes shapes;

  /**
   * For an endpoint.
   *
   * @param server its settings are {@link GuardContext}
   * @param callers whose the requests are that come by it
   */
  public RequestProcessor(
      ServerGremlinExecutor server, Authorizer authorizer, ConnectionUsers callers) {
    this(
        server,
        new Authorization(authorizer, callers, (GuardContext) server.getSettings()),
        Optional.empty());
  }

  /**
   * @param batches run calls of batches without a traversal
   */
  RequestProcessor(
      ServerGremlinExecutor server, Authorization authorization, Optional<BatchQueries> batches) {
    this.server = server;
    this.guarded = (GuardContext) server.getSettings();
    this.bounds = new RequestBounds(guarded.limits());
    this.authorization = authorization;
    this.budget = guarded.budget();
    this.shapes = new QuickShapes(guarded.quickNanos());
    this.batches = batches;
    this.texts =
        new TextProcessor(
            server.getSettings(),
            server.getGremlinExecutor().getScriptEngineManager().getEngineByName(LANGUAGE),
            server.getGraphManager().getAsBindings());
  }

  Scheduler scheduler() {
    return guarded.scheduler();
  }

  /** Bytes that one connection may keep waiting. */
  long backlog() {
    return guarded.connectionLimits().backlog();
  }

  /** Whether the server takes requests. */
  boolean isOpen() {
    return guarded.intake().isOpen();
  }

  /** The owner of a connection: its user, or its address where there are no users. */
  String ownerOf(Channel channel) {
    AuthenticatedUser user = channel.attr(StateKey.AUTHENTICATED_USER).get();
    if (user != null) {
      return user.getName();
    }
    return ClientAddress.of(channel.remoteAddress());
  }

  /** The limits of the queries of a connection's owner. */
  OwnerLimits limitsOf(Channel channel) {
    return authorization.limits(channel);
  }

  /** A client, for the log. */
  String clientOf(Channel channel) {
    AuthenticatedUser user = channel.attr(StateKey.AUTHENTICATED_USER).get();
    String address = ClientLog.address(channel.remoteAddress());
    return user == null ? address : user.getName() + "@" + address;
  }

  /** Whether event loops may run requests: the server is open, and no note would block them now. */
  boolean mayRunQuickly() {
    return authorization.isQuick()
        && guarded.intake().isOpen()
        && !guarded.evaluated().notes(2 * QuickRuns.MOMENT);
  }

  /**
   * Takes note of how long a request has run. Called by its thread.
   *
   * @param isOver false if a worker runs it again
   * @return whether event loops may run its like
   */
  boolean ran(RunningRequest running, RequestContext context, boolean isOver) {
    int shape = shape(context.getRequestMessage());
    shapes.ran(shape, running, isOver);
    return shapes.isQuick(shape);
  }

  /** Takes note that a request was evaluated and answered. */
  void evaluated(RunningRequest running, RequestContext context) {
    guarded
        .evaluated()
        .ended(running, context.getRequestMessage(), context.getChannelHandlerContext().channel());
  }

  /** The shape of a request; none if it writes and may have to wait, or is recorded first. */
  private int shape(RequestMessage request) {
    int shape = QuickShapes.of(request);
    boolean isQuick =
        !QuickShapes.writes(shape)
            || (!authorization.recordsFirst() && guarded.commitsInLoops(GraphName.of(request)));
    return isQuick ? shape : QuickShapes.NONE;
  }

  /** Takes memory for a request of a client that is decoded next. */
  Reservation reserve(Client client, long decoded) throws Refusal {
    if (!budget.take(client, decoded)) {
      throw full(client, decoded);
    }
    return new Reservation(budget, client, decoded);
  }

  private Refusal full(Client client, long needed) {
    return Refusal.tooMany(
        "requests that are decoded take all the memory there is for them, repeat it later:"
            + " needed="
            + needed
            + ", usedByThisClient="
            + budget.used(client)
            + ", share="
            + budget.share()
            + ", used="
            + budget.used()
            + ", limit="
            + budget.limit()
            + "; the limit is server.decoded.bytes");
  }

  /** Has a request evaluated by the calling worker, or by the thread of its session. */
  void perform(
      QueuedRequest queued,
      ChannelHandlerContext channel,
      RequestMessage read,
      RunningRequest running)
      throws Refusal {
    RequestMessage request = inOneGraph(channel, bounds.bounded(read));
    if (running.isQuick()) {
      performQuickly(queued, channel, request, running);
      return;
    }
    boolean isInSession = request.getProcessor().equals(SESSION);
    if (!queued.isTakenWhileOpen() && !isInSession) {
      throw Refusal.stopping();
    }
    Optional<RequestMessage> allowed = authorization.validate(channel, request);
    if (allowed.isEmpty()) {
      return;
    }
    if (isInSession
        && !request.getOp().equals(Tokens.OPS_CLOSE)
        && request.getArgs().get(Tokens.ARGS_SESSION) instanceof String name) {
      inSession(queued, channel, allowed.get(), name);
    } else {
      evaluate(queued, channel, allowed.get(), running);
    }
  }

  private void performQuickly(
      QueuedRequest queued,
      ChannelHandlerContext channel,
      RequestMessage request,
      RunningRequest running) {
    boolean isLate = !queued.isTakenWhileOpen(); // nothing waits for it, and a worker refuses it
    if (isLate || !shapes.isQuick(shape(request)) || !authorization.allows(channel, request)) {
      boolean unused = QuickReads.leave(running);
      return;
    }
    evaluate(queued, channel, request, running);
  }

  /**
   * A request with the name of its one graph. A text that names none is for the graph of its
   * session, or else for the default graph: Gremlin Server would evaluate it in the graph of the
   * session's last alias, whatever graph was authorized.
   */
  private RequestMessage inOneGraph(ChannelHandlerContext channel, RequestMessage request)
      throws Refusal {
    GraphName.requireOne(request);
    boolean isInSession = request.getProcessor().equals(SESSION);
    boolean isMissing =
        server.getSettings().strictTransactionManagement && !isInSession; // told by TinkerPop
    if (!Tokens.OPS_EVAL.equals(request.getOp()) || GraphName.isIn(request) || isMissing) {
      return request;
    }
    String graph = GraphName.DEFAULT;
    if (isInSession && request.getArgs().get(Tokens.ARGS_SESSION) instanceof String name) {
      graph = guarded.sessions().graph(name, channel).orElse(graph);
    }
    return GraphName.in(graph, request);
  }

  private void evaluate(
      QueuedRequest queued,
      ChannelHandlerContext channel,
      RequestMessage request,
      RunningRequest running) {
    RequestMessage untimed =
        RequestMessage.from(request).addArg(Tokens.ARGS_EVAL_TIMEOUT, 0L).create();
    RequestContext context = new RequestContext(untimed, channel, server, running);
    running.limit(time(request, context.getRequestTimeout()));
    if (running.isQuick()) {
      context.beforeQuickAnswer(() -> authorization.passed(channel, request));
    }
    queued.answeredBy(context);
    Optional<Bytecode.Instruction> batch = BatchQueries.call(request);
    if (batches.isPresent()
        && batch.filter(call -> batches.get().isOffered(request, call)).isPresent()) {
      BatchQueries queries = batches.get();
      Bytecode.Instruction call = batch.get();
      try {
        server.getGremlinExecutorService().execute(() -> queries.run(context, call));
      } catch (RejectedExecutionException e) {
        context.writeAndFlush(stopping(request));
      }
    } else {
      process(context);
    }
  }

  private static ResponseMessage stopping(RequestMessage request) {
    Refusal refusal = Refusal.stopping();
    return ResponseMessage.build(request)
        .code(refusal.code())
        .statusMessage(refusal.getMessage())
        .create();
  }

  /** The time that the request asks for, in its text or as an argument, else the server's own. */
  private long time(RequestMessage request, long inText) {
    if (inText > 0) {
      return Math.min(inText, guarded.limits().evaluationMillis());
    }
    return request.getArgs().get(Tokens.ARGS_EVAL_TIMEOUT) instanceof Number asked
        ? asked.longValue()
        : guarded.limits().evaluationMillis();
  }

  private void inSession(
      QueuedRequest queued, ChannelHandlerContext channel, RequestMessage request, String name)
      throws Refusal {
    if (!channel.channel().isActive()) {
      return; // its session is gone with the connection, and no other may begin in its name
    }
    boolean isSmallEnd = TransactionRequest.isEnd(request) && queued.bytes() <= END_BYTES;
    if (!budget.fits(queued.scheduled())
        && !isSmallEnd) { // it holds its memory for as long as it waits in there
      queued.shed();
      throw full(queued.scheduled(), 0);
    }
    SessionLease lease = lease(queued.queue(), channel, request, name);
    RequestMessage message =
        TransactionRequest.isCommit(request) // has no limit, as bytecode that commits has none
            ? RequestMessage.from(request).addArg(Tokens.ARGS_EVAL_TIMEOUT, 0L).create()
            : request;
    lease.pass(
        message,
        () -> {
          RequestContext context =
              new RequestContext(
                  message,
                  channel,
                  server,
                  guarded.sessionRequests(),
                  lease,
                  queued.scheduled(),
                  queued.number());
          queued.handOver(context);
          process(context);
        });
  }

  /**
   * The session of a request. When a session is refused to the first request of a transaction, it
   * is refused to those that the client has sent behind it as well, until the client ends the
   * transaction: otherwise a commit would commit the rest.
   */
  private SessionLease lease(
      RequestQueue queue, ChannelHandlerContext channel, RequestMessage request, String name)
      throws Refusal {
    if (queue.isRefusedSession(name)) {
      if (TransactionRequest.isEnd(request)) {
        queue.forgetSession(name);
      }
      if (!TransactionRequest.isRollback(request)) {
        throw isOpen()
            ? Refusal.gone(
                "session was refused to an earlier request, and nothing of its transaction is"
                    + " committed; send a rollback or open a new session")
            : Refusal.stopping(); // another server may take the transaction
      }
    }
    boolean begins = OpenSessions.find(name) == null;
    try {
      if (begins && !scheduler().isHealthy()) {
        throw Refusal.tooMany(
            "too many queries do not end, so no transaction begins; the limit is"
                + " server.stuck.limit");
      }
      return guarded.sessions().lease(name, channel);
    } catch (Refusal e) {
      boolean isStatement =
          !TransactionRequest.isEnd(request) && !TransactionRequest.managesTransaction(request);
      if (begins && isStatement) {
        queue.refusedSession(name);
      }
      throw e;
    }
  }

  /** Has a request run by its processor; as TinkerPop's handlers do it in an event loop. */
  private void process(Context context) {
    RequestMessage request = context.getRequestMessage();
    try {
      processor(request).select(context).accept(context);
    } catch (OpProcessorException e) {
      context.writeAndFlush(e.getResponseMessage());
    } catch (Exception | StackOverflowError e) { // translating descends into nested traversals
      context.writeAndFlush(
          ResponseMessage.build(request)
              .code(ResponseStatusCode.SERVER_ERROR)
              .statusAttributeException(e)
              .statusMessage(e.getMessage())
              .create());
    }
  }

  private OpProcessor processor(RequestMessage request) throws OpProcessorException {
    return switch (request.getProcessor()) {
      case TraversalOpProcessor.OP_PROCESSOR_NAME -> traversals;
      case StandardOpProcessor.OP_PROCESSOR_NAME -> texts;
      default -> OpLoader.getProcessor(request.getProcessor()).orElseThrow(() -> unknown(request));
    };
  }

  private static OpProcessorException unknown(RequestMessage request) {
    String problem =
        "no such processor of requests: name=" + AllowList.shown(request.getProcessor());
    return new OpProcessorException(
        problem,
        ResponseMessage.build(request)
            .code(ResponseStatusCode.REQUEST_ERROR_INVALID_REQUEST_ARGUMENTS)
            .statusMessage(problem)
            .create());
  }
}

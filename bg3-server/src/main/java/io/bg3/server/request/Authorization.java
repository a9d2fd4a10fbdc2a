package io.bg3.server.request;

import io.bg3.server.answer.Answers;
import io.bg3.server.answer.Refusal;
import io.bg3.server.answer.RefusedException;
import io.bg3.server.dispatch.OwnerLimits;
import io.bg3.server.guard.AllowList;
import io.bg3.server.guard.RestrictedUser;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.util.Map;
import java.util.Optional;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.server.auth.AuthenticatedUser;
import org.apache.tinkerpop.gremlin.server.authz.AuthorizationException;
import org.apache.tinkerpop.gremlin.server.authz.Authorizer;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * Asks the {@link Authorizer} whether the user of a connection may run a request, and answers the
 * requests that it refuses. A worker thread does this, because parsing a query takes time.
 *
 * <p>Replaces TinkerPop's handler, which stores the user in a field that all connections share.
 *
 * <p>Threads: any; immutable.
 */
public final class Authorization {
  private final Authorizer authorizer;
  private final ConnectionUsers callers;
  private final GuardContext guarded;

  /** Creates the check for all connections of an endpoint. */
  public Authorization(Authorizer authorizer, ConnectionUsers callers, GuardContext guarded) {
    this.authorizer = authorizer;
    this.callers = callers;
    this.guarded = guarded;
  }

  /** Whether an event loop may check a request, because nothing would block it now. */
  boolean isQuick() {
    return callers.isQuick();
  }

  /** Whether each request that writes has to be recorded before it runs. */
  boolean recordsFirst() {
    return callers.recordsFirst();
  }

  /** The limits of the queries of a connection's user. */
  OwnerLimits limits(Channel channel) {
    return callers.limits(channel);
  }

  /** Whether the user may run a request; sends no response and counts nothing. */
  boolean allows(ChannelHandlerContext context, RequestMessage request) {
    try {
      authorized(callers.caller(context.channel()), request);
      return true;
    } catch (AuthorizationException | RuntimeException e) {
      return false;
    }
  }

  /** Counts and records a request that {@link #allows} has passed. */
  void passed(ChannelHandlerContext context, RequestMessage request) {
    callers.validated(context.channel(), request, "");
  }

  /** Returns the request if the user may run it; otherwise answers it and returns empty. */
  Optional<RequestMessage> validate(ChannelHandlerContext context, RequestMessage request) {
    String problem;
    try {
      RequestMessage allowed = authorized(callers.caller(context.channel()), request);
      callers.validated(context.channel(), request, "");
      return Optional.of(allowed);
    } catch (RefusedException e) {
      problem = e.getMessage();
      Answers.refuse(context, request, e.refusal());
    } catch (AuthorizationException e) {
      problem = e.getMessage();
      Answers.refuse(context, request, Refusal.forbidden(problem));
    } catch (RuntimeException e) {
      problem = "the server failed to check the request";
      Answers.fail(context, request, problem, e);
    }
    callers.validated(context.channel(), request, problem);
    return Optional.empty();
  }

  @SuppressWarnings("ReferenceEquality") // the server's own authorizer returns what it is given
  private RequestMessage authorized(AuthenticatedUser user, RequestMessage request)
      throws AuthorizationException {
    switch (request.getOp()) {
      case Tokens.OPS_BYTECODE -> {
        requireGraph(user, request);
        @SuppressWarnings("unchecked") // RequestBounds has checked both types
        Map<String, String> aliases =
            (Map<String, String>) request.getArgs().get(Tokens.ARGS_ALIASES);
        Bytecode query = (Bytecode) request.getArgs().get(Tokens.ARGS_GREMLIN);
        Bytecode allowed = authorizer.authorize(user, query, aliases);
        return allowed == query
            ? request
            : RequestMessage.from(request).addArg(Tokens.ARGS_GREMLIN, allowed).create();
      }
      case Tokens.OPS_EVAL -> {
        requireGraph(user, request);
        authorizer.authorize(user, request);
      }
      case Tokens.OPS_CLOSE -> {} // ends a session, as closing the connection does
      default ->
          throw new AuthorizationException(
              "operation is not known: op=" + AllowList.shown(request.getOp()));
    }
    return request;
  }

  /**
   * Checks that there is a graph of the request's alias. A user that has no role on a graph is told
   * what is told of one that does not exist.
   */
  private void requireGraph(AuthenticatedUser user, RequestMessage request)
      throws RefusedException {
    String name = GraphName.of(request);
    if (maySee(user, name) && guarded.graph(name).isPresent()) {
      return;
    }
    throw new RefusedException(
        Refusal.argument(
            "there is no such graph, or you have no role on it: graph="
                + AllowList.shown(name)
                + ", known="
                + guarded.graphNames().stream().filter(one -> maySee(user, one)).toList()));
  }

  private static boolean maySee(AuthenticatedUser user, String graph) {
    return !(user instanceof RestrictedUser restricted) || restricted.mayRead(graph);
  }
}

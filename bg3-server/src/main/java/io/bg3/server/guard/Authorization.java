package io.bg3.server.guard;

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
 * Asks the authorizer about each request, on behalf of the user whose connection it came by, and
 * answers those that are refused. Parsing takes time, so a worker thread does it.
 *
 * <p>Stands in for TinkerPop's handler, which keeps the user in a field that all connections share.
 *
 * <p>Threads: any, without state.
 */
public final class Authorization {
  private final Authorizer authorizer;
  private final Callers callers;

  /** For all connections of an endpoint. */
  public Authorization(Authorizer authorizer, Callers callers) {
    this.authorizer = authorizer;
    this.callers = callers;
  }

  /** Whether a request may be judged in an event loop: nothing is written down of it. */
  boolean isQuick() {
    return callers.isQuick();
  }

  /** Whether a request is allowed; if it is not, nothing is answered or counted. */
  boolean allows(ChannelHandlerContext context, RequestMessage request) {
    try {
      authorized(callers.caller(context.channel()), request);
      return true;
    } catch (AuthorizationException | RuntimeException e) {
      return false;
    }
  }

  /** Counts a request that {@link #allows} has passed. */
  void passed(ChannelHandlerContext context, RequestMessage request) {
    callers.judged(context.channel(), request, "");
  }

  /** The request if it is allowed; otherwise it is answered. */
  Optional<RequestMessage> judge(ChannelHandlerContext context, RequestMessage request) {
    String problem;
    try {
      RequestMessage allowed = authorized(callers.caller(context.channel()), request);
      callers.judged(context.channel(), request, "");
      return Optional.of(allowed);
    } catch (RefusedException e) {
      problem = e.getMessage();
      Answers.refuse(context, request, e.refusal());
    } catch (AuthorizationException e) {
      problem = e.getMessage();
      Answers.refuse(context, request, Refusal.forbidden(problem));
    } catch (RuntimeException e) {
      problem = "the request cannot be judged";
      Answers.fail(context, request, problem, e);
    }
    callers.judged(context.channel(), request, problem);
    return Optional.empty();
  }

  private RequestMessage authorized(AuthenticatedUser user, RequestMessage request)
      throws AuthorizationException {
    switch (request.getOp()) {
      case Tokens.OPS_BYTECODE -> {
        @SuppressWarnings("unchecked") // RequestBounds has looked at both
        Map<String, String> aliases =
            (Map<String, String>) request.getArgs().get(Tokens.ARGS_ALIASES);
        Bytecode query = (Bytecode) request.getArgs().get(Tokens.ARGS_GREMLIN);
        return RequestMessage.from(request)
            .addArg(Tokens.ARGS_GREMLIN, authorizer.authorize(user, query, aliases))
            .create();
      }
      case Tokens.OPS_EVAL -> authorizer.authorize(user, request);
      case Tokens.OPS_CLOSE -> {} // says what a closed connection says too
      default ->
          throw new AuthorizationException(
              "operation is not known: op=" + AllowList.shown(request.getOp()));
    }
    return request;
  }
}

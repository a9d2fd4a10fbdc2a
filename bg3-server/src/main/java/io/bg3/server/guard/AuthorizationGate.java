package io.bg3.server.guard;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.server.GremlinServer;
import org.apache.tinkerpop.gremlin.server.auth.AuthenticatedUser;
import org.apache.tinkerpop.gremlin.server.authz.AuthorizationException;
import org.apache.tinkerpop.gremlin.server.authz.Authorizer;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the authorizer about each request, in threads of its own, since parsing takes time and the
 * connections share theirs. A connection is not read from while one of its requests is judged, so
 * nobody can pile up requests here.
 *
 * <p>Stands in for TinkerPop's handler, which keeps the user in a field that all connections share.
 *
 * <p>Threads: shared by all connections, without state.
 */
@Sharable
final class AuthorizationGate extends ChannelInboundHandlerAdapter {
  private static final Logger AUDIT = LoggerFactory.getLogger(GremlinServer.AUDIT_LOGGER_NAME);
  private static final Logger LOG = LoggerFactory.getLogger(AuthorizationGate.class);

  private final Authorizer authorizer;

  AuthorizationGate(Authorizer authorizer) {
    this.authorizer = authorizer;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    try {
      judge(context, message);
    } finally {
      context.channel().config().setAutoRead(true);
    }
  }

  private void judge(ChannelHandlerContext context, Object message) {
    if (!(message instanceof RequestMessage request)) {
      context.fireChannelRead(message);
      return;
    }
    AuthenticatedUser user = context.channel().attr(StateKey.AUTHENTICATED_USER).get();
    try {
      context.fireChannelRead(
          authorized(user == null ? AuthenticatedUser.ANONYMOUS_USER : user, request));
    } catch (RefusedException e) {
      audit(context, user, request);
      Answers.refuse(context, request, e.refusal());
    } catch (AuthorizationException e) {
      audit(context, user, request);
      Answers.refuse(context, request, Refusal.forbidden(e.getMessage()));
    } catch (RuntimeException e) {
      LOG.error("cannot judge a request: {}", e.toString(), e);
      Answers.refuse(context, request, Refusal.gone("the request cannot be judged"));
    }
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

  private static void audit(
      ChannelHandlerContext context, AuthenticatedUser user, RequestMessage request) {
    AUDIT.info(
        "User {} with address {} attempted an unauthorized request for {} operation: {}",
        user == null ? AuthenticatedUser.ANONYMOUS_USERNAME : user.getName(),
        context.channel().remoteAddress(),
        request.getOp(),
        request.getArgs().get(Tokens.ARGS_GREMLIN));
  }
}

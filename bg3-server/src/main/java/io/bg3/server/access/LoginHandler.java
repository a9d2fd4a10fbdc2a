package io.bg3.server.access;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;

/**
 * Lets a WebSocket through once it has logged in, by SASL PLAIN as TinkerPop's drivers do it: the
 * first request is answered with a challenge, the next carries name and password, and then what
 * waited goes on.
 *
 * <p>Differs from TinkerPop's own in that passwords are checked outside of Netty's threads ({@link
 * Logins}), that few requests may wait, and that a connection that fails is closed.
 *
 * <p>Threads: one instance a connection, in its event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // nobody waits for an answer to be sent
final class LoginHandler extends ChannelInboundHandlerAdapter {
  /** Requests that may wait for the login; more are nothing that a driver sends. */
  private static final int WAITING = 32;

  private static final String VIA = "websocket";

  private final Logins logins;
  private final AuditLog audit;
  private final List<RequestMessage> waiting = new ArrayList<>();
  private boolean checking;

  LoginHandler(Logins logins, AuditLog audit) {
    this.logins = logins;
    this.audit = audit;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof RequestMessage request)) {
      context.close();
    } else if (Tokens.OPS_AUTHENTICATION.equals(request.getOp())) {
      answer(context, request);
    } else if (waiting.size() == WAITING) {
      fail(context, request, "too many requests before the login");
    } else {
      waiting.add(request);
      if (waiting.size() == 1) {
        context.writeAndFlush(
            ResponseMessage.build(request).code(ResponseStatusCode.AUTHENTICATE).create());
      }
    }
  }

  private void answer(ChannelHandlerContext context, RequestMessage request) {
    Optional<SaslPlain> credentials = credentials(request);
    if (credentials.isEmpty() || checking) {
      fail(context, request, "a login takes one SASL PLAIN message with a name and a password");
      return;
    }
    checking = true;
    String name = credentials.get().name();
    logins
        .login(name, credentials.get().password(), address(context))
        .thenAccept(
            login -> context.executor().execute(() -> finish(context, request, name, login)));
  }

  private void finish(
      ChannelHandlerContext context, RequestMessage request, String name, Login login) {
    if (context.isRemoved()) {
      return; // the connection was closed meanwhile
    }
    audit.login(name, context.channel(), VIA, login);
    if (login.account().isEmpty()) {
      fail(context, request, login.problem());
      return;
    }
    context.channel().attr(StateKey.AUTHENTICATED_USER).set(login.account().get());
    List<RequestMessage> passed = List.copyOf(waiting);
    waiting.clear();
    passed.forEach(context::fireChannelRead);
    context.pipeline().remove(this);
  }

  private static Optional<SaslPlain> credentials(RequestMessage request) {
    Object mechanism = request.getArgs().get(Tokens.ARGS_SASL_MECHANISM);
    boolean plain = mechanism == null || "".equals(mechanism) || "PLAIN".equals(mechanism);
    if (!plain || !(request.getArgs().get(Tokens.ARGS_SASL) instanceof String encoded)) {
      return Optional.empty();
    }
    try {
      return SaslPlain.of(Base64.getDecoder().decode(encoded));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private void fail(ChannelHandlerContext context, RequestMessage request, String problem) {
    waiting.add(request);
    for (RequestMessage one : waiting) {
      context.write(
          ResponseMessage.build(one)
              .code(ResponseStatusCode.UNAUTHORIZED)
              .statusMessage("login refused: " + problem)
              .create());
    }
    waiting.clear();
    context.flush();
    context.close();
  }

  static InetAddress address(ChannelHandlerContext context) {
    return context.channel().remoteAddress() instanceof InetSocketAddress internet
        ? internet.getAddress()
        : InetAddress.getLoopbackAddress();
  }
}

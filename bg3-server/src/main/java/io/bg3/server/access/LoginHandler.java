package io.bg3.server.access;

import io.bg3.server.connection.ConnectionGate;
import io.bg3.server.connection.ReceiveBuffers;
import io.bg3.server.connection.ReceiveMeter;
import io.netty.buffer.CompositeByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;

/**
 * Lets a WebSocket through once it has logged in, by SASL PLAIN as TinkerPop's drivers do it: the
 * first request is answered with a challenge, the next message carries name and password, and then
 * the requests that waited go on.
 *
 * <p>Stands where messages are whole and still bytes, ahead of everything that validates or decodes
 * them:
 *
 * <ul>
 *   <li>M1: a request that comes before the login waits as the bytes that it is. Drivers send their
 *       first request before they are challenged, and some send several: {@value #WAITING} may
 *       wait. {@link ReceiveBuffers} bounds the bytes that all connections hold.
 *   <li>M2: the message with name and password is small, and is read in the threads of {@link
 *       Logins}.
 *   <li>M3: a connection has one attempt and {@code server.login.timeout} for it. When it fails, or
 *       sends more than M1 allows, the connection is closed behind the answer.
 * </ul>
 *
 * <p>Threads: one instance a connection, in its event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // nobody waits for an answer to be sent
final class LoginHandler extends ChannelInboundHandlerAdapter {
  static final int WAITING = 32;

  private static final String VIA = "websocket";

  private final Logins logins;
  private final AuditLog audit;
  private final AnswerFormats formats;
  private final long timeoutMillis;
  private final List<WebSocketFrame> waiting = new ArrayList<>();
  private Future<?> refusal; // that is held back
  private Future<?> deadline;
  private WebSocketFrame login; // null until it has come, and when it has been dealt with
  private boolean failed;

  /**
   * A handler for one connection.
   *
   * @param timeoutMillis how long a connection may take, once it is a WebSocket, to send its login
   */
  LoginHandler(Logins logins, AuditLog audit, AnswerFormats formats, long timeoutMillis) {
    this.logins = logins;
    this.audit = audit;
    this.formats = formats;
    this.timeoutMillis = timeoutMillis;
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof WebSocketServerProtocolHandler.HandshakeComplete) {
      deadline =
          context.executor().schedule(() -> expire(context), timeoutMillis, TimeUnit.MILLISECONDS);
    }
    context.fireUserEventTriggered(event);
  }

  private void expire(ChannelHandlerContext context) {
    if (login == null && !failed) {
      fail(context, "it took longer than server.login.timeout", 0);
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    if (deadline != null) {
      deadline.cancel(false);
    }
    if (refusal != null) {
      refusal.cancel(false);
    }
    dropAll(context);
  }

  private void dropAll(ChannelHandlerContext context) {
    waiting.forEach(frame -> drop(context, frame));
    waiting.clear();
    if (login != null) {
      drop(context, login);
      login = null;
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof WebSocketFrame frame)) {
      ReferenceCountUtil.release(message); // no WebSocket, so no login either
      context.close();
    } else if (!(frame instanceof BinaryWebSocketFrame || frame instanceof TextWebSocketFrame)) {
      context.fireChannelRead(frame); // is about the connection, not a message
    } else if (failed) {
      drop(context, frame);
    } else {
      read(context, frame);
    }
  }

  private void read(ChannelHandlerContext context, WebSocketFrame received) {
    WebSocketFrame frame = inOnePiece(received);
    RawMessage raw = RawMessage.of(frame);
    formats.set(context.channel(), frame, raw);
    if (raw.isLogin()) {
      logIn(context, frame);
    } else if (waiting.size() < WAITING) {
      waiting.add(frame);
      if (waiting.size() == 1) {
        answer(context, raw.id(), ResponseStatusCode.AUTHENTICATE, "");
      }
    } else {
      waiting.add(frame); // to be answered with the others
      fail(context, "too many requests before the login", 0);
    }
  }

  private void logIn(ChannelHandlerContext context, WebSocketFrame frame) {
    boolean isFirst = login == null;
    if (isFirst) {
      login = frame;
    } else {
      waiting.add(frame); // to be answered with the others
    }
    if (!isFirst || frame.content().readableBytes() > RawMessage.LONGEST) {
      fail(context, "a login takes one SASL PLAIN message with a name and a password", 0);
      return;
    }
    ConnectionGate.setTrying(context.channel());
    WebSocketFrame message = frame.retainedDuplicate();
    logins
        .login(
            () -> {
              try {
                return RawMessage.credentials(message);
              } finally {
                message.release();
              }
            },
            LoginClient.of(
                context.channel(), outcome -> audit.login(context.channel(), VIA, outcome)))
        .thenAccept(outcome -> context.executor().execute(() -> finish(context, outcome)));
  }

  private void finish(ChannelHandlerContext context, Login outcome) {
    if (context.isRemoved() || failed) {
      return; // the connection was closed meanwhile, or has sent too much
    }
    if (outcome.account().isEmpty()) {
      fail(context, outcome.problem(), outcome.pauseMillis());
      return;
    }
    ConnectionGate.setBusy(context.channel());
    context.channel().attr(StateKey.AUTHENTICATED_USER).set(outcome.account().get());
    logins.watch(context.channel(), outcome.account().get());
    drop(context, login);
    login = null;
    List<WebSocketFrame> passed = List.copyOf(waiting);
    waiting.clear();
    for (WebSocketFrame frame : passed) {
      context.fireChannelRead(frame); // is counted until the next handler has it
    }
    context.pipeline().remove(this);
  }

  /** Refuses all that was sent, after a pause, and closes the connection. */
  private void fail(ChannelHandlerContext context, String problem, long pauseMillis) {
    failed = true;
    if (login != null) { // is answered last: a driver knows its requests, and not its login
      waiting.add(login);
      login = null;
    }
    List<UUID> requests = waiting.stream().map(frame -> RawMessage.of(frame).id()).toList();
    dropAll(context);
    ConnectionGate.setIdle(context.channel());
    if (pauseMillis == 0) {
      refuse(context, requests, problem);
    } else {
      refusal =
          context
              .executor()
              .schedule(
                  () -> refuse(context, requests, problem), pauseMillis, TimeUnit.MILLISECONDS);
    }
  }

  private static void refuse(ChannelHandlerContext context, List<UUID> requests, String problem) {
    for (UUID request : requests) {
      answer(context, request, ResponseStatusCode.UNAUTHORIZED, "login refused: " + problem);
    }
    context.close();
  }

  private static void answer(
      ChannelHandlerContext context, UUID request, ResponseStatusCode code, String message) {
    context.writeAndFlush(
        ResponseMessage.build(request).code(code).statusMessage(message).create());
  }

  private static void drop(ChannelHandlerContext context, WebSocketFrame frame) {
    long size = ReceiveMeter.size(frame);
    frame.release();
    ReceiveBuffers.of(context.channel()).ifPresent(share -> share.handedOn(size));
  }

  /** A frame in one piece: a message that came in parts is kept with an object for each of them. */
  private static WebSocketFrame inOnePiece(WebSocketFrame frame) {
    if (!(frame.content() instanceof CompositeByteBuf parts)) {
      return frame;
    }
    WebSocketFrame whole = frame.replace(parts.copy());
    frame.release();
    return whole;
  }
}

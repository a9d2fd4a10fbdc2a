package io.bg3.server.http;

import io.bg3.server.access.Access;
import io.bg3.server.access.HttpAnswer;
import io.bg3.server.access.HttpLogin;
import io.bg3.server.access.Readiness;
import io.bg3.server.answer.Admission;
import io.bg3.server.connection.ConnectionGate;
import io.bg3.server.connection.ReceiveBuffers;
import io.bg3.server.connection.ReceiveMeter;
import io.bg3.server.request.MessageReader;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Answers checks of the health, and lets in what is well-formed, asks for something that is there,
 * comes from no other site's page and, where there are users, from one of them.
 *
 * <p>Threads: one instance a connection, in its event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // nobody waits for an answer to be sent
final class HttpAccessHandler extends ChannelInboundHandlerAdapter {
  static final String PATH = "/gremlin";

  /** Where a container or a load balancer asks whether the server takes requests. */
  static final String HEALTH = "/health";

  private final Access access;
  private final Readiness readiness;
  private final Admission intake;
  private Future<?> refusal; // that is held back

  HttpAccessHandler(Access access, Readiness readiness, Admission intake) {
    this.access = access;
    this.readiness = readiness;
    this.intake = intake;
  }

  /** Whether a request asks for the health, which needs no login. */
  static boolean isHealthCheck(FullHttpRequest request) {
    return request.decoderResult().isSuccess()
        && request.method().equals(HttpMethod.GET)
        && new QueryStringDecoder(request.uri()).rawPath().equals(HEALTH);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    if (refusal != null) {
      refusal.cancel(false);
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    FullHttpRequest request = (FullHttpRequest) message;
    if (isRefused(context, request)) {
      drop(context, request);
      return;
    }
    if (access.logins().isPresent()) {
      ConnectionGate.setTrying(context.channel());
      logIn(context, request);
    } else {
      pass(context, request);
    }
  }

  private boolean isRefused(ChannelHandlerContext context, FullHttpRequest request) {
    if (!intake.isOpen()) {
      HttpAnswer.refuse(context, HttpResponseStatus.SERVICE_UNAVAILABLE, Admission.STOPPING);
      return true;
    }
    if (request.decoderResult().isFailure()) {
      HttpAnswer.refuse(context, HttpResponseStatus.BAD_REQUEST, "not a request of HTTP/1.1");
      return true;
    }
    Optional<String> problem = access.rules().problem(request.headers());
    if (problem.isPresent()) {
      HttpAnswer.refuse(context, HttpResponseStatus.FORBIDDEN, problem.get());
      return true;
    }
    if (isHealthCheck(request)) {
      HttpAnswer.health(context, readiness);
      return true;
    }
    if (!new QueryStringDecoder(request.uri()).rawPath().equals(PATH)) {
      HttpAnswer.refuse(context, HttpResponseStatus.NOT_FOUND, "queries are answered at " + PATH);
      return true;
    }
    if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.POST)) {
      FullHttpResponse response =
          HttpAnswer.error(
              context, HttpResponseStatus.METHOD_NOT_ALLOWED, "a query comes by POST or GET");
      response.headers().set(HttpHeaderNames.ALLOW, "GET, POST");
      context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
      return true;
    }
    return false;
  }

  private void logIn(ChannelHandlerContext context, FullHttpRequest request) {
    new HttpLogin(access)
        .of(
            context,
            request.headers().get(HttpHeaderNames.AUTHORIZATION),
            refused -> finish(context, request, refused));
  }

  private void finish(
      ChannelHandlerContext context, FullHttpRequest request, Optional<HttpLogin.Refused> refused) {
    if (context.isRemoved()) { // the connection was closed meanwhile
      drop(context, request);
      return;
    }
    if (refused.isEmpty()) {
      pass(context, request);
      return;
    }
    ConnectionGate.setIdle(context.channel());
    UUID id = MessageReader.id(request.content());
    drop(context, request);
    String problem = refused.get().problem();
    if (refused.get().pauseMillis() == 0) {
      refuse(context, id, problem);
    } else {
      refusal =
          context
              .executor()
              .schedule(
                  () -> refuse(context, id, problem),
                  refused.get().pauseMillis(),
                  TimeUnit.MILLISECONDS);
    }
  }

  private static void pass(ChannelHandlerContext context, FullHttpRequest request) {
    ConnectionGate.setBusy(context.channel());
    long size = ReceiveMeter.size(request);
    context.fireChannelRead(request);
    handedOn(context, size);
  }

  private static void drop(ChannelHandlerContext context, FullHttpRequest request) {
    long size = ReceiveMeter.size(request);
    ReferenceCountUtil.release(request);
    handedOn(context, size);
  }

  private static void handedOn(ChannelHandlerContext context, long size) {
    ReceiveBuffers.of(context.channel()).ifPresent(share -> share.handedOn(size));
  }

  private static void refuse(ChannelHandlerContext context, UUID request, String problem) {
    FullHttpResponse response =
        HttpAnswer.error(context, HttpResponseStatus.UNAUTHORIZED, request, problem);
    response
        .headers()
        .set(HttpHeaderNames.WWW_AUTHENTICATE, "Basic realm=\"BG3\", charset=\"UTF-8\"");
    context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
  }
}

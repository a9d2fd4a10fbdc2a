package io.bg3.server.access;

import io.bg3.server.log.ClientLog;
import io.bg3.server.metrics.ServerMeters;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;

/**
 * Writes a line for each request of HTTP that is refused before it is a query, and counts it: one
 * that {@link HttpAnswer} refuses, and one that is too large for Netty to put together. Refusals of
 * queries are seen by {@link AnswerLog} and {@link AnswerCounter}.
 *
 * <p>Stands directly behind what writes responses out, so that it sees those of every handler.
 * Threads: shared by all connections, without state of its own.
 */
@Sharable
@SuppressWarnings("FutureReturnValueIgnored") // nobody waits for an answer to be sent
public final class HttpRefusals extends ChannelOutboundHandlerAdapter {
  private final ClientLog log;
  private final ServerMeters meters;

  /** Writes to this log and counts in these figures. */
  public HttpRefusals(ClientLog log, ServerMeters meters) {
    this.log = log;
    this.meters = meters;
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof HttpRefused refused) {
      report(
          context,
          refused.status(),
          ", request=" + refused.request() + ", problem=" + refused.message());
    } else if (message instanceof FullHttpResponse response
        && response.status().equals(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE)) {
      report(context, response.status(), ", problem=the request is too large");
    }
    context.write(message, promise);
  }

  private void report(ChannelHandlerContext context, HttpResponseStatus status, String detail) {
    log.warn("request refused", context.channel(), "status=" + status.code() + detail);
    meters.answered(code(status));
  }

  /** The status that a WebSocket's client would have got. */
  private static ResponseStatusCode code(HttpResponseStatus status) {
    return switch (status.code()) {
      case 401 -> ResponseStatusCode.UNAUTHORIZED;
      case 403 -> ResponseStatusCode.FORBIDDEN;
      case 429 -> ResponseStatusCode.TOO_MANY_REQUESTS;
      case 503 -> ResponseStatusCode.SERVER_ERROR_TEMPORARY;
      case 500 -> ResponseStatusCode.SERVER_ERROR;
      default -> ResponseStatusCode.REQUEST_ERROR_MALFORMED_REQUEST;
    };
  }
}

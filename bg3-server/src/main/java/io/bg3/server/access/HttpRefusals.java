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
 * Logs and counts each HTTP request that the server refuses before it becomes a query: requests
 * refused by {@link HttpAnswer}, and requests too large for Netty to aggregate. {@link AnswerLog}
 * and {@link AnswerCounter} do the same for queries.
 *
 * <p>It stands next to the HTTP encoder, so it sees the responses of every handler. Threads: any;
 * all connections share one instance, which has no state of its own.
 */
@Sharable
@SuppressWarnings("FutureReturnValueIgnored") // no caller waits until a response is sent
public final class HttpRefusals extends ChannelOutboundHandlerAdapter {
  private final ClientLog log;
  private final ServerMeters meters;

  /** Creates a handler that writes to this log and counts in these metrics. */
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

  /** The status code that a WebSocket client gets for this error. */
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

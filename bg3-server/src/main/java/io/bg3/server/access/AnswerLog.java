package io.bg3.server.access;

import io.bg3.server.log.Causes;
import io.bg3.server.log.ClientLog;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.util.List;
import org.apache.tinkerpop.gremlin.server.auth.AuthenticatedUser;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatus;

/**
 * Logs a line for each response that is an error, with the client's address and user, which
 * TinkerPop's own lines lack. It logs no conflicts and no {@code fail()} steps, which applications
 * expect.
 *
 * <p>It stands where the pipeline writes responses out, so it sees the responses of every handler.
 * Threads: any; all connections share one instance, which has no state of its own.
 */
@Sharable
@SuppressWarnings("FutureReturnValueIgnored") // no caller waits until a response is sent
public final class AnswerLog extends ChannelOutboundHandlerAdapter {
  private final ClientLog log;

  /** Creates a handler that writes to this log. */
  public AnswerLog(ClientLog log) {
    this.log = log;
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof ResponseMessage response) {
      report(context, response);
    }
    context.write(message, promise);
  }

  private void report(ChannelHandlerContext context, ResponseMessage response) {
    ResponseStatus status = response.getStatus();
    switch (status.getCode()) {
      case SUCCESS,
          NO_CONTENT,
          PARTIAL_CONTENT,
          AUTHENTICATE,
          SERVER_ERROR_TEMPORARY,
          SERVER_ERROR_FAIL_STEP -> {}
      case UNAUTHORIZED,
          FORBIDDEN,
          TOO_MANY_REQUESTS,
          REQUEST_ERROR_SERIALIZATION,
          REQUEST_ERROR_MALFORMED_REQUEST,
          REQUEST_ERROR_INVALID_REQUEST_ARGUMENTS ->
          log.warn("request refused", context.channel(), head(context, response) + message(status));
      case SERVER_ERROR_TIMEOUT ->
          log.warn("query timed out", context.channel(), head(context, response));
      default ->
          log.warn("query failed", context.channel(), head(context, response) + cause(status));
    }
  }

  private static String head(ChannelHandlerContext context, ResponseMessage response) {
    AuthenticatedUser user = context.channel().attr(StateKey.AUTHENTICATED_USER).get();
    return (user == null ? "" : "user=\"" + user.getName() + "\", ")
        + "status="
        + response.getStatus().getCode().getValue()
        + ", request="
        + response.getRequestId();
  }

  private static String message(ResponseStatus status) {
    String text = status.getMessage();
    return text == null || text.isEmpty() ? "" : ", problem=" + text;
  }

  /**
   * The class of the failure and its place in the code. Only the client gets the message, because a
   * message may quote the query and values of the graph.
   */
  private static String cause(ResponseStatus status) {
    List<?> exceptions = exceptions(status);
    if (exceptions.isEmpty()) {
      return message(status);
    }
    Object trace = status.getAttributes().get(Tokens.STATUS_ATTRIBUTE_STACK_TRACE);
    String place = trace == null ? "" : Causes.place((String) trace);
    return ", cause=" + exceptions.get(0) + (place.isEmpty() ? "" : ", at=" + place);
  }

  private static List<?> exceptions(ResponseStatus status) {
    return status.getAttributes().get(Tokens.STATUS_ATTRIBUTE_EXCEPTIONS) instanceof List<?> names
        ? names
        : List.of();
  }
}

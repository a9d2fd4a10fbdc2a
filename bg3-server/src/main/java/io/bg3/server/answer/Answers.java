package io.bg3.server.answer;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinParserException;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;

/**
 * Writes the responses to WebSocket requests that the server refuses or answers itself, and closes
 * connections.
 */
@SuppressWarnings("FutureReturnValueIgnored") // no caller waits until a response is sent
public final class Answers {
  /** The exception that a stock Gremlin Server reports for a syntax error; drivers look for it. */
  private static final List<String> SYNTAX_ERROR = List.of(GremlinParserException.class.getName());

  private Answers() {}

  public static void refuse(ChannelHandlerContext context, UUID request, Refusal refusal) {
    write(context, ResponseMessage.build(request), refusal);
  }

  public static void refuse(
      ChannelHandlerContext context, RequestMessage request, Refusal refusal) {
    write(context, ResponseMessage.build(request), refusal);
  }

  /** Answers a request with a server error (500) that carries the cause. */
  public static void fail(
      ChannelHandlerContext context, RequestMessage request, String problem, Exception cause) {
    context.writeAndFlush(
        ResponseMessage.build(request)
            .code(ResponseStatusCode.SERVER_ERROR)
            .statusMessage(problem)
            .statusAttributeException(cause)
            .create());
  }

  /** Answers that a request succeeded and has no results (204). */
  public static void done(ChannelHandlerContext context, RequestMessage request) {
    context.writeAndFlush(
        ResponseMessage.build(request).code(ResponseStatusCode.NO_CONTENT).create());
  }

  /** Closes a connection after the responses written so far have been sent. */
  public static void closeAfterAnswers(Channel channel) {
    channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
  }

  /** Closes a connection without a response. */
  public static void close(Channel channel) {
    channel.close();
  }

  private static void write(
      ChannelHandlerContext context, ResponseMessage.Builder answer, Refusal refusal) {
    if (refusal.isSyntaxError()) {
      answer.statusAttribute(Tokens.STATUS_ATTRIBUTE_EXCEPTIONS, SYNTAX_ERROR);
    }
    context.writeAndFlush(answer.code(refusal.code()).statusMessage(refusal.getMessage()).create());
  }
}

package io.bg3.server.guard;

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

/** The answers to requests that are not passed on. */
@SuppressWarnings("FutureReturnValueIgnored") // nobody waits for an answer to be sent
final class Answers {
  /** What TinkerPop tells a client of the cause of a syntax error. */
  private static final List<String> SYNTAX_ERROR = List.of(GremlinParserException.class.getName());

  private Answers() {}

  static void refuse(ChannelHandlerContext context, UUID request, Refusal refusal) {
    write(context, ResponseMessage.build(request), refusal);
  }

  static void refuse(ChannelHandlerContext context, RequestMessage request, Refusal refusal) {
    write(context, ResponseMessage.build(request), refusal);
  }

  /** Answers a request that the server itself could not deal with. */
  static void fail(
      ChannelHandlerContext context, RequestMessage request, String problem, Exception cause) {
    context.writeAndFlush(
        ResponseMessage.build(request)
            .code(ResponseStatusCode.SERVER_ERROR)
            .statusMessage(problem)
            .statusAttributeException(cause)
            .create());
  }

  /** Says that a request is done and has no results. */
  static void done(ChannelHandlerContext context, RequestMessage request) {
    context.writeAndFlush(
        ResponseMessage.build(request).code(ResponseStatusCode.NO_CONTENT).create());
  }

  /** Ends a connection when what was written to it has been sent. */
  static void closeAfterAnswers(Channel channel) {
    channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
  }

  /** Ends a connection without an answer. */
  static void close(Channel channel) {
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

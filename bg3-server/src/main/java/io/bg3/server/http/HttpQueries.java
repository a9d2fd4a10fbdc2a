package io.bg3.server.http;

import io.bg3.server.access.HttpAnswer;
import io.bg3.server.answer.Admission;
import io.bg3.server.connection.UnreadAnswers;
import io.bg3.server.request.MessageReader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;
import java.util.Collection;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinParserException;
import org.apache.tinkerpop.gremlin.server.handler.Frame;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatus;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;
import org.apache.tinkerpop.shaded.jackson.databind.ObjectMapper;
import org.apache.tinkerpop.shaded.jackson.databind.node.ObjectNode;

/**
 * Turns an HTTP request into a message, and what answers the message into an HTTP response. A
 * result of one batch is a response with a length; one of more is sent as it comes, in chunks.
 *
 * <p>Threads: one instance a connection, in its event loop; a connection has one request at a time.
 */
@SuppressWarnings("FutureReturnValueIgnored") // nobody waits for an answer to be sent
final class HttpQueries extends ChannelDuplexHandler {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final MessageReader messages;
  private BinaryBatches binary = new BinaryBatches(); // of one request
  private volatile UUID id;
  private JsonBatches format;
  private boolean inBinary;
  private HttpVersion version;
  private boolean started;

  /** Reads the messages of drivers so. */
  HttpQueries(MessageReader messages) {
    this.messages = messages;
  }

  /** Queues a request as bytes of its own: Netty's buffer is larger, and has to be given back. */
  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    FullHttpRequest request = (FullHttpRequest) message;
    try {
      byte[] body = ByteBufUtil.getBytes(request.content());
      format = JsonBatches.wanted(request.headers());
      inBinary = request.headers().containsValue(HttpHeaderNames.ACCEPT, BinaryBatches.TYPE, true);
      version = request.protocolVersion();
      started = false;
      release(context);
      binary = new BinaryBatches();
      context.channel().attr(StateKey.SERIALIZER).set(inBinary ? binary : format);
      context.channel().attr(StateKey.USE_BINARY).set(true); // both make bytes
      context.fireChannelRead(
          new HttpRequestWork(
              messages,
              request.replace(Unpooled.wrappedBuffer(body)),
              body.length,
              read -> id = read));
    } finally {
      ReferenceCountUtil.release(request);
    }
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof Frame frame && frame.getMsg() instanceof ByteBuf bytes) {
      if (inBinary) {
        binaryBatch(context, bytes, promise);
      } else {
        jsonBatch(context, bytes, promise);
      }
    } else if (message instanceof ResponseMessage response) {
      answer(context, response, promise);
    } else {
      context.write(message, promise);
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    binary.release();
  }

  private void binaryBatch(ChannelHandlerContext context, ByteBuf batch, ChannelPromise promise) {
    boolean last = BinaryBatches.isLast(batch);
    if (started || !context.channel().isActive()) { // no client waits for it
      batch.release();
      promise.tryFailure(new ClosedChannelException());
    } else if (!binary.add(id, batch, context.alloc())) {
      release(context);
      started = true;
      HttpAnswer.refuse(
          context, HttpResponseStatus.INTERNAL_SERVER_ERROR, id, BinaryBatches.TOO_LARGE);
      promise.trySuccess();
    } else if (last) {
      context.write(collected(context), promise);
    } else {
      UnreadAnswers.collect(context.channel(), binary.size());
      promise.trySuccess();
    }
  }

  private FullHttpResponse collected(ChannelHandlerContext context) {
    ByteBuf all = binary.take(id, context.alloc());
    UnreadAnswers.collect(context.channel(), 0);
    return whole(HttpResponseStatus.OK, all);
  }

  private void release(ChannelHandlerContext context) {
    binary.release();
    UnreadAnswers.collect(context.channel(), 0);
  }

  private FullHttpResponse whole(HttpResponseStatus status, ByteBuf body) {
    return whole(status, body, BinaryBatches.TYPE);
  }

  private void jsonBatch(ChannelHandlerContext context, ByteBuf batch, ChannelPromise promise) {
    boolean last = JsonBatches.isLast(batch);
    ByteBuf text =
        Unpooled.wrappedBuffer(
            utf8(context, started ? "," : head()),
            JsonBatches.elements(batch),
            utf8(context, last ? tail(200, "") : ""));
    if (last && !started) {
      context.write(whole(HttpResponseStatus.OK, text, format.type()), promise);
    } else if (last) {
      context.write(new DefaultLastHttpContent(text), promise);
    } else {
      if (!started) {
        started = true;
        HttpResponse response =
            new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, format.type());
        HttpAnswer.harden(response.headers());
        HttpUtil.setTransferEncodingChunked(response, version.equals(HttpVersion.HTTP_1_1));
        context.write(response);
      }
      context.write(new DefaultHttpContent(text), promise);
    }
  }

  private void answer(
      ChannelHandlerContext context, ResponseMessage response, ChannelPromise promise) {
    ResponseStatusCode code = response.getStatus().getCode();
    String message = response.getStatus().getMessage();
    if (started) { // H5
      context
          .write(
              new DefaultHttpContent(utf8(context, tail(code.getValue(), message))),
              promise.unvoid())
          .addListener(ChannelFutureListener.CLOSE);
    } else if (code == ResponseStatusCode.NO_CONTENT && inBinary) {
      context.write(collected(context), promise);
    } else if (code == ResponseStatusCode.NO_CONTENT) {
      context.write(whole(context, HttpResponseStatus.OK, head() + tail(200, "")), promise);
    } else {
      release(context);
      String text = head(message) + tail(code.getValue(), message);
      context.write(whole(context, status(response.getStatus()), text), promise);
    }
  }

  /** The status of HTTP that says the same as one of TinkerPop's. */
  static HttpResponseStatus status(ResponseStatus status) {
    if (isSyntaxError(status)) {
      return HttpResponseStatus.BAD_REQUEST;
    }
    return switch (status.getCode()) {
      case UNAUTHORIZED, FORBIDDEN -> HttpResponseStatus.FORBIDDEN;
      case TOO_MANY_REQUESTS -> HttpResponseStatus.TOO_MANY_REQUESTS;
      case REQUEST_ERROR_SERIALIZATION,
          REQUEST_ERROR_MALFORMED_REQUEST,
          REQUEST_ERROR_INVALID_REQUEST_ARGUMENTS ->
          HttpResponseStatus.BAD_REQUEST;
      case SERVER_ERROR_TEMPORARY ->
          Admission.STOPPING.equals(status.getMessage())
              ? HttpResponseStatus.SERVICE_UNAVAILABLE
              : HttpResponseStatus.CONFLICT;
      case SERVER_ERROR_TIMEOUT -> HttpResponseStatus.GATEWAY_TIMEOUT;
      default -> HttpResponseStatus.INTERNAL_SERVER_ERROR;
    };
  }

  /** Whether the text is not Gremlin, or names a variable that the request does not bind. */
  private static boolean isSyntaxError(ResponseStatus status) {
    String grammar = GremlinParserException.class.getPackageName() + ".";
    return status.getAttributes().get(Tokens.STATUS_ATTRIBUTE_EXCEPTIONS)
            instanceof Collection<?> exceptions
        && exceptions.stream().anyMatch(name -> String.valueOf(name).startsWith(grammar));
  }

  private FullHttpResponse whole(
      ChannelHandlerContext context, HttpResponseStatus status, String text) {
    return whole(status, utf8(context, text), format.type());
  }

  private static FullHttpResponse whole(HttpResponseStatus status, ByteBuf body, String type) {
    FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, type);
    HttpAnswer.harden(response.headers());
    HttpUtil.setContentLength(response, body.readableBytes());
    return response;
  }

  private String head() {
    return head("");
  }

  /** The beginning of an answer; drivers read what went wrong beside the id, not in the status. */
  private String head(String problem) {
    String message =
        problem == null || problem.isEmpty()
            ? ""
            : ",\"message\":" + JSON.getNodeFactory().textNode(problem);
    return "{\"requestId\":\"" + id + "\"" + message + ",\"result\":{\"data\":" + format.begin();
  }

  private String tail(int code, String message) {
    ObjectNode status = JSON.createObjectNode().put("message", message).put("code", code);
    String attributes = ",\"attributes\":" + format.nothing() + "}";
    String text = status.toString();
    return format.end()
        + ",\"meta\":"
        + format.nothing()
        + "},\"status\":"
        + text.substring(0, text.length() - 1)
        + attributes
        + "}\n";
  }

  private static ByteBuf utf8(ChannelHandlerContext context, String text) {
    return ByteBufUtil.writeUtf8(context.alloc(), text);
  }
}

package io.bg3.server.http;

import io.bg3.server.access.AccountConnectionUsers;
import io.bg3.server.access.HttpAnswer;
import io.bg3.server.answer.Refusal;
import io.bg3.server.guard.DecodedSize;
import io.bg3.server.request.MessageReader;
import io.bg3.server.request.QueuedRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;

/** A query that came by HTTP, in the URI, as JSON or as a driver's message. */
final class HttpRequestWork extends QueuedRequest {
  /** Heap that a byte of JSON takes at most when it is a tree: an empty array has three bytes. */
  private static final int BYTES_A_BYTE = 40;

  private final MessageReader messages;
  private final FullHttpRequest request;
  private final Consumer<UUID> named;

  /**
   * @param request with a body that needs no release
   * @param length of the body
   * @param named is told the id of the request, before it is answered
   */
  HttpRequestWork(
      MessageReader messages, FullHttpRequest request, int length, Consumer<UUID> named) {
    super(length + request.uri().length());
    this.messages = messages;
    this.request = request;
    this.named = named;
  }

  @Override
  protected Optional<RequestMessage> read() throws Refusal {
    boolean reads = request.method().equals(HttpMethod.GET);
    String type = QueryText.type(request);
    boolean isSentByDriver = !reads && messages.reads(type);
    if (!reads && !isSentByDriver && !type.equals(QueryText.JSON_TYPE)) { // H3
      refuse(
          HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE,
          "a query comes as JSON, Content-Type=application/json, or as a driver's message");
      return Optional.empty();
    }
    try {
      RequestMessage query;
      if (isSentByDriver) {
        query = messages.read(type, request.content().duplicate(), this);
      } else {
        take((long) BYTES_A_BYTE * bytes());
        query = QueryText.read(request);
        shrink(DecodedSize.of(query.getArgs()));
      }
      named.accept(query.getRequestId());
      context().channel().attr(AccountConnectionUsers.READS_ONLY).set(reads); // H2
      return Optional.of(query);
    } catch (IllegalArgumentException e) {
      refuse(HttpResponseStatus.BAD_REQUEST, e.getMessage());
      return Optional.empty();
    }
  }

  @Override
  protected UUID id() {
    return MessageReader.id(request.content());
  }

  @Override
  protected boolean mayBeInSession() {
    return false; // sessions take a WebSocket
  }

  @Override
  protected boolean belongsToSession() {
    return false;
  }

  @Override
  protected void refuse(Refusal why) {
    ResponseMessage answer =
        ResponseMessage.build(id()).code(why.code()).statusMessage(why.getMessage()).create();
    refuse(HttpQueries.status(answer.getStatus()), why.getMessage());
  }

  private void refuse(HttpResponseStatus status, String message) {
    HttpAnswer.refuse(context(), status, id(), message);
  }
}

package io.bg3.server.request;

import io.bg3.server.answer.Answers;
import io.bg3.server.answer.Refusal;
import io.netty.buffer.Unpooled;
import java.util.Optional;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/** A message of a WebSocket. */
final class WebSocketRequest extends QueuedRequest {
  private final WebSocketMessages messages;
  private final boolean isBinary;
  private final byte[] bytes;

  WebSocketRequest(WebSocketMessages messages, byte[] bytes, boolean isBinary) {
    super(bytes.length);
    this.messages = messages;
    this.bytes = bytes;
    this.isBinary = isBinary;
  }

  @Override
  protected Optional<RequestMessage> read() throws Refusal {
    return Optional.of(
        messages.read(
            context().channel(), Unpooled.wrappedBuffer(bytes), isBinary, this::isAlone, this));
  }

  @Override
  protected Optional<QueuedRequest> again() {
    return Optional.of(new WebSocketRequest(messages, bytes, isBinary));
  }

  @Override
  protected boolean isRepeatable() {
    return true;
  }

  @Override
  protected UUID id() {
    return messages.id(Unpooled.wrappedBuffer(bytes), isBinary);
  }

  @Override
  protected boolean mayBeInSession() {
    return messages.mayBeInSession(Unpooled.wrappedBuffer(bytes), isBinary);
  }

  @Override
  protected boolean belongsToSession() {
    return messages.isInSession(Unpooled.wrappedBuffer(bytes), isBinary);
  }

  @Override
  protected void refuse(Refusal why) {
    messages.prepare(context().channel(), Unpooled.wrappedBuffer(bytes), isBinary);
    Answers.refuse(context(), id(), why);
  }
}

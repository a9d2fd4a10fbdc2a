package io.bg3.server.access;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.util.Map;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.apache.tinkerpop.gremlin.util.MessageSerializer;

/**
 * Chooses the serializer of a connection's responses: the one of the connection's latest message.
 *
 * <p>Threads: any; immutable.
 */
final class AnswerFormats {
  private final Map<String, MessageSerializer<?>> serializers;
  private final MessageSerializer<?> binary;
  private final MessageSerializer<?> text;

  /**
   * Creates the choice between these serializers.
   *
   * @param serializers by MIME type
   * @param binary for a binary message with an unknown MIME type
   * @param text for a text message
   */
  AnswerFormats(
      Map<String, MessageSerializer<?>> serializers,
      MessageSerializer<?> binary,
      MessageSerializer<?> text) {
    this.serializers = serializers;
    this.binary = binary;
    this.text = text;
  }

  /** Sets the serializer for the responses to a message. */
  void set(Channel channel, WebSocketFrame frame, RawMessage message) {
    boolean isBinary = frame instanceof BinaryWebSocketFrame;
    MessageSerializer<?> named = serializers.get(message.format());
    MessageSerializer<?> known = named == null ? binary : named;
    channel.attr(StateKey.SERIALIZER).set(isBinary ? known : text);
    channel.attr(StateKey.USE_BINARY).set(isBinary);
    channel.attr(StateKey.SESSION).set(null);
  }
}

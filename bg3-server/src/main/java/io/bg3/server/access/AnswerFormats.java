package io.bg3.server.access;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.util.Map;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.apache.tinkerpop.gremlin.util.MessageSerializer;

/**
 * Notes for a connection how its answers are written: in the format of its last message.
 *
 * <p>Threads: any, without state.
 */
final class AnswerFormats {
  private final Map<String, MessageSerializer<?>> serializers;
  private final MessageSerializer<?> binary;
  private final MessageSerializer<?> text;

  /**
   * Formats by their names.
   *
   * @param binary of messages that name a format which is not known
   * @param text of messages that are text
   */
  AnswerFormats(
      Map<String, MessageSerializer<?>> serializers,
      MessageSerializer<?> binary,
      MessageSerializer<?> text) {
    this.serializers = serializers;
    this.binary = binary;
    this.text = text;
  }

  void set(Channel channel, WebSocketFrame frame, RawMessage message) {
    boolean isBinary = frame instanceof BinaryWebSocketFrame;
    MessageSerializer<?> named = serializers.get(message.format());
    MessageSerializer<?> known = named == null ? binary : named;
    channel.attr(StateKey.SERIALIZER).set(isBinary ? known : text);
    channel.attr(StateKey.USE_BINARY).set(isBinary);
    channel.attr(StateKey.SESSION).set(null);
  }
}

package io.bg3.server.request;

import io.bg3.server.answer.Refusal;
import io.bg3.server.guard.AllowList;
import io.bg3.server.guard.GraphBinaryValidator;
import io.bg3.server.guard.GraphSonValidator;
import io.bg3.server.guard.Limits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.channel.Channel;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.apache.tinkerpop.gremlin.util.MessageSerializer;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1;
import org.apache.tinkerpop.gremlin.util.ser.MessageTextSerializer;
import org.apache.tinkerpop.gremlin.util.ser.SerializationException;

/**
 * Reads the messages of WebSockets: validates the bytes, and makes a request of them if nothing is
 * wrong with them. Notes with the connection how an answer is written.
 *
 * <p>Threads: any, without state. The requests of one connection are read one after the other.
 */
final class WebSocketMessages {
  /** Stands for the id of a request that cannot be read. */
  static final UUID UNKNOWN = new UUID(0, 0);

  private static final String BINARY = "application/vnd.graphbinary-v1.0";

  private final Map<String, MessageSerializer<?>> serializers;
  private final MessageSerializer<?> text;
  private final int nesting;
  private final GraphSonValidator json;

  /**
   * @param serializers by the name that a message begins with
   * @param text of messages without a name
   */
  WebSocketMessages(
      Map<String, MessageSerializer<?>> serializers, MessageSerializer<?> text, Limits limits) {
    this.serializers = serializers;
    this.text = text;
    this.nesting = limits.nesting();
    this.json = new GraphSonValidator(limits.nesting());
  }

  /**
   * Notes how an answer to a message is written that is not read, unless the connection has a
   * format: other requests of it may be answered just now.
   */
  void prepare(Channel channel, ByteBuf message, boolean isBinary) {
    if (channel.attr(StateKey.SERIALIZER).get() == null) {
      format(channel, isBinary ? named(message.duplicate()) : text, isBinary);
    }
  }

  /**
   * Notes how the answer to a message is written.
   *
   * @param isAlone tells whether no other request of the connection is under way: answers are
   *     written as the connection's last message was
   */
  private void choose(Channel channel, ByteBuf message, boolean isBinary, BooleanSupplier isAlone)
      throws Refusal {
    MessageSerializer<?> format = isBinary ? named(message.duplicate()) : text;
    MessageSerializer<?> now = channel.attr(StateKey.SERIALIZER).get();
    boolean isSame = format.equals(now) && channel.attr(StateKey.USE_BINARY).get().equals(isBinary);
    if (isSame) {
      return;
    }
    if (now == null || isAlone.getAsBoolean()) {
      format(channel, format, isBinary);
    } else {
      throw Refusal.malformed(
          "a connection has one format at a time: wait for the answers before another is used");
    }
  }

  /** The id of the request in a message, as far as it can be found without reading it. */
  UUID id(ByteBuf message, boolean isBinary) {
    ByteBuf bytes = message.duplicate();
    return isBinary && named(bytes) instanceof GraphBinaryMessageSerializerV1
        ? MessageIds.inBinary(bytes)
        : MessageIds.inText(bytes);
  }

  /** Whether a message may be a request in a session. */
  boolean mayBeInSession(ByteBuf message, boolean isBinary) {
    ByteBuf bytes = message.duplicate();
    boolean isGraphBinary = isBinary && named(bytes) instanceof GraphBinaryMessageSerializerV1;
    return isGraphBinary ? MessageIds.isInSession(bytes) : MessageIds.mayBeInSession(bytes);
  }

  /**
   * Whether a message is a request in a session, or cannot be read as any; false for a large one in
   * JSON, and for one in JSON that says so in an uncommon way.
   */
  boolean isInSession(ByteBuf message, boolean isBinary) {
    ByteBuf bytes = message.duplicate();
    boolean isGraphBinary = isBinary && named(bytes) instanceof GraphBinaryMessageSerializerV1;
    return isGraphBinary ? MessageIds.isInSession(bytes) : MessageIds.isTextInSession(bytes);
  }

  /** The format that a message begins with the name of; GraphBinary if it is not known. */
  private MessageSerializer<?> named(ByteBuf message) {
    int length = message.isReadable() ? message.readByte() : 0;
    boolean isThere = length > 0 && length <= message.readableBytes();
    String name =
        isThere ? message.readCharSequence(length, StandardCharsets.UTF_8).toString() : BINARY;
    return serializers.getOrDefault(name, serializers.get(BINARY));
  }

  /**
   * Reads a message.
   *
   * @param isAlone tells whether no other request of the connection is under way; may wait
   * @param room is told what the message takes when it is decoded, before it is; may throw
   * @throws Refusal if it is none, or may not be read
   */
  RequestMessage read(
      Channel channel,
      ByteBuf message,
      boolean isBinary,
      BooleanSupplier isAlone,
      DecodeBudget room)
      throws Refusal {
    choose(channel, message, isBinary, isAlone);
    if (!isBinary) {
      room.take(json.validate(new ByteBufInputStream(message.duplicate())).bytes());
      return decode(text, message);
    }
    int length = message.isReadable() ? message.readByte() : 0;
    if (length <= 0 || length > message.readableBytes()) {
      throw Refusal.malformed("message does not begin with the name of its format");
    }
    String name = message.readCharSequence(length, StandardCharsets.UTF_8).toString();
    MessageSerializer<?> serializer = serializers.get(name);
    if (serializer == null) {
      throw Refusal.malformed("format is not known: name=" + AllowList.shown(name));
    }
    if (serializer instanceof GraphBinaryMessageSerializerV1) {
      room.take(new GraphBinaryValidator(message.duplicate(), nesting).validate().bytes());
    } else {
      room.take(json.validate(new ByteBufInputStream(message.duplicate())).bytes());
    }
    return decode(serializer, message);
  }

  private RequestMessage decode(MessageSerializer<?> serializer, ByteBuf message) throws Refusal {
    try {
      return serializer == text
          ? ((MessageTextSerializer<?>) text)
              .deserializeRequest(message.toString(StandardCharsets.UTF_8))
          : serializer.deserializeRequest(message);
    } catch (SerializationException | RuntimeException | StackOverflowError e) {
      throw Refusal.malformed("message cannot be read as a request");
    }
  }

  private static void format(Channel channel, MessageSerializer<?> serializer, boolean isBinary) {
    channel.attr(StateKey.SERIALIZER).set(serializer);
    channel.attr(StateKey.USE_BINARY).set(isBinary);
  }
}

package io.bg3.server.guard;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.apache.tinkerpop.gremlin.util.MessageSerializer;
import org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1;

/**
 * Judges a message on its bytes, put together and decompressed, ahead of what makes objects of
 * them. Who sent a bad one is told what was bad, under the id of the request where it can be read,
 * and may send another.
 *
 * <p>Threads: shared by all connections, without state.
 */
@Sharable
final class MessageGate extends ChannelInboundHandlerAdapter {
  /** The id of the request that is being read, for the answer if reading it fails. */
  static final AttributeKey<UUID> REQUEST = AttributeKey.valueOf("bg3.request");

  private static final UUID UNKNOWN = new UUID(0, 0);
  private static final int VERSION_AND_ID = 17;
  private static final int START = 4_096;
  private static final Pattern ID =
      Pattern.compile(
          "\"requestId\"\\s*:\\s*(?:\\{[^{}]{0,80}\"@value\"\\s*:\\s*)?\"([0-9a-fA-F-]{36})\"");

  private final Map<String, MessageSerializer<?>> serializers;
  private final MessageSerializer<?> text;
  private final int nesting;
  private final JsonJudge json;

  /**
   * @param serializers by the name that a message begins with
   * @param text of messages without a name
   */
  MessageGate(
      Map<String, MessageSerializer<?>> serializers, MessageSerializer<?> text, Limits limits) {
    this.serializers = serializers;
    this.text = text;
    this.nesting = limits.nesting();
    this.json = new JsonJudge(limits.nesting());
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    try {
      if (message instanceof BinaryWebSocketFrame frame) {
        judgeBinary(context.channel(), frame.content().duplicate());
      } else if (message instanceof TextWebSocketFrame frame) {
        judgeText(context.channel(), frame.content().duplicate());
      } else if (message instanceof FullHttpRequest || !(message instanceof WebSocketFrame)) {
        ReferenceCountUtil.release(message); // nobody behind takes it: what is no WebSocket ends
        Answers.close(context.channel());
        return;
      }
    } catch (Refusal e) {
      ReferenceCountUtil.release(message);
      Answers.refuse(context, context.channel().attr(REQUEST).get(), e);
      return;
    }
    context.fireChannelRead(message);
  }

  private void judgeBinary(Channel channel, ByteBuf bytes) throws Refusal {
    format(channel, serializers.get("application/vnd.graphbinary-v1.0"), true, UNKNOWN);
    int length = bytes.isReadable() ? bytes.readByte() : 0;
    if (length <= 0 || length > bytes.readableBytes()) {
      throw Refusal.malformed("message does not begin with the name of its format");
    }
    String name = bytes.readCharSequence(length, StandardCharsets.UTF_8).toString();
    MessageSerializer<?> serializer = serializers.get(name);
    if (serializer == null) {
      throw Refusal.malformed("format is not known: name=" + AllowList.shown(name));
    }
    if (serializer instanceof GraphBinaryMessageSerializerV1) {
      format(channel, serializer, true, binaryId(bytes));
      new GraphBinaryJudge(bytes, nesting).judge();
    } else {
      format(channel, serializer, true, textId(bytes));
      json.judge(new ByteBufInputStream(bytes));
    }
  }

  private void judgeText(Channel channel, ByteBuf bytes) throws Refusal {
    format(channel, text, false, textId(bytes));
    json.judge(new ByteBufInputStream(bytes));
  }

  /** Notes how an answer is written. */
  private static void format(
      Channel channel, MessageSerializer<?> serializer, boolean binary, UUID request) {
    channel.attr(StateKey.SERIALIZER).set(serializer);
    channel.attr(StateKey.USE_BINARY).set(binary);
    channel.attr(StateKey.SESSION).set(null);
    channel.attr(REQUEST).set(request);
  }

  static UUID binaryId(ByteBuf bytes) {
    return bytes.readableBytes() < VERSION_AND_ID
        ? UNKNOWN
        : new UUID(
            bytes.getLong(bytes.readerIndex() + 1),
            bytes.getLong(bytes.readerIndex() + 1 + Long.BYTES));
  }

  static UUID textId(ByteBuf bytes) {
    int length = Math.min(START, bytes.readableBytes());
    Matcher id = ID.matcher(bytes.toString(bytes.readerIndex(), length, StandardCharsets.UTF_8));
    try {
      return id.find() ? UUID.fromString(id.group(1)) : UNKNOWN;
    } catch (IllegalArgumentException e) {
      return UNKNOWN;
    }
  }
}

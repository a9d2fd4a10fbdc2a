package io.bg3.server.request;

import io.bg3.server.answer.Refusal;
import io.bg3.server.guard.AllowList;
import io.bg3.server.guard.GraphBinaryValidator;
import io.bg3.server.guard.GraphSonValidator;
import io.bg3.server.guard.Limits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.util.MessageSerializer;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1;
import org.apache.tinkerpop.gremlin.util.ser.SerializationException;

/**
 * Reads a driver's message out of the body of an HTTP request, after its bytes were validated as
 * those of a WebSocket's message are. The body is the message, with or without the name of its
 * format before it.
 *
 * <p>A session takes a WebSocket, which it ends with; so only queries of their own are read.
 *
 * <p>Threads: any, without state.
 */
public final class MessageReader {
  private static final String JSON = "application/json"; // has a form of its own by HTTP

  private final Map<String, MessageSerializer<?>> serializers;
  private final int nesting;
  private final GraphSonValidator json;

  /**
   * Reads with these.
   *
   * @param serializers by the type of what they read
   */
  public MessageReader(Map<String, MessageSerializer<?>> serializers, Limits limits) {
    this.serializers = new HashMap<>(serializers);
    this.serializers.remove(JSON);
    this.nesting = limits.nesting();
    this.json = new GraphSonValidator(limits.nesting());
  }

  /** Whether messages of this type are read. */
  public boolean reads(String type) {
    return serializers.containsKey(type);
  }

  /**
   * Reads a message.
   *
   * @param type that {@link #reads} knows
   * @param body its position moves
   * @param room is told what the message takes when it is decoded, before it is; may throw
   * @throws Refusal if it is none, or may not be read
   */
  public RequestMessage read(String type, ByteBuf body, DecodeBudget room) throws Refusal {
    return readValidated(serializers.get(type), body, room);
  }

  /** The id of a message, as far as it can be found without reading it; zero if it cannot. */
  public static UUID id(ByteBuf body) {
    ByteBuf message = body.duplicate();
    int length = message.isReadable() ? message.getByte(message.readerIndex()) : 0;
    if (length > 0 && length != '{' && length < message.readableBytes()) {
      message.skipBytes(1 + length);
    }
    boolean binary = message.isReadable() && message.getByte(message.readerIndex()) < 0;
    return binary ? MessageIds.inBinary(message) : MessageIds.inText(message);
  }

  private RequestMessage readValidated(
      MessageSerializer<?> serializer, ByteBuf body, DecodeBudget room) throws Refusal {
    skipName(serializer, body);
    if (serializer instanceof GraphBinaryMessageSerializerV1) {
      room.take(new GraphBinaryValidator(body.duplicate(), nesting).validate().bytes());
    } else {
      room.take(json.validate(new ByteBufInputStream(body.duplicate())).bytes());
    }
    RequestMessage request;
    try {
      request = serializer.deserializeRequest(body);
    } catch (SerializationException | RuntimeException | StackOverflowError e) {
      throw Refusal.malformed("message cannot be read as a request");
    }
    boolean evaluates = request.getOp().equals(Tokens.OPS_EVAL) && request.getProcessor().isEmpty();
    boolean traverses =
        request.getOp().equals(Tokens.OPS_BYTECODE) && request.getProcessor().equals("traversal");
    if (!evaluates && !traverses) {
      throw Refusal.malformed(
          "by HTTP a request is a query; a transaction takes a WebSocket: op="
              + AllowList.shown(request.getOp())
              + ", processor="
              + AllowList.shown(request.getProcessor()));
    }
    return request;
  }

  /**
   * The name's length is positive, a version's highest bit is set, and JSON begins with a brace.
   */
  private static void skipName(MessageSerializer<?> serializer, ByteBuf body) throws Refusal {
    int length = body.isReadable() ? body.getByte(body.readerIndex()) : 0;
    if (length <= 0 || length == '{') {
      return;
    }
    if (length >= body.readableBytes()) {
      throw Refusal.malformed("message ends in the name of its format");
    }
    body.skipBytes(1);
    String name = body.readCharSequence(length, StandardCharsets.UTF_8).toString();
    if (!Arrays.asList(serializer.mimeTypesSupported()).contains(name)) {
      throw Refusal.malformed(
          "message is not of the type that Content-Type says: name=" + AllowList.shown(name));
    }
  }
}

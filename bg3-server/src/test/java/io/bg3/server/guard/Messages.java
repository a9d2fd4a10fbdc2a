package io.bg3.server.guard;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.GraphOp;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV3;
import org.apache.tinkerpop.gremlin.util.ser.SerializationException;

/** Requests as bytes. */
public final class Messages {
  private static final GraphBinaryMessageSerializerV1 BINARY = new GraphBinaryMessageSerializerV1();
  private static final GraphSONMessageSerializerV3 JSON = new GraphSONMessageSerializerV3();

  private Messages() {}

  public static RequestMessage request(Bytecode query) {
    return RequestMessage.build(Tokens.OPS_BYTECODE)
        .processor("traversal")
        .addArg(Tokens.ARGS_GREMLIN, query)
        .addArg(Tokens.ARGS_ALIASES, Map.of("g", "g"))
        .create();
  }

  public static RequestMessage request(String query) {
    return RequestMessage.build(Tokens.OPS_EVAL).addArg(Tokens.ARGS_GREMLIN, query).create();
  }

  /** A text in a session, or outside of one if that is null. */
  public static byte[] text(String session, String query) {
    RequestMessage.Builder request =
        RequestMessage.build(Tokens.OPS_EVAL).addArg(Tokens.ARGS_GREMLIN, query);
    if (session != null) {
      request.processor("session").addArg(Tokens.ARGS_SESSION, session);
    }
    return binary(request.create());
  }

  /** The commit that ends the transaction of a session. */
  public static byte[] commit(String session) {
    return binary(
        RequestMessage.build(Tokens.OPS_BYTECODE)
            .processor("session")
            .addArg(Tokens.ARGS_SESSION, session)
            .addArg(Tokens.ARGS_GREMLIN, GraphOp.TX_COMMIT.getBytecode())
            .addArg(Tokens.ARGS_ALIASES, Map.of("g", "g"))
            .create());
  }

  /** With the name of the format before it. */
  public static byte[] binary(RequestMessage request) {
    try {
      return bytes(BINARY.serializeRequestAsBinary(request, ByteBufAllocator.DEFAULT));
    } catch (SerializationException e) {
      throw new IllegalArgumentException(e);
    }
  }

  public static byte[] binary(Bytecode query) {
    return binary(request(query));
  }

  /** Without the name of the format. */
  public static byte[] json(RequestMessage request) {
    try {
      return JSON.serializeRequestAsString(request, ByteBufAllocator.DEFAULT)
          .getBytes(StandardCharsets.UTF_8);
    } catch (SerializationException e) {
      throw new IllegalArgumentException(e);
    }
  }

  public static RequestMessage read(byte[] binary) {
    ByteBuf bytes = body(binary);
    try {
      return BINARY.deserializeRequest(bytes);
    } catch (SerializationException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** A message in GraphBinary behind the name of its format. */
  public static ByteBuf body(byte[] binary) {
    ByteBuf bytes = Unpooled.wrappedBuffer(binary);
    return bytes.skipBytes(1 + bytes.getByte(0));
  }

  private static byte[] bytes(ByteBuf buffer) {
    try {
      return ByteBufUtil.getBytes(buffer);
    } finally {
      buffer.release();
    }
  }
}

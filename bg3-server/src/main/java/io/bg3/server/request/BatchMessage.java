package io.bg3.server.request;

import io.bg3.batch.BatchRequest;
import io.bg3.gremlin.services.Bg3Services;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.structure.io.binary.DataType;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * Reads the message of one call of a service that takes operations as bytes, and nothing else. So
 * an event loop can tell such a request from others without decoding objects of a client's choice:
 *
 * <pre>
 *   name of the format, version, request id
 *   "bytecode", "traversal"
 *   up to three arguments, in any order
 *     "gremlin"    bytecode: one step "call" with a text and a map of one entry,
 *                  "operations" to bytes; no sources
 *     "aliases"    a map of one entry, "g" to the name of a graph
 *     "batchSize"  a number
 * </pre>
 *
 * <p>What differs in anything is another request. One reader for one message.
 */
final class BatchMessage {
  /** A message that is longer is not read here: it takes too long. */
  static final int MOST_BYTES = 1 << 14;

  private static final String FORMAT = "application/vnd.graphbinary-v1.0";
  private static final int LONGEST_NAME = 64;
  private static final String SOURCE = "g";

  /** The beginning of a message. */
  private static final ByteBuf HEAD = fixed((char) FORMAT.length() + FORMAT + (char) 0x81);

  /** The bytes behind the id. */
  private static final ByteBuf QUERY =
      fixed("\0\0\0\10" + Tokens.OPS_BYTECODE + "\0\0\0\11traversal");

  private static final int QUERY_AT = 1 + FORMAT.length() + 1 + 2 * Long.BYTES;

  /** The beginning of the names of all such services. */
  private static final ByteBuf BATCH = fixed(BatchRequest.SERVICE);

  private final ByteBuf bytes;
  private Bytecode query;
  private String graph;

  /** Ends the reading of a message that is another request. */
  private static final class Differs extends Exception {
    private static final long serialVersionUID = 1L;

    Differs() {
      super(null, null, false, false);
    }
  }

  private static ByteBuf fixed(String bytes) {
    return Unpooled.unreleasableBuffer(Unpooled.copiedBuffer(bytes, StandardCharsets.ISO_8859_1));
  }

  private BatchMessage(ByteBuf bytes) {
    this.bytes = bytes;
  }

  /** The request in a binary message; empty if it is another one. */
  static Optional<RequestMessage> read(ByteBuf message) {
    if (message.readableBytes() > MOST_BYTES || !mayBe(message)) {
      return Optional.empty();
    }
    try {
      return Optional.of(new BatchMessage(message.duplicate()).read());
    } catch (Differs | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  /**
   * Whether a message begins as one of a traversal and names a batch somewhere: looks at its bytes
   * and makes nothing of them, since nearly all messages are other requests.
   */
  private static boolean mayBe(ByteBuf message) {
    int begin = message.readerIndex();
    return message.readableBytes() > QUERY_AT + QUERY.readableBytes()
        && isAt(HEAD, message, begin)
        && isAt(QUERY, message, begin + QUERY_AT)
        && ByteBufUtil.indexOf(BATCH.duplicate(), message) >= 0;
  }

  private static boolean isAt(ByteBuf expected, ByteBuf message, int at) {
    return ByteBufUtil.equals(expected, 0, message, at, expected.readableBytes());
  }

  private RequestMessage read() throws Differs {
    require(bytes.readByte() == FORMAT.length());
    require(text(FORMAT.length()).equals(FORMAT));
    require(bytes.readByte() == (byte) 0x81);
    UUID id = new UUID(bytes.readLong(), bytes.readLong());
    require(text().equals(Tokens.OPS_BYTECODE));
    require(text().equals("traversal"));
    for (int arguments = bytes.readInt(); arguments > 0; arguments--) {
      argument();
    }
    require(!bytes.isReadable() && query != null && graph != null);
    return RequestMessage.build(Tokens.OPS_BYTECODE)
        .processor("traversal")
        .overrideRequestId(id)
        .addArg(Tokens.ARGS_GREMLIN, query)
        .addArg(Tokens.ARGS_ALIASES, Map.of(SOURCE, graph))
        .create();
  }

  private void argument() throws Differs {
    type(DataType.STRING);
    switch (text()) {
      case Tokens.ARGS_GREMLIN -> {
        require(query == null);
        query = query();
      }
      case Tokens.ARGS_ALIASES -> {
        require(graph == null);
        type(DataType.MAP);
        require(bytes.readInt() == 1);
        type(DataType.STRING);
        require(text().equals(SOURCE));
        type(DataType.STRING);
        graph = text();
      }
      case Tokens.ARGS_BATCH_SIZE -> { // there is one result
        type(DataType.INT);
        bytes.skipBytes(Integer.BYTES);
      }
      default -> throw new Differs();
    }
  }

  private Bytecode query() throws Differs {
    type(DataType.BYTECODE);
    require(bytes.readInt() == 1); // step
    require(text().equals(GraphTraversal.Symbols.call));
    require(bytes.readInt() == 2); // arguments
    type(DataType.STRING);
    String service = text();
    require(Bg3Services.isBatch(service));
    type(DataType.MAP);
    require(bytes.readInt() == 1);
    type(DataType.STRING);
    require(text().equals(Bg3Services.OPERATIONS));
    type(DataType.BYTEBUFFER);
    int length = bytes.readInt();
    require(length >= 0 && length <= bytes.readableBytes());
    ByteBuffer operations = ByteBuffer.allocate(length);
    bytes.readBytes(operations);
    require(bytes.readInt() == 0); // sources
    Bytecode call = new Bytecode();
    call.addStep(
        GraphTraversal.Symbols.call, service, Map.of(Bg3Services.OPERATIONS, operations.flip()));
    return call;
  }

  /** A type, and a flag that says that a value follows. */
  private void type(DataType type) throws Differs {
    require(bytes.readByte() == type.getCodeByte() && bytes.readByte() == 0);
  }

  private String text() throws Differs {
    return text(bytes.readInt());
  }

  private String text(int length) throws Differs {
    require(length >= 0 && length <= LONGEST_NAME);
    return bytes.readCharSequence(length, StandardCharsets.UTF_8).toString();
  }

  private static void require(boolean is) throws Differs {
    if (!is) {
      throw new Differs();
    }
  }
}

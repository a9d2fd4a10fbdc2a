package io.bg3.server.request;

import io.bg3.gremlin.services.Bg3Services;
import io.netty.buffer.ByteBuf;
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
 *     "aliases"    a map of one entry, "g" to "g"
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

  private final ByteBuf bytes;
  private Bytecode query;
  private boolean isAliased;

  /** Ends the reading of a message that is another request. */
  private static final class Differs extends Exception {
    private static final long serialVersionUID = 1L;

    Differs() {
      super(null, null, false, false);
    }
  }

  private BatchMessage(ByteBuf bytes) {
    this.bytes = bytes;
  }

  /** The request in a binary message; empty if it is another one. */
  static Optional<RequestMessage> read(ByteBuf message) {
    if (message.readableBytes() > MOST_BYTES) {
      return Optional.empty();
    }
    try {
      return Optional.of(new BatchMessage(message.duplicate()).read());
    } catch (Differs | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
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
    require(!bytes.isReadable() && query != null && isAliased);
    return RequestMessage.build(Tokens.OPS_BYTECODE)
        .processor("traversal")
        .overrideRequestId(id)
        .addArg(Tokens.ARGS_GREMLIN, query)
        .addArg(Tokens.ARGS_ALIASES, Map.of(SOURCE, SOURCE))
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
        require(!isAliased);
        type(DataType.MAP);
        require(bytes.readInt() == 1);
        type(DataType.STRING);
        require(text().equals(SOURCE));
        type(DataType.STRING);
        require(text().equals(SOURCE));
        isAliased = true;
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

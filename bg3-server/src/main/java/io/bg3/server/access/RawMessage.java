package io.bg3.server.access;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.shaded.jackson.core.JsonFactory;
import org.apache.tinkerpop.shaded.jackson.core.JsonParser;
import org.apache.tinkerpop.shaded.jackson.core.JsonToken;

/**
 * The outline of a message that is still bytes: its format, its id and its operation, and, if it is
 * a login, the name and the password. Makes no object of anything else in it, and looks at {@value
 * #LONGEST} bytes at most.
 *
 * <pre>
 *  binary frame   length of the name (1 byte), name of the format, GraphBinary or GraphSON
 *  text frame     GraphSON
 *  GraphBinary    version (highest bit set), request id (16), operation, processor: length (4) and
 *                 text; arguments: count (4), pairs of values, each with type and flag before it
 *  GraphSON       an object with requestId, op, processor and args, in any order
 * </pre>
 *
 * <p>Threads: any, without state.
 */
final class RawMessage {
  /** Bytes that are looked at; a login is shorter. */
  static final int LONGEST = 8_192;

  static final UUID UNKNOWN = new UUID(0, 0);

  private static final int LONGEST_NAME = 127; // of a format; longer ones have another sign
  private static final int STRING = 0x03; // its type in GraphBinary

  /** Keeps no names of fields: strangers could fill the table of them that parsers share. */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .build();

  private final String format;
  private final UUID id;
  private final String operation;

  private RawMessage(String format, UUID id, String operation) {
    this.format = format;
    this.id = id;
    this.operation = operation;
  }

  /** Looks at the message in a frame; what cannot be found is empty. */
  static RawMessage of(WebSocketFrame frame) {
    String format = format(frame);
    ByteBuf body = body(frame, format);
    if (isBinary(body)) {
      UUID id = body.readableBytes() < 17 ? UNKNOWN : binaryId(body);
      return new RawMessage(format, id, binaryOperation(body));
    }
    Json json = new Json();
    json.read(body);
    return new RawMessage(format, json.id, json.operation);
  }

  /** The name of the format that stands in the frame; empty if there is none. */
  String format() {
    return format;
  }

  /** The request's id, zero if it is not known. */
  UUID id() {
    return id;
  }

  /** Whether it is the message with name and password. */
  boolean isLogin() {
    return operation.equals(Tokens.OPS_AUTHENTICATION);
  }

  /** The name and the password of a login; empty if the message has none as SASL PLAIN. */
  static Optional<Credentials> credentials(WebSocketFrame frame) {
    ByteBuf body = body(frame, format(frame));
    if (body.readableBytes() > LONGEST) {
      return Optional.empty();
    }
    Arguments arguments = new Arguments();
    if (isBinary(body)) {
      readBinary(body, arguments);
    } else {
      Json json = new Json();
      json.read(body);
      arguments = json.arguments;
    }
    return arguments.credentials();
  }

  private static String format(WebSocketFrame frame) {
    ByteBuf content = frame.content();
    if (!(frame instanceof BinaryWebSocketFrame) || !content.isReadable()) {
      return "";
    }
    int length = content.getByte(content.readerIndex());
    return length <= 0 || length > LONGEST_NAME || length >= content.readableBytes()
        ? ""
        : content.toString(content.readerIndex() + 1, length, StandardCharsets.UTF_8);
  }

  private static ByteBuf body(WebSocketFrame frame, String format) {
    ByteBuf body = frame.content().duplicate();
    return format.isEmpty() ? body : body.skipBytes(1 + body.getByte(body.readerIndex()));
  }

  private static boolean isBinary(ByteBuf body) {
    return body.isReadable() && body.getByte(body.readerIndex()) < 0;
  }

  private static UUID binaryId(ByteBuf body) {
    return new UUID(
        body.getLong(body.readerIndex() + 1), body.getLong(body.readerIndex() + 1 + Long.BYTES));
  }

  private static String binaryOperation(ByteBuf body) {
    try {
      return binaryText(body.duplicate().skipBytes(17));
    } catch (IndexOutOfBoundsException e) {
      return "";
    }
  }

  private static String binaryText(ByteBuf body) {
    int length = body.readInt();
    if (length < 0 || length > Math.min(LONGEST, body.readableBytes())) {
      throw new IndexOutOfBoundsException("length=" + length);
    }
    return body.readCharSequence(length, StandardCharsets.UTF_8).toString();
  }

  /** Takes the arguments that are texts; those of a login are. */
  private static void readBinary(ByteBuf body, Arguments arguments) {
    try {
      body.skipBytes(17);
      binaryText(body); // operation
      binaryText(body); // processor
      int count = body.readInt();
      for (int i = 0; i < count; i++) {
        String key = typedText(body);
        arguments.put(key, typedText(body));
      }
    } catch (IndexOutOfBoundsException e) {
      arguments.clear();
    }
  }

  private static String typedText(ByteBuf body) {
    int type = body.readByte();
    int flag = body.readByte();
    if (type != STRING) {
      throw new IndexOutOfBoundsException("not a text: type=" + type);
    }
    return flag == 0 ? binaryText(body) : "";
  }

  /** The arguments of a login. */
  private static final class Arguments {
    private String mechanism = "";
    private String sasl = "";

    void put(String key, String value) {
      if (key.equals(Tokens.ARGS_SASL_MECHANISM)) {
        mechanism = value;
      } else if (key.equals(Tokens.ARGS_SASL)) {
        sasl = value;
      }
    }

    void clear() {
      mechanism = "";
      sasl = "";
    }

    Optional<Credentials> credentials() {
      if (!mechanism.isEmpty() && !mechanism.equals("PLAIN")) {
        return Optional.empty();
      }
      try {
        return SaslPlain.of(Base64.getDecoder().decode(sasl));
      } catch (IllegalArgumentException e) {
        return Optional.empty();
      }
    }
  }

  /** Reads a message in GraphSON, token by token. */
  private static final class Json {
    UUID id = UNKNOWN;
    String operation = "";
    final Arguments arguments = new Arguments();

    void read(ByteBuf body) {
      int length = Math.min(LONGEST, body.readableBytes());
      try (InputStream bytes = new ByteBufInputStream(body.slice(body.readerIndex(), length));
          JsonParser parser = JSON.createParser(bytes)) {
        if (parser.nextToken() == JsonToken.START_OBJECT) {
          readFields(parser);
        }
      } catch (IOException | RuntimeException e) {
        return; // the message ends here, or is none: what was found holds
      }
    }

    private void readFields(JsonParser parser) throws IOException {
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String field = parser.currentName();
        JsonToken value = parser.nextToken();
        if (field.equals(Tokens.REQUEST_ID)) {
          id = UUID.fromString(text(parser, value));
        } else if (field.equals("op")) {
          operation = text(parser, value);
        } else if (field.equals("args")) {
          readArguments(parser, value);
        } else {
          parser.skipChildren();
        }
      }
    }

    /** A text, or one with its type beside it: an object with the field @value. */
    private static String text(JsonParser parser, JsonToken value) throws IOException {
      if (value != JsonToken.START_OBJECT) {
        parser.skipChildren();
        return value == JsonToken.VALUE_STRING ? parser.getText() : "";
      }
      String text = "";
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String field = parser.currentName();
        JsonToken inner = parser.nextToken();
        if (field.equals("@value") && inner == JsonToken.VALUE_STRING) {
          text = parser.getText();
        }
        parser.skipChildren();
      }
      return text;
    }

    /**
     * Fields of an object, or GraphSON's map: an object with the field @value, which is an array of
     * keys and values.
     */
    private void readArguments(JsonParser parser, JsonToken value) throws IOException {
      if (value != JsonToken.START_OBJECT) {
        parser.skipChildren();
        return;
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String field = parser.currentName();
        JsonToken inner = parser.nextToken();
        if (inner == JsonToken.VALUE_STRING) {
          arguments.put(field, parser.getText());
        } else if (field.equals("@value") && inner == JsonToken.START_ARRAY) {
          readPairs(parser);
        } else {
          parser.skipChildren();
        }
      }
    }

    private void readPairs(JsonParser parser) throws IOException {
      JsonToken key = parser.nextToken();
      while (key != null && key != JsonToken.END_ARRAY) {
        String name = text(parser, key);
        arguments.put(name, text(parser, parser.nextToken()));
        key = parser.nextToken();
      }
    }
  }
}

package io.bg3.server.request;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.tinkerpop.gremlin.util.ser.SerTokens;
import org.apache.tinkerpop.shaded.jackson.core.JsonFactory;
import org.apache.tinkerpop.shaded.jackson.core.JsonParser;
import org.apache.tinkerpop.shaded.jackson.core.JsonToken;

/**
 * Finds the id of a request in the bytes of its message, so that a message that is not read is
 * answered under its id, and whether it belongs to a session.
 */
final class MessageIds {
  private static final UUID UNKNOWN = WebSocketMessages.UNKNOWN;
  private static final int VERSION_AND_ID = 17;
  private static final int START = 4_096;
  private static final int MOST_PARSED = 64 << 10; // bytes
  private static final JsonFactory JSON = new JsonFactory();
  private static final Pattern ID =
      Pattern.compile(
          "\"requestId\"\\s*:\\s*(?:\\{[^{}]{0,80}\"@value\"\\s*:\\s*)?\"([0-9a-fA-F-]{36})\"");

  private static final ByteBuf QUOTED =
      Unpooled.unreleasableBuffer(
          Unpooled.copiedBuffer('"' + RequestProcessor.SESSION + '"', StandardCharsets.US_ASCII));

  private MessageIds() {}

  /** Whether a message in GraphBinary, from the version on, is a request in a session. */
  static boolean isInSession(ByteBuf bytes) {
    int operation = bytes.readerIndex() + VERSION_AND_ID;
    try {
      int processor = operation + Integer.BYTES + bytes.getInt(operation);
      int length = bytes.getInt(processor);
      return length == RequestProcessor.SESSION.length()
          && bytes
              .toString(processor + Integer.BYTES, length, StandardCharsets.US_ASCII)
              .equals(RequestProcessor.SESSION);
    } catch (IndexOutOfBoundsException e) {
      return false; // it cannot be read at all
    }
  }

  /** Whether a message in JSON may be a request in a session. */
  static boolean mayBeInSession(ByteBuf bytes) {
    return ByteBufUtil.indexOf(QUOTED.duplicate(), bytes) >= 0;
  }

  /**
   * Whether a message in JSON is a request in a session: its processor is that of sessions. False
   * for one that is too large to be looked through by an event loop.
   */
  static boolean isTextInSession(ByteBuf bytes) {
    if (bytes.readableBytes() > MOST_PARSED || !mayBeInSession(bytes)) {
      return false;
    }
    boolean found = false;
    try (InputStream text = new ByteBufInputStream(bytes.duplicate());
        JsonParser message = JSON.createParser(text)) {
      if (message.nextToken() != JsonToken.START_OBJECT) {
        return false;
      }
      while (message.nextToken() == JsonToken.FIELD_NAME) {
        boolean isProcessor = message.currentName().equals(SerTokens.TOKEN_PROCESSOR);
        boolean isText = message.nextToken() == JsonToken.VALUE_STRING;
        if (isProcessor) { // the last one counts
          found = isText && message.getText().equals(RequestProcessor.SESSION);
        }
        message.skipChildren();
      }
      return found && message.currentToken() == JsonToken.END_OBJECT;
    } catch (IOException e) {
      return false; // it cannot be read at all
    }
  }

  /** In GraphBinary, from the version on. */
  static UUID inBinary(ByteBuf bytes) {
    return bytes.readableBytes() < VERSION_AND_ID
        ? UNKNOWN
        : new UUID(
            bytes.getLong(bytes.readerIndex() + 1),
            bytes.getLong(bytes.readerIndex() + 1 + Long.BYTES));
  }

  /** In JSON. */
  static UUID inText(ByteBuf bytes) {
    int length = Math.min(START, bytes.readableBytes());
    Matcher id = ID.matcher(bytes.toString(bytes.readerIndex(), length, StandardCharsets.UTF_8));
    try {
      return id.find() ? UUID.fromString(id.group(1)) : UNKNOWN;
    } catch (IllegalArgumentException e) {
      return UNKNOWN;
    }
  }
}

package io.bg3.server.request;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the id of a request in the bytes of its message, so that a message that cannot be read is
 * answered under its id.
 */
final class MessageIds {
  private static final UUID UNKNOWN = WebSocketMessages.UNKNOWN;
  private static final int VERSION_AND_ID = 17;
  private static final int START = 4_096;
  private static final Pattern ID =
      Pattern.compile(
          "\"requestId\"\\s*:\\s*(?:\\{[^{}]{0,80}\"@value\"\\s*:\\s*)?\"([0-9a-fA-F-]{36})\"");

  private MessageIds() {}

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

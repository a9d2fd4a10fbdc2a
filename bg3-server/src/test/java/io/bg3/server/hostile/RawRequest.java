package io.bg3.server.hostile;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** A request in GraphBinary written value by value, so that no client has to build the values. */
final class RawRequest {
  private static final String FORMAT = "application/vnd.graphbinary-v1.0";
  private static final int INT = 0x01;
  private static final int STRING = 0x03;
  private static final int LIST = 0x09;
  private static final int MAP = 0x0A;
  private static final int SET = 0x0B;

  private final ByteBuf bytes = Unpooled.buffer();

  /** A request for an operation, up to the value of its only argument, which comes next. */
  RawRequest(String operation, String argument, UUID id) {
    bytes.writeByte(FORMAT.length()).writeCharSequence(FORMAT, StandardCharsets.US_ASCII);
    bytes.writeByte(0x81).writeLong(id.getMostSignificantBits());
    bytes.writeLong(id.getLeastSignificantBits());
    bytes.writeInt(operation.length()).writeCharSequence(operation, StandardCharsets.US_ASCII);
    bytes.writeInt(0); // no processor
    bytes.writeInt(1); // arguments
    string(argument);
  }

  RawRequest string(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    bytes.writeByte(STRING).writeByte(0).writeInt(utf8.length).writeBytes(utf8);
    return this;
  }

  RawRequest integer(int value) {
    bytes.writeByte(INT).writeByte(0).writeInt(value);
    return this;
  }

  RawRequest list(int elements) {
    bytes.writeByte(LIST).writeByte(0).writeInt(elements);
    return this;
  }

  RawRequest set(int elements) {
    bytes.writeByte(SET).writeByte(0).writeInt(elements);
    return this;
  }

  RawRequest map(int entries) {
    bytes.writeByte(MAP).writeByte(0).writeInt(entries);
    return this;
  }

  /** The message, with the name of its format before it. */
  byte[] message() {
    return ByteBufUtil.getBytes(bytes);
  }
}

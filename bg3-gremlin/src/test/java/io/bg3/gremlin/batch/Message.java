package io.bg3.gremlin.batch;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A message of operations, put together as a client does it. */
final class Message {
  private final List<byte[]> operations = new ArrayList<>();
  private final List<String> texts;

  Message(String... texts) {
    this.texts = List.of(texts);
  }

  /**
   * Adds an operation. A Long takes eight bytes, an Integer four, a Short two, a Byte and a Boolean
   * one; an array of bytes is put as it is.
   */
  Message add(int code, int label, Object... fields) {
    operations.add(
        bytes(
            out -> {
              out.writeByte(code);
              out.writeShort(label);
              for (Object field : fields) {
                put(field, out);
              }
            }));
    return this;
  }

  private static void put(Object field, DataOutputStream out) throws IOException {
    if (field instanceof Long number) {
      out.writeLong(number);
    } else if (field instanceof Integer number) {
      out.writeInt(number);
    } else if (field instanceof Short number) {
      out.writeShort(number);
    } else if (field instanceof Byte number) {
      out.writeByte(number);
    } else if (field instanceof Boolean flag) {
      out.writeBoolean(flag);
    } else {
      out.write((byte[]) field);
    }
  }

  /** Properties by turns: the number of the key, and the value. */
  static byte[] properties(Object... properties) {
    return bytes(
        out -> {
          out.writeShort(properties.length / 2);
          for (int i = 0; i < properties.length; i += 2) {
            out.writeShort((Integer) properties[i]);
            value(properties[i + 1], out);
          }
        });
  }

  private static void value(Object value, DataOutputStream out) throws IOException {
    if (value instanceof Long number) {
      out.writeByte(1);
      out.writeLong(number);
    } else if (value instanceof Integer number) {
      out.writeByte(2);
      out.writeInt(number);
    } else if (value instanceof byte[] array) {
      out.writeByte(3);
      sized(array, out);
    } else if (value instanceof String text) {
      out.writeByte(4);
      sized(text.getBytes(StandardCharsets.UTF_8), out);
    } else if (value instanceof Boolean flag) {
      out.writeByte(5);
      out.writeBoolean(flag);
    } else {
      out.writeByte(6);
      out.writeDouble((Double) value);
    }
  }

  private static void sized(byte[] array, DataOutputStream out) throws IOException {
    out.writeInt(array.length);
    out.write(array);
  }

  ByteBuffer toBuffer() {
    return ByteBuffer.wrap(
        bytes(
            out -> {
              out.writeByte(1);
              out.writeShort(texts.size());
              for (String text : texts) {
                out.writeUTF(text);
              }
              out.writeShort(operations.size());
              for (byte[] operation : operations) {
                out.write(operation);
              }
            }));
  }

  private interface Writer {
    void to(DataOutputStream out) throws IOException;
  }

  private static byte[] bytes(Writer writer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      writer.to(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}

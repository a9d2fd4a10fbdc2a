package io.bg3.server.hostile;

import io.bg3.server.guard.Messages;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.zip.Deflater;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/** The bytes that a WebSocket client sends; frames are masked with zeros, which changes nothing. */
final class Frames {
  private static final int BINARY = 0x82;
  private static final int TEXT = 0x81;
  private static final int COMPRESSED_BINARY = 0xC2;
  private static final int MASKED = 0x80;

  private Frames() {}

  static ByteBuffer ascii(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
  }

  static ByteBuffer utf8(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  static ByteBuffer binary(byte[] payload) {
    return frame(BINARY, payload);
  }

  static ByteBuffer binary(RequestMessage request) {
    return binary(Messages.binary(request));
  }

  static ByteBuffer text(String payload) {
    return frame(TEXT, payload.getBytes(StandardCharsets.UTF_8));
  }

  /** A message of zeros, compressed; needs a connection that has agreed on permessage-deflate. */
  static ByteBuffer zeros(int bytes) {
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
    deflater.setInput(new byte[bytes]);
    byte[] small = new byte[1024 + bytes / 500];
    int length = deflater.deflate(small, 0, small.length, Deflater.SYNC_FLUSH);
    deflater.end();
    byte[] payload = new byte[length - 4]; // without the end that RFC 7692 takes away
    System.arraycopy(small, 0, payload, 0, payload.length);
    return frame(COMPRESSED_BINARY, payload);
  }

  static ByteBuffer frame(int first, byte[] payload) {
    ByteBuffer frame = ByteBuffer.allocate(14 + payload.length).put((byte) first);
    if (payload.length < 126) {
      frame.put((byte) (MASKED | payload.length));
    } else if (payload.length < 1 << 16) {
      frame.put((byte) (MASKED | 126)).putShort((short) payload.length);
    } else {
      frame.put((byte) (MASKED | 127)).putLong(payload.length);
    }
    return frame.putInt(0).put(payload).flip();
  }

  /** Bytes one after the other. */
  static ByteBuffer repeated(ByteBuffer bytes, int times) {
    ByteBuffer all = ByteBuffer.allocate(bytes.remaining() * times);
    for (int i = 0; i < times; i++) {
      all.put(bytes.duplicate());
    }
    return all.flip();
  }

  static String handshake(String headers) {
    return "GET /gremlin HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
        + "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        + "Sec-WebSocket-Version: 13\r\n"
        + headers
        + "\r\n";
  }

  /** A login by SASL PLAIN, as drivers send it. */
  static ByteBuffer login(String user, String password) {
    return binary(
        RequestMessage.build(Tokens.OPS_AUTHENTICATION)
            .addArg(Tokens.ARGS_SASL_MECHANISM, "PLAIN")
            .addArg(Tokens.ARGS_SASL, base64("\0" + user + "\0" + password))
            .create());
  }

  static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A query as text with arguments beside it. */
  static RequestMessage eval(String text, Map<String, Object> arguments) {
    RequestMessage.Builder request =
        RequestMessage.build(Tokens.OPS_EVAL).addArg(Tokens.ARGS_GREMLIN, text);
    arguments.forEach(request::addArg);
    return request.create();
  }
}

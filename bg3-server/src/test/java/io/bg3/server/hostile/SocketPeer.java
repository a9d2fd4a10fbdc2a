package io.bg3.server.hostile;

import io.bg3.server.guard.Messages;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * A WebSocket that upgrades, logs in where there are users, and reads the status of each answer. A
 * subclass sends in {@link #opened} and {@link #answered}.
 */
abstract class SocketPeer extends Peer {
  private static final int AUTHENTICATE = 407;
  private static final int PARTIAL = 206;
  private static final int HEAD_BYTES = 4096;
  private static final int CLOSE = 8;
  private static final int COMPRESSED = 0x40;
  private static final ByteBuffer HELLO = Frames.binary(Messages.request("g.inject(0)"));
  private static final ByteBuffer HANDSHAKE = Frames.ascii(Frames.handshake(""));
  private static final Pattern CODE = Pattern.compile("\"code\":(?:\\{[^}]*\"@value\":)?(\\d+)");

  /** Whose connection it is. */
  interface Owner {
    Target target();

    /** The message that answers the server's challenge. */
    ByteBuffer login();

    /** An answer came, or a word for what came instead. */
    void count(String answer);
  }

  /** The bytes that RFC 7692 takes from the end of a message. */
  private static final byte[] FLUSHED = {0, 0, (byte) 0xFF, (byte) 0xFF};

  private enum State {
    UPGRADING,
    LOGGING_IN,
    OPEN
  }

  /** The first bytes of what is being read: an HTTP response, or the payload of a frame. */
  private final ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);

  private final ByteBuffer frameHeader = ByteBuffer.allocate(10);
  private final Owner owner;
  private State state = State.UPGRADING;
  private long payloadLeft = -1; // -1: the header of a frame comes next
  private int opcode;
  private boolean compressed;
  private Inflater inflater; // of a connection that has agreed on permessage-deflate

  SocketPeer(Owner owner) {
    this.owner = owner;
  }

  /** The connection takes requests. */
  abstract void opened();

  /** An answer has come, the last one of its request. */
  void answered(int status) {}

  /** The handshake to send. */
  ByteBuffer handshake() {
    return HANDSHAKE;
  }

  /** Whether to log in where the server has users. */
  boolean logsIn() {
    return true;
  }

  @Override
  final void connected() {
    send(handshake());
  }

  @Override
  final void received(ByteBuffer bytes) {
    while (bytes.hasRemaining() && !isOver()) {
      if (state == State.UPGRADING) {
        upgrade(bytes);
      } else if (payloadLeft < 0) {
        header(bytes);
      } else {
        payload(bytes);
      }
    }
  }

  private void upgrade(ByteBuffer bytes) {
    head.put(bytes.get());
    int end = head.position();
    boolean whole = end >= 4 && head.getInt(end - 4) == 0x0D0A0D0A; // CR LF CR LF
    if (!whole && head.hasRemaining()) {
      return;
    }
    String answer = new String(head.array(), 0, end, StandardCharsets.ISO_8859_1);
    head.clear();
    if (!answer.startsWith("HTTP/1.1 101 ")) {
      owner.count("http " + answer.substring(9, Math.min(12, end)));
      fail();
    } else if (owner.target().users() && logsIn()) {
      state = State.LOGGING_IN;
      send(HELLO);
    } else {
      state = State.OPEN;
      opened();
    }
  }

  private void header(ByteBuffer bytes) {
    frameHeader.put(bytes.get());
    if (frameHeader.position() < 2) {
      return;
    }
    int length = frameHeader.get(1) & 0x7F;
    int size = length < 126 ? 2 : length == 126 ? 4 : 10;
    if (frameHeader.position() == size) {
      opcode = frameHeader.get(0) & 0x0F;
      compressed = (frameHeader.get(0) & COMPRESSED) != 0;
      payloadLeft =
          size == 2
              ? length
              : size == 4 ? frameHeader.getShort(2) & 0xFFFF : frameHeader.getLong(2);
      frameHeader.clear();
      if (payloadLeft == 0) {
        frame();
      }
    }
  }

  private void payload(ByteBuffer bytes) {
    int count = (int) Math.min(payloadLeft, bytes.remaining());
    int kept = Math.min(count, head.remaining());
    head.put(head.position(), bytes, bytes.position(), kept);
    head.position(head.position() + kept);
    bytes.position(bytes.position() + count);
    payloadLeft -= count;
    if (payloadLeft == 0) {
      frame();
    }
  }

  private void frame() {
    payloadLeft = -1;
    head.flip();
    int status = opcode == CLOSE ? -1 : status(compressed ? inflated() : head);
    head.clear();
    if (status < 0) {
      return; // the connection is about to be closed, or the frame is a ping
    }
    if (status == AUTHENTICATE) {
      send(owner.login());
    } else if (state == State.LOGGING_IN) {
      loggedIn(status);
    } else if (status != PARTIAL) {
      owner.count(Integer.toString(status));
      answered(status);
    }
  }

  private void loggedIn(int status) {
    if (status == 200) {
      state = State.OPEN;
      opened();
    } else {
      owner.count("login " + status);
      fail();
    }
  }

  /** The beginning of a compressed payload, which is no longer than {@link #head}. */
  private ByteBuffer inflated() {
    if (inflater == null) {
      inflater = new Inflater(true);
    }
    byte[] payload = Arrays.copyOf(head.array(), head.limit() + FLUSHED.length);
    System.arraycopy(FLUSHED, 0, payload, head.limit(), FLUSHED.length);
    byte[] plain = new byte[HEAD_BYTES];
    try {
      inflater.setInput(payload);
      return ByteBuffer.wrap(plain, 0, inflater.inflate(plain));
    } catch (DataFormatException e) {
      throw new IllegalStateException("the server sent what cannot be inflated", e);
    }
  }

  /** The status in GraphBinary behind version and id, in GraphSON by its name; -1 for none. */
  private int status(ByteBuffer payload) {
    if (opcode == 2 && payload.remaining() > 6) {
      int offset = payload.get(1) == 0 ? 18 : 2;
      return payload.limit() >= offset + 4 ? payload.getInt(offset) : -1;
    } else if (opcode == 1) {
      Matcher code = CODE.matcher(StandardCharsets.UTF_8.decode(payload.duplicate()));
      return code.find() ? Integer.parseInt(code.group(1)) : 0;
    }
    return -1;
  }
}

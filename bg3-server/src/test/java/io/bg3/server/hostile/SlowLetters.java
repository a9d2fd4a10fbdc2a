package io.bg3.server.hostile;

import io.bg3.server.guard.Messages;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/** Clients that send a letter at a time: of a handshake, of an HTTP request, of a message. */
final class SlowLetters extends Attack {
  private static final int CONNECTIONS = 64;
  private static final long PAUSE_MILLIS = 300;

  private final ByteBuffer handshake = Frames.ascii(Frames.handshake(""));
  private final ByteBuffer message = Frames.binary(Messages.request("g.inject(1)"));

  SlowLetters(Target target, long seed, InetAddress from) {
    super(target, seed, from);
  }

  @Override
  void begin() {
    for (int i = 0; i < CONNECTIONS; i++) {
      int kind = i % 3;
      after(random().nextInt(1_000), () -> slow(kind));
    }
  }

  private void slow(int kind) {
    attempt();
    if (kind == 2) {
      connect(messageByLetters());
    } else if (kind == 1) {
      connectHttp(handshakeByLetters(kind));
    } else {
      connect(handshakeByLetters(kind));
    }
  }

  private Peer handshakeByLetters(int kind) {
    return new Peer() {
      @Override
      void connected() {
        spell(this, handshake, 0);
      }

      @Override
      void closed() {
        count("closed");
        after(RETURN_MILLIS, () -> slow(kind));
      }
    };
  }

  private Peer messageByLetters() {
    return new SocketPeer(this) {
      @Override
      void opened() {
        spell(this, message, 0);
      }

      @Override
      void answered(int status) {
        spell(this, message, 0);
      }

      @Override
      void closed() {
        count("closed");
        after(RETURN_MILLIS, () -> slow(2));
      }
    };
  }

  private void spell(Peer peer, ByteBuffer text, int letter) {
    if (!peer.isOver() && letter < text.limit()) {
      peer.send(text.duplicate().position(letter).limit(letter + 1));
      after(PAUSE_MILLIS, () -> spell(peer, text, letter + 1));
    }
  }
}

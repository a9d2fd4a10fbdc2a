package io.bg3.server.hostile;

import java.net.InetAddress;

/** Clients that send a part of their first request, cut anywhere, and then wait. */
final class HalfHandshakes extends Attack {
  private static final int CONNECTIONS = 64;

  HalfHandshakes(Target target, long seed, InetAddress from) {
    super(target, seed, from);
  }

  @Override
  void begin() {
    for (int i = 0; i < CONNECTIONS; i++) {
      after(random().nextInt(1_000), this::half);
    }
  }

  private void half() {
    attempt();
    String handshake = Frames.handshake("X-Filling: " + "x".repeat(random().nextInt(6_000)));
    String part = handshake.substring(0, random().nextInt(handshake.length()));
    Peer peer =
        new Peer() {
          @Override
          void connected() {
            send(Frames.ascii(part));
          }

          @Override
          void closed() {
            count("closed");
            after(RETURN_MILLIS, HalfHandshakes.this::half);
          }
        };
    if (random().nextBoolean()) {
      connectHttp(peer);
    } else {
      connect(peer);
    }
  }
}

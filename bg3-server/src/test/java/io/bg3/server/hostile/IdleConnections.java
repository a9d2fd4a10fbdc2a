package io.bg3.server.hostile;

import java.net.InetAddress;

/** Two thousand connections that say nothing; each comes back a second after it was closed. */
final class IdleConnections extends Attack {
  private static final int CONNECTIONS = 2_000;
  private static final int SPREAD_MILLIS = 3_000;
  private static final long PAUSE_MILLIS = 1_000;

  IdleConnections(Target target, long seed, InetAddress from) {
    super(target, seed, from);
  }

  @Override
  void begin() {
    for (int i = 0; i < CONNECTIONS; i++) {
      boolean http = i % 4 == 0;
      after(random().nextInt(SPREAD_MILLIS), () -> idle(http));
    }
  }

  private void idle(boolean http) {
    attempt();
    Peer peer =
        new Peer() {
          @Override
          void closed() {
            count("closed");
            after(PAUSE_MILLIS, () -> idle(http));
          }
        };
    if (http) {
      connectHttp(peer);
    } else {
      connect(peer);
    }
  }
}

package io.bg3.server.hostile;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;

/** Large requests, and requests that cost much to decode, of clients that do not log in. */
final class BeforeLogin extends Attack {
  private static final int CONNECTIONS = 24;
  private static final int AT_ONCE = 32;
  private static final int COLLECTIONS = 170_000;
  private static final int KEYS = 57_000;
  private static final long HOLD_MILLIS = 3_000;
  private static final int BEGIN_MILLIS = 3_000; // other attackers log in before

  private final List<ByteBuffer> pool = pool(2, this::message);

  BeforeLogin(Target target, long seed, InetAddress from) {
    super(target, seed, from);
  }

  @Override
  boolean isFor(Target server) {
    return server.users();
  }

  private ByteBuffer message() {
    RawRequest request =
        new RawRequest("eval", "bindings", new UUID(7, random().nextLong())).map(1).string("x");
    if (random().nextBoolean()) {
      request.list(COLLECTIONS);
      for (int i = 0; i < COLLECTIONS; i++) {
        request.map(0);
      }
    } else {
      request.set(KEYS);
      for (int i = 0; i < KEYS; i++) {
        request.list(2).integer(i).integer(-31 * i);
      }
    }
    return Frames.binary(request.message());
  }

  @Override
  void begin() {
    for (int i = 0; i < CONNECTIONS; i++) {
      after(BEGIN_MILLIS + random().nextInt(500), this::stranger);
    }
  }

  private void stranger() {
    connect(
        new SocketPeer(this) {
          @Override
          boolean logsIn() {
            return false;
          }

          @Override
          void opened() {
            for (int i = 0; i < AT_ONCE; i++) {
              attempt();
              send(pick(pool));
            }
            after(
                HOLD_MILLIS,
                () -> {
                  if (!isOver()) {
                    abandon();
                    closed();
                  }
                });
          }

          @Override
          void closed() {
            count("closed");
            after(RETURN_MILLIS, BeforeLogin.this::stranger);
          }
        });
  }

  /** Nothing: the challenge is left without an answer. */
  @Override
  public ByteBuffer login() {
    return ByteBuffer.allocate(0);
  }
}

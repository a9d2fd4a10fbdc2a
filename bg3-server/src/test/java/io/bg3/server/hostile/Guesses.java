package io.bg3.server.hostile;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;

/** A hundred clients that guess passwords, of names that exist and of names that do not. */
final class Guesses extends Attack {
  private static final int CONNECTIONS = 100;
  private static final int BEGIN_MILLIS = 3_000; // other attackers log in before

  private final List<ByteBuffer> pool = pool(this::message);

  Guesses(Target target, long seed, InetAddress from) {
    super(target, seed, from);
  }

  @Override
  boolean isFor(Target server) {
    return server.users();
  }

  private ByteBuffer message() {
    String name = pick(List.of(Target.WRITER, Target.READER, "root", "user" + random().nextInt()));
    return Frames.login(name, "guess-" + random().nextLong());
  }

  @Override
  public ByteBuffer login() {
    attempt();
    return pick(pool);
  }

  @Override
  void begin() {
    for (int i = 0; i < CONNECTIONS; i++) {
      after(BEGIN_MILLIS + random().nextInt(1_000), this::guess);
    }
  }

  private void guess() {
    connect(
        new SocketPeer(this) {
          @Override
          void opened() {
            count("let in"); // which the test takes for a failure
          }

          @Override
          void closed() {
            after(RETURN_MILLIS, Guesses.this::guess);
          }
        });
  }
}

package io.bg3.server.hostile;

import io.bg3.server.guard.Messages;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;

/** Clients that reset their connection in the middle: of a message, of a query, of an answer. */
final class Vanishing extends Attack {
  private static final int CONNECTIONS = 16;
  private static final int LONGEST_MILLIS = 400;

  private final List<ByteBuffer> pool =
      List.of(
          Frames.binary(Messages.request("g.V().V().V().V().count()")),
          Frames.binary(Messages.request("g.inject(1).emit().repeat(__.identity())")),
          Frames.binary(Messages.request("g.V().limit(1)")),
          Frames.binary(new byte[1 << 19]));

  Vanishing(Target target, long seed, InetAddress from) {
    super(target, seed, from);
  }

  @Override
  void begin() {
    for (int i = 0; i < CONNECTIONS; i++) {
      after(random().nextInt(500), this::vanish);
    }
  }

  private void vanish() {
    connect(
        new SocketPeer(this) {
          @Override
          void opened() {
            attempt();
            ByteBuffer message = pick(pool).duplicate();
            if (random().nextBoolean()) {
              message.limit(1 + random().nextInt(message.limit() - 1));
            }
            send(message);
            after(random().nextInt(LONGEST_MILLIS), this::goAway);
          }

          private void goAway() {
            if (!isOver()) {
              reset();
              closed();
            }
          }

          @Override
          void closed() {
            count("closed");
            after(RETURN_MILLIS, Vanishing.this::vanish);
          }
        });
  }
}

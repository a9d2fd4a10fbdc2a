package io.bg3.server.hostile;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;

/** Frames of any opcode with any payload, parts that never end, and bytes that are no frames. */
final class MalformedFrames extends Attack {
  private static final int CONNECTIONS = 16;
  private static final int LONGEST = 5_000;
  private static final long PAUSE_MILLIS = 20;

  private final List<ByteBuffer> pool = pool(this::message);

  MalformedFrames(Target target, long seed, InetAddress from) {
    super(target, seed, from);
  }

  private ByteBuffer message() {
    byte[] bytes = new byte[1 + random().nextInt(LONGEST)];
    random().nextBytes(bytes);
    return switch (random().nextInt(4)) {
      case 0 -> ByteBuffer.wrap(bytes);
      case 1 -> Frames.frame(random().nextInt(256), bytes);
      case 2 -> Frames.frame(0x02, bytes); // a part, and never the last
      default -> Frames.binary(bytes);
    };
  }

  @Override
  void begin() {
    for (int i = 0; i < CONNECTIONS; i++) {
      after(random().nextInt(500), this::send);
    }
  }

  private void send() {
    connect(
        new SocketPeer(this) {
          @Override
          void opened() {
            if (!isOver()) {
              attempt();
              send(pick(pool));
              after(PAUSE_MILLIS, this::opened);
            }
          }

          @Override
          void closed() {
            count("closed");
            after(RETURN_MILLIS, MalformedFrames.this::send);
          }
        });
  }
}

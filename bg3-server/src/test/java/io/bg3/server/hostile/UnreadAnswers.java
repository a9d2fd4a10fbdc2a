package io.bg3.server.hostile;

import io.bg3.server.guard.Messages;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Clients that never read what they are answered: to malformed frames of seven bytes, as many as
 * the server takes, and to queries with many results.
 */
final class UnreadAnswers extends Attack {
  private static final int CONNECTIONS = 8;
  private static final int RECEIVE_BYTES = 4096;
  private static final int FRAMES = 2_000;
  private static final long PAUSE_MILLIS = 5;

  private final List<ByteBuffer> floods =
      List.of(
          Frames.repeated(Frames.binary(new byte[] {(byte) random().nextInt()}), FRAMES),
          Frames.repeated(Frames.text("?"), FRAMES),
          Frames.repeated(
              Frames.binary(
                  Messages.request(
                      Query.inject(1)
                          .step("emit")
                          .step("repeat", Query.empty().step("identity"))
                          .text())),
              8));

  UnreadAnswers(Target target, long seed, InetAddress from) {
    super(target, seed, from);
  }

  @Override
  void begin() {
    for (int i = 0; i < CONNECTIONS; i++) {
      flood(pick(floods));
    }
  }

  private void flood(ByteBuffer frames) {
    connect(
        new SocketPeer(this) {
          private boolean open;

          @Override
          void opened() {
            open = true;
            stopReading();
            next();
          }

          private void next() {
            if (!isOver()) {
              attempt();
              send(frames);
            }
          }

          @Override
          void drained() {
            if (open) {
              after(PAUSE_MILLIS, this::next);
            }
          }

          @Override
          void closed() {
            count("closed");
            after(RETURN_MILLIS, () -> flood(pick(floods)));
          }
        },
        RECEIVE_BYTES);
  }
}

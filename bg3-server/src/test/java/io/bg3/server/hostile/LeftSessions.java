package io.bg3.server.hostile;

import io.bg3.server.guard.Messages;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/** Clients that open one session after the other, with a transaction in each, and end none. */
final class LeftSessions extends Attack {
  private static final int CONNECTIONS = 16;
  private static final int SESSIONS = 12;
  private static final long PAUSE_MILLIS = 50;
  private static final long HOLD_MILLIS = 4_000;

  LeftSessions(Target target, long seed, InetAddress from) {
    super(target, seed, from);
  }

  @Override
  void begin() {
    for (int i = 0; i < CONNECTIONS; i++) {
      after(random().nextInt(1_000), this::leave);
    }
  }

  private void leave() {
    connect(
        new SocketPeer(this) {
          private int sessions;

          @Override
          void opened() {
            next();
            after(HOLD_MILLIS + random().nextInt(4_000), this::goAway);
          }

          @Override
          void answered(int status) {
            if (++sessions < SESSIONS) {
              after(PAUSE_MILLIS, this::next);
            }
          }

          private void next() {
            attempt();
            send(Frames.binary(inSession()));
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
            after(RETURN_MILLIS, LeftSessions.this::leave);
          }
        });
  }

  private RequestMessage inSession() {
    String text =
        target().users()
            ? pick(List.of("g.V().count()", "g.V().limit(5)"))
            : "g.addV('" + Target.MARK + "')"; // of a transaction that nobody commits
    return RequestMessage.from(Messages.request(text))
        .processor("session")
        .addArg(Tokens.ARGS_SESSION, new UUID(random().nextLong(), random().nextLong()).toString())
        .addArg(Tokens.ARGS_MANAGE_TRANSACTION, false)
        .addArg(Tokens.ARGS_ALIASES, Map.of("g", "g"))
        .create();
  }
}

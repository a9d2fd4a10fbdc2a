package io.bg3.server.hostile;

import io.bg3.server.guard.Messages;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;

/** Queries that never end by themselves, 64 at once, as text and as bytecode. */
final class EndlessQueries extends Attack {
  private static final int CONNECTIONS = 64;
  private static final long PAUSE_MILLIS = 20;

  private final List<ByteBuffer> pool = pool(this::message);

  EndlessQueries(Target target, long seed, InetAddress from) {
    super(target, seed, from);
  }

  private ByteBuffer message() {
    Query query = endless();
    return random().nextBoolean()
        ? Frames.binary(Messages.request(query.text()))
        : Frames.binary(Messages.binary(query.bytecode()));
  }

  private Query endless() {
    Query body = Query.empty().step(pick(List.of("identity", "both", "both")));
    for (int i = random().nextInt(3); i > 0; i--) {
      body = Query.empty().step(pick(List.of("map", "local", "flatMap", "optional")), body);
    }
    Query start = random().nextBoolean() ? Query.inject(1) : Query.vertices();
    Query never = Query.empty().step("is", -1);
    return switch (random().nextInt(4)) {
      case 0 -> Query.inject(1).step("repeat", Query.empty().step("identity")).step("until", never);
      case 1 -> Query.vertices().step("repeat", body).step("until", never).step("count");
      case 2 -> start.step("repeat", Query.empty().step("identity")).step("emit").step("count");
      default -> crossProduct(3 + random().nextInt(6));
    };
  }

  private static Query crossProduct(int factors) {
    Query query = Query.vertices();
    for (int i = 0; i < factors; i++) {
      query = query.step("V").step("as", "x" + i);
    }
    return query.step("count");
  }

  @Override
  void begin() {
    keepAsking(CONNECTIONS, pool, 1, PAUSE_MILLIS);
  }
}

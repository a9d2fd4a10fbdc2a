package io.bg3.server.hostile;

import io.bg3.server.guard.Messages;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;

/** Messages, texts and queries that are nested deeper than a stack, or a limit, goes. */
final class NestedMessages extends Attack {
  private static final int CONNECTIONS = 8;
  private static final int DEEPEST = 100_000;
  private static final int DEEPEST_TEXT = 20_000;
  private static final long PAUSE_MILLIS = 10;

  private final List<ByteBuffer> pool = pool(this::message);

  NestedMessages(Target target, long seed, InetAddress from) {
    super(target, seed, from);
  }

  private ByteBuffer message() {
    int depth = random().nextInt(random().nextBoolean() ? DEEPEST : 400);
    UUID id = new UUID(random().nextLong(), random().nextLong());
    return switch (random().nextInt(4)) {
      case 0 -> Frames.binary(binary(depth, id));
      case 1 -> Frames.text(json(depth, id));
      case 2 -> Frames.binary(Messages.request(text(depth % DEEPEST_TEXT)));
      default -> Frames.binary(Messages.binary(query(depth % 400).bytecode()));
    };
  }

  private byte[] binary(int depth, UUID id) {
    RawRequest request = new RawRequest("eval", "bindings", id);
    boolean maps = random().nextBoolean();
    for (int i = 0; i < depth; i++) {
      if (maps) {
        request.map(1).string("k");
      } else {
        request.list(1);
      }
    }
    return request.integer(7).message();
  }

  private static String json(int depth, UUID id) {
    return "{\"requestId\":\""
        + id
        + "\",\"op\":\"eval\",\"args\":{\"bindings\":"
        + "[".repeat(depth)
        + "]".repeat(depth)
        + "}}";
  }

  private String text(int depth) {
    String open = pick(List.of("[", "{", "[a:", "g.inject(", "__.map(", "(", "not(is("));
    return "g.inject(" + open.repeat(depth) + "1" + (random().nextBoolean() ? ")" : "");
  }

  private Query query(int depth) {
    Query body = Query.empty().step("identity");
    for (int i = 0; i < depth; i++) {
      body = Query.empty().step(pick(List.of("map", "local", "repeat", "union", "not")), body);
    }
    return Query.inject(1).step("map", body);
  }

  @Override
  void begin() {
    keepAsking(CONNECTIONS, pool, 1, PAUSE_MILLIS);
  }
}

package io.bg3.server.hostile;

import io.bg3.server.guard.Messages;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;

/** Small queries with large plans: repeats that a strategy unrolls, long chains, deep nesting. */
final class UnrolledRepeats extends Attack {
  private static final int CONNECTIONS = 8;
  private static final long PAUSE_MILLIS = 20;
  private static final List<Integer> TIMES = List.of(100, 4_000, 100_000, 1_000_000);
  private static final List<String> CHAINED =
      List.of("path", "dedup", "fold", "unfold", "order", "group", "simplePath", "tree");
  private static final List<String> NESTING =
      List.of("local", "map", "flatMap", "filter", "not", "where", "optional", "sideEffect");

  private final List<ByteBuffer> pool = pool(this::message);

  UnrolledRepeats(Target target, long seed, InetAddress from) {
    super(target, seed, from);
  }

  private ByteBuffer message() {
    Query query =
        switch (random().nextInt(5)) {
          case 0, 1 -> repeated(Query.vertices(), 1 + random().nextInt(4)).step("count");
          case 2 -> chained(Query.vertices(), 20 + random().nextInt(60));
          case 3 -> nested(30 + random().nextInt(60));
          default -> Query.inject(1).step("math", "a*".repeat(16_000) + "a");
        };
    return random().nextBoolean()
        ? Frames.binary(Messages.request(query.text()))
        : Frames.binary(Messages.binary(query.bytecode()));
  }

  private Query repeated(Query start, int depth) {
    Query body = Query.empty().step(pick(List.of("out", "both", "in")));
    for (int i = 1; i < depth; i++) {
      body = Query.empty().step("repeat", body).step("times", pick(TIMES));
    }
    return start.step("repeat", body).step("times", pick(TIMES));
  }

  private Query chained(Query start, int length) {
    String step = pick(CHAINED);
    String between = pick(List.of("path", "dedup", step));
    Query query = start;
    for (int i = 0; i < length; i++) {
      query = query.step(i % 2 == 0 ? step : between);
    }
    return query;
  }

  private Query nested(int depth) {
    Query body = Query.empty().step("both");
    for (int i = 0; i < depth; i++) {
      body = Query.empty().step(pick(NESTING), body);
    }
    return Query.vertices().step("local", body);
  }

  @Override
  void begin() {
    keepAsking(CONNECTIONS, pool, 1, PAUSE_MILLIS);
  }
}

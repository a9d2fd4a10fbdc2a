package io.bg3.server.hostile;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.util.Tokens;

/** Long texts whose time is over soon: what is noted of each must not be the whole request. */
final class TimeOuts extends Attack {
  private static final int CONNECTIONS = 8;
  private static final int LONGEST = 50_000;

  private final List<ByteBuffer> pool = pool(this::message);

  TimeOuts(Target target, long seed, InetAddress from) {
    super(target, seed, from);
  }

  private ByteBuffer message() {
    String text =
        Query.inject("x".repeat(random().nextInt(LONGEST)))
            .step("repeat", Query.empty().step(pick(List.of("identity", "toUpper", "asString"))))
            .step("until", Query.empty().step("is", -1))
            .text();
    return Frames.binary(
        Frames.eval(text, Map.of(Tokens.ARGS_EVAL_TIMEOUT, 10L + random().nextInt(200))));
  }

  @Override
  void begin() {
    keepAsking(CONNECTIONS, pool, 1, 0);
  }
}

package io.bg3.server.hostile;

import io.bg3.server.guard.Messages;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;

/** A flood, from 32 clients, of texts that take time to parse and are refused then. */
final class RefusedTexts extends Attack {
  private static final int CONNECTIONS = 32;
  private static final int LENGTH = 60_000;

  private final List<ByteBuffer> pool = pool(() -> Frames.binary(Messages.request(text())));

  RefusedTexts(Target target, long seed, InetAddress from) {
    super(target, seed, from);
  }

  private String text() {
    String unit =
        pick(
            List.of(
                ".V()",
                ".out('a','b')",
                ".map(__.out().in())",
                ".has('a',P.gt(1).and(P.lt(2)))",
                ".inject(1,2,3,[1:2],{1,2})",
                ".foo()",
                ".where(__.not(__.out()))",
                " + ",
                "(",
                "'"));
    StringBuilder text = new StringBuilder("g");
    int length = 1 + random().nextInt(LENGTH);
    while (text.length() < length) {
      text.append(unit);
    }
    return text.append(pick(List.of(".io('x').read()", ".program()", "", ")", ".V("))).toString();
  }

  @Override
  void begin() {
    keepAsking(CONNECTIONS, pool, 1, 0);
  }
}

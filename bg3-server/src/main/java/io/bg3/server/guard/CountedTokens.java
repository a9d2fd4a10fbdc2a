package io.bg3.server.guard;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.TokenSource;

/**
 * The tokens of a text for a parser that may look at them only so often, and work only so long.
 * ANTLR's predictions look ahead as far as they like: three to seven times at each token of what
 * people write, and for some texts at everything that is left, at each token.
 *
 * <p>Time is that of the processor, so that a busy machine refuses nothing that an idle one takes.
 */
final class CountedTokens extends CommonTokenStream {
  private static final int EACH = 12;
  private static final int FREE = 4_000;
  private static final long NANOS = 2_000_000_000;
  private static final int EVERY = 1 << 7;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final long begin = THREADS.getCurrentThreadCpuTime();
  private long looks;

  CountedTokens(TokenSource source) {
    super(source);
  }

  @Override
  public int LA(int offset) {
    looks++;
    if (looks % EVERY == 0
        && (looks > FREE + (long) EACH * size()
            || THREADS.getCurrentThreadCpuTime() - begin > NANOS)) {
      throw new Exhausted();
    }
    return super.LA(offset);
  }

  /** The parser has looked too often. */
  static final class Exhausted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Exhausted() {
      super("the parser looks too often", null, false, false);
    }
  }
}

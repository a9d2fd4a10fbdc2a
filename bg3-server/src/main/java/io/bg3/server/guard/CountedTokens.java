package io.bg3.server.guard;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.TokenSource;

/**
 * A token stream that limits how often a parser looks ahead and how much CPU time it takes. ANTLR's
 * prediction looks ahead without a bound: three to seven times per token for ordinary queries, but
 * for some texts at all remaining tokens from each token.
 *
 * <p>The time limit counts CPU time of the thread, not wall-clock time, so that a busy machine
 * refuses no query that an idle one accepts.
 *
 * <p>Threads: the thread that creates the stream parses with it.
 */
final class CountedTokens extends CommonTokenStream {
  /** The most lookaheads per token, on average. */
  private static final int EACH = 12;

  /** Lookaheads that a text has in addition, so that short texts pass. */
  private static final int FREE = 4_000;

  /** The most CPU time of a parse, in nanoseconds. */
  private static final long NANOS = 2_000_000_000;

  /** Lookaheads between two checks of the limits. */
  private static final int EVERY = 1 << 7;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private long begin; // processor time of the thread at the first check of the limits
  private long looks;

  CountedTokens(TokenSource source) {
    super(source);
  }

  @Override
  public int LA(int offset) {
    looks++;
    if (looks % EVERY == 0) {
      check();
    }
    return super.LA(offset);
  }

  /** The first check begins the time: the few lookaheads before it take none to speak of. */
  private void check() {
    long now = THREADS.getCurrentThreadCpuTime();
    if (looks == EVERY) {
      begin = now;
    }
    if (looks > FREE + (long) EACH * size() || now - begin > NANOS) {
      throw new Exhausted();
    }
  }

  /** The parser has reached a limit. Carries no stack trace, because it is an expected outcome. */
  static final class Exhausted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Exhausted() {
      super("the parser reached the limit of lookaheads or CPU time", null, false, false);
    }
  }
}

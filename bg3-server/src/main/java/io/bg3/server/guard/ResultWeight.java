package io.bg3.server.guard;

import org.apache.tinkerpop.gremlin.process.traversal.Traverser;

/** The weight of results as {@link ValueSize} counts it, in about one character of their text. */
public final class ResultWeight {
  /** The weight of the results in one message, unless a single result is heavier: 4 Mi. */
  public static final long MESSAGE = 4 << 20;

  /** The weight of the results that an event loop answers: 64 Ki. */
  static final long QUICK = 64 << 10;

  private ResultWeight() {}

  /** The weight of a result, or of what a traverser holds; more than a message stays uncounted. */
  public static long of(Object result) {
    return ValueSize.of(
        result instanceof Traverser<?> traverser ? traverser.get() : result, MESSAGE);
  }
}

package io.bg3.server.guard;

import java.util.Map;
import java.util.function.Predicate;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;

/**
 * Judges one query, as bytecode or as text, against the {@link AllowList} and the {@link Limits}.
 * Both ways give the same verdict on the same query, but for regular expressions ({@link
 * SafeRegex}).
 *
 * <p>Threads: any.
 */
final class QueryJudge {
  private final Limits limits;
  private final Predicate<String> services;
  private final Predicate<String> reading;
  private final boolean writes;

  /**
   * @param services whether the graph offers a service of this name
   * @param reading whether that service is known to change nothing
   */
  QueryJudge(Limits limits, Predicate<String> services, Predicate<String> reading) {
    this(limits, services, reading, true);
  }

  private QueryJudge(
      Limits limits, Predicate<String> services, Predicate<String> reading, boolean writes) {
    this.limits = limits;
    this.services = services;
    this.reading = reading;
    this.writes = writes;
  }

  /** The same for those who may only read. */
  QueryJudge ofReaders() {
    return new QueryJudge(limits, services, reading, false);
  }

  private Tally tally() {
    return new Tally(limits, services, writes ? service -> true : reading, writes);
  }

  /** Passes a query that may run; its regular expressions are made interruptible. */
  void judge(Bytecode bytecode) throws Refusal {
    new BytecodeJudge(tally()).judge(bytecode);
  }

  /** Passes a text that may run, and has no variables. */
  void judge(String text) throws Refusal {
    judge(text, Map.of());
  }

  /**
   * Passes a text that may run.
   *
   * @param bindings values of its variables, as the client sent them; anything but a map is none
   */
  void judge(String text, Object bindings) throws Refusal {
    Map<?, ?> values = bindings instanceof Map<?, ?> map ? map : Map.of();
    new TextJudge(tally(), limits, values).judge(text);
  }

  /** Passes a value that a client sends beside a text. */
  void judgeValue(Object value) throws Refusal {
    new BytecodeJudge(tally()).judgeValue(value);
  }
}

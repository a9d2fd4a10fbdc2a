package io.bg3.server.guard;

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
  private final boolean writes;

  /**
   * @param services whether the graph offers a service of this name
   */
  QueryJudge(Limits limits, Predicate<String> services) {
    this(limits, services, true);
  }

  private QueryJudge(Limits limits, Predicate<String> services, boolean writes) {
    this.limits = limits;
    this.services = services;
    this.writes = writes;
  }

  /** The same for those who may only read. */
  QueryJudge ofReaders() {
    return new QueryJudge(limits, services, false);
  }

  /** Passes a query that may run; its regular expressions are made interruptible. */
  void judge(Bytecode bytecode) throws Refusal {
    new BytecodeJudge(new Tally(limits, services, writes)).judge(bytecode);
  }

  /** Passes a text that may run. */
  void judge(String text) throws Refusal {
    new TextJudge(new Tally(limits, services, writes), limits).judge(text);
  }

  /** Passes a value that a client sends beside a text. */
  void judgeValue(Object value) throws Refusal {
    new BytecodeJudge(new Tally(limits, services, writes)).judgeValue(value);
  }
}

package io.bg3.server.guard;

import io.bg3.server.answer.Refusal;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;

/**
 * Validates one query, in bytecode or as a text, against the {@link AllowList} and the {@link
 * Limits}. Both forms of a query get one verdict, except for regular expressions (see {@link
 * SafeRegex}).
 *
 * <p>Threads: any.
 */
public final class QueryJudge {
  private final Limits limits;
  private final Predicate<String> services;
  private final Predicate<String> reading;
  private final boolean writes;

  /**
   * Creates the validator for clients that may read and write.
   *
   * @param services whether the graph offers a service with this name
   * @param reading whether that service is known to be read-only
   */
  public QueryJudge(Limits limits, Predicate<String> services, Predicate<String> reading) {
    this(limits, services, reading, true);
  }

  private QueryJudge(
      Limits limits, Predicate<String> services, Predicate<String> reading, boolean writes) {
    this.limits = limits;
    this.services = services;
    this.reading = reading;
    this.writes = writes;
  }

  /** The validator for clients that may only read. */
  public QueryJudge ofReaders() {
    return new QueryJudge(limits, services, reading, false);
  }

  private Tally tally() {
    return new Tally(limits, services, writes ? service -> true : reading, writes);
  }

  /** Checks bytecode, and replaces its regular expressions by interruptible ones. */
  public void judge(Bytecode bytecode) throws Refusal {
    new BytecodeJudge(tally()).judge(bytecode);
  }

  /** Checks a query text without variables. */
  public void judge(String text) throws Refusal {
    judge(text, Map.of());
  }

  /**
   * Checks a query text.
   *
   * @param bindings the values of its variables, as the client sent them; anything but a map counts
   *     as empty
   */
  public void judge(String text, Object bindings) throws Refusal {
    Map<?, ?> values = bindings instanceof Map<?, ?> map ? map : Map.of();
    new TextJudge(tally(), limits, values).judge(text);
  }

  /** Checks a value that a client sends with a query text. */
  public void judgeValue(Object value) throws Refusal {
    new BytecodeJudge(tally()).judgeValue(value);
  }
}

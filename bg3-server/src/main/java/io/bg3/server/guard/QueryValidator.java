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
public final class QueryValidator {
  private final TextParser parser;
  private final Limits limits;
  private final Predicate<String> services;
  private final Predicate<String> reading;
  private final boolean writes;

  /**
   * Creates the validator for clients that may read and write.
   *
   * @param parser of the texts
   * @param services whether the graph offers a service with this name
   * @param reading whether that service is known to be read-only
   */
  public QueryValidator(
      TextParser parser, Limits limits, Predicate<String> services, Predicate<String> reading) {
    this(parser, limits, services, reading, true);
  }

  private QueryValidator(
      TextParser parser,
      Limits limits,
      Predicate<String> services,
      Predicate<String> reading,
      boolean writes) {
    this.parser = parser;
    this.limits = limits;
    this.services = services;
    this.reading = reading;
    this.writes = writes;
  }

  /** The validator for clients that may only read. */
  public QueryValidator ofReaders() {
    return new QueryValidator(parser, limits, services, reading, false);
  }

  private QueryBudget tally() {
    return new QueryBudget(limits, services, writes ? service -> true : reading, writes);
  }

  /** Checks bytecode, and replaces its regular expressions by interruptible ones. */
  public void validate(Bytecode bytecode) throws Refusal {
    new BytecodeValidator(tally()).validate(bytecode);
  }

  /** Checks a query text without variables. */
  public ValidatedText validate(String text) throws Refusal {
    return validate(text, Map.of());
  }

  /**
   * Checks a query text.
   *
   * @param bindings the values of its variables, as the client sent them; anything but a map counts
   *     as empty
   * @return the text with its parse tree
   */
  public ValidatedText validate(String text, Object bindings) throws Refusal {
    Map<?, ?> values = bindings instanceof Map<?, ?> map ? map : Map.of();
    return new ValidatedText(
        text, new TextValidator(parser, tally(), limits, values).validate(text));
  }

  /** Checks a value that a client sends with a query text. */
  public void validateValue(Object value) throws Refusal {
    new BytecodeValidator(tally()).validateValue(value);
  }
}

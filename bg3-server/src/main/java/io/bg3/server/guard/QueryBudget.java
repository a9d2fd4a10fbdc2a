package io.bg3.server.guard;

import io.bg3.gremlin.services.Bg3Services;
import io.bg3.server.answer.Refusal;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.function.Predicate;

/**
 * The running totals of one query against the {@link Limits}, and the checks that bytecode and
 * query texts share.
 *
 * <p>Threads: one; a tally belongs to one query.
 */
final class QueryBudget {
  /**
   * The most digits of a number and of its exponent's zeros; the length of a sum of decimals grows
   * with the difference of the exponents.
   */
  private static final int DIGITS = 1_000;

  /** The most elements of all ranges in a query text. */
  private static final int RANGE = 100_000;

  /**
   * The most collections in a query text that are elements of sets or keys of maps; with equal hash
   * codes, each is compared with every other.
   */
  private static final int HASHED = 1_000;

  /** The most nested traversals of one step; TinkerPop compares them with each other. */
  private static final int CHILDREN = 100;

  /** The most source steps; TinkerPop copies and sorts the earlier ones for each. */
  private static final int SOURCES = 100;

  /** A query may have one nested traversal for this many steps of the step limit. */
  private static final int STEPS_A_TRAVERSAL = 5;

  private final Limits limits;
  private final Predicate<String> services;
  private final Predicate<String> allowed;
  private final boolean writes;
  private final PlanSize plan;
  private int sources;
  private int steps;
  private int traversals;
  private long ranged;
  private long sizes; // sum of the numbers that may set a size
  private long collections; // that are hashed

  /**
   * Creates the tally of a query.
   *
   * @param services whether the graph offers a service with this name
   * @param allowed whether the query may call that service
   * @param writes whether the query may write
   */
  QueryBudget(
      Limits limits, Predicate<String> services, Predicate<String> allowed, boolean writes) {
    this.limits = limits;
    this.services = services;
    this.allowed = allowed;
    this.writes = writes;
    this.plan = new PlanSize(limits.steps(), CHILDREN);
  }

  /** Counts a strategy, an option or a side effect; TinkerPop copies the whole source for each. */
  void source() throws Refusal {
    if (++sources > SOURCES) {
      throw Refusal.forbidden("source has too many steps: limit=" + SOURCES);
    }
  }

  /** A traversal begins: the query, or a traversal nested in the last step. */
  void open() {
    plan.open();
  }

  /** The innermost open traversal ends. */
  void close() throws Refusal {
    plan.close();
  }

  void step(String name) throws Refusal {
    AllowList.requireStep(name);
    if (!writes) {
      AllowList.requireReading(name);
    }
    if (++steps > limits.steps()) {
      throw Refusal.forbidden("query has too many steps: limit=" + limits.steps());
    }
    plan.step(name);
  }

  /** Checks a number that a step receives, as a literal or as a variable. */
  void number(String step, Number number) throws Refusal {
    long most = Math.min(limits.rows(), ArgumentLimits.MOST);
    sizes += ArgumentLimits.requireNumber(step, number, most);
    if (sizes > most) {
      throw Refusal.forbidden(
          "numbers of the query are too large together: step="
              + step
              + ", sum="
              + sizes
              + ", limit="
              + most
              + ", setting=server.rows.limit");
    }
    if (step.equals("times")) {
      plan.times(number.longValue());
    }
  }

  /** Checks a text that a step receives, as a literal or as a variable. */
  void text(String step, String text) throws Refusal {
    ArgumentLimits.requireText(step, text);
  }

  /** Counts a collection in a query text that becomes an element of a set or a key of a map. */
  void hashed() throws Refusal {
    if (++collections > HASHED) {
      throw Refusal.forbidden(
          "text has too many collections as elements of sets or keys of maps: limit=" + HASHED);
    }
  }

  /** Counts the nested traversals of one step. */
  void children(int count) throws Refusal {
    traversals += count;
    int limit = Math.max(CHILDREN, limits.steps() / STEPS_A_TRAVERSAL);
    if (count > CHILDREN || traversals > limit) {
      throw Refusal.forbidden(
          "query has too many nested traversals: inOneStep="
              + count
              + ", limit="
              + CHILDREN
              + ", all="
              + traversals
              + ", limit="
              + limit);
    }
  }

  void nesting(int depth) throws Refusal {
    if (depth > limits.nesting()) {
      throw Refusal.forbidden("query is nested too deeply: limit=" + limits.nesting());
    }
  }

  /** Counts the elements of a range in a query text, which the parser expands to a list. */
  void range(long elements) throws Refusal {
    ranged += elements;
    if (ranged > RANGE) {
      throw Refusal.forbidden("ranges are too wide: elements=" + ranged + ", limit=" + RANGE);
    }
  }

  void service(String name) throws Refusal {
    if (name.equals("--list")) {
      return;
    }
    if (!services.test(name)) {
      throw Refusal.forbidden("service is not known: call=" + AllowList.shown(name));
    }
    if (!allowed.test(name)) {
      throw Refusal.forbidden("this request may only read: call=" + AllowList.shown(name));
    }
  }

  /**
   * Checks the parameters of a service call.
   *
   * @param found whether a nested traversal computes them; a batch service needs them before it
   *     runs
   */
  void parameters(String service, boolean found) throws Refusal {
    if (found && Bg3Services.isBatch(service)) {
      throw Refusal.forbidden(
          "the parameters of this service have to be values, not a traversal: call=" + service);
    }
  }

  /** Checks an option of a source; a timeout must be positive and within the server's limit. */
  void option(String key, Object value) throws Refusal {
    AllowList.requireOption(key);
    if (key.endsWith("valuationTimeout")) {
      boolean fits =
          value instanceof Number number
              && number.longValue() > 0
              && number.longValue() <= limits.evaluationMillis();
      if (!fits) {
        throw Refusal.forbidden(
            "evaluationTimeout is outside the server's limit: asked="
                + AllowList.shown(String.valueOf(value))
                + ", limit="
                + limits.evaluationMillis());
      }
    }
  }

  void decimal(BigDecimal value) throws Refusal {
    if (Math.abs((long) value.scale()) > DIGITS || value.precision() > DIGITS) {
      throw Refusal.forbidden("number has too many digits: limit=" + DIGITS);
    }
  }

  void integer(BigInteger value) throws Refusal {
    if (value.bitLength() > DIGITS * 4) {
      throw Refusal.forbidden("number has too many digits: limit=" + DIGITS);
    }
  }
}

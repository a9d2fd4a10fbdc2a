package io.bg3.server.guard;

import io.bg3.gremlin.structure.Bg3Services;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.function.Predicate;

/**
 * What one query has used of what a query may use, and the checks that do not depend on the form in
 * which it came.
 */
final class Tally {
  /** Digits before or behind the point; sums of decimals are as long as their exponents differ. */
  private static final int DIGITS = 1_000;

  private static final int RANGE = 100_000;

  /** Collections that a text may have hashed; if their hashes are equal, each meets all others. */
  private static final int HASHED = 1_000;

  /** Nested traversals of one step; TinkerPop compares them with each other. */
  private static final int CHILDREN = 100;

  /** Strategies, options and side effects; each copies and sorts those before it. */
  private static final int SOURCES = 100;

  /** Steps for which there may be one nested traversal. */
  private static final int STEPS_A_TRAVERSAL = 5;

  private final Limits limits;
  private final Predicate<String> services;
  private final Predicate<String> allowed;
  private final boolean writes;
  private final Plan plan;
  private int sources;
  private int steps;
  private int traversals;
  private long ranged;
  private long sizes; // numbers that may size memory, together
  private long collections; // that are hashed

  /**
   * @param services those that there are
   * @param allowed those of them that the query may call
   * @param writes whether the query may write
   */
  Tally(Limits limits, Predicate<String> services, Predicate<String> allowed, boolean writes) {
    this.limits = limits;
    this.services = services;
    this.allowed = allowed;
    this.writes = writes;
    this.plan = new Plan(limits.steps(), CHILDREN);
  }

  /** A strategy, an option or a side effect of a source, which copies all that it has. */
  void source() throws Refusal {
    if (++sources > SOURCES) {
      throw Refusal.forbidden("source has too many steps: limit=" + SOURCES);
    }
  }

  /** A traversal begins, the whole query or one nested in the step that came last. */
  void open() {
    plan.open();
  }

  /** The traversal that began last ends. */
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

  /** A number that a step is given, in whatever way. */
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

  /** A text that a step is given, in whatever way. */
  void text(String step, String text) throws Refusal {
    ArgumentLimits.requireText(step, text);
  }

  /** A collection in a text of a query that becomes an element of a set or a key of a map. */
  void hashed() throws Refusal {
    if (++collections > HASHED) {
      throw Refusal.forbidden(
          "text has too many collections as elements of sets or keys of maps: limit=" + HASHED);
    }
  }

  /** So many traversals nested in one step. */
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

  /** A range in a text, which becomes a list of its elements. */
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
   * The parameters of a service.
   *
   * @param found whether a query finds them; what is asked of a batch has to be known beforehand
   */
  void parameters(String service, boolean found) throws Refusal {
    if (found && Bg3Services.isBatch(service)) {
      throw Refusal.forbidden(
          "the parameters of this service have to be values, not a traversal: call=" + service);
    }
  }

  /** An option of a source. What it says about time is held to the limit. */
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

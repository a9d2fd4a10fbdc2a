package io.bg3.server.guard;

import io.bg3.server.answer.Refusal;

/**
 * Computes in how many ways a regular expression can match without reading a character. {@link
 * SafeRegex} notices an interrupt only when the matcher reads a character, but {@code (|)} has two
 * ways to match the empty string, and sixty of them in a row have 2^60. The computation uses the
 * structure of the expression and runs before the expression is compiled.
 *
 * <p>For each part the computation counts the ways to match the empty string, the ways from its
 * start to a character, from a character to its end, and from one character to the next. None of
 * these counts may be large. An expression that {@link java.util.regex.Pattern} rejects may pass
 * here; compiling it reports the error.
 */
final class RegexCost {
  /** The longest expression, in characters; the compiler recurses over the expression. */
  private static final int LENGTH = 1_000;

  /** The deepest nesting of groups. */
  private static final int DEPTH = 50;

  /**
   * The most ways without reading a character; the matcher tries each at every character of a text.
   */
  private static final double WAYS = 512;

  private final String expression;
  private int at;

  private RegexCost(String expression) {
    this.expression = expression;
  }

  /**
   * The numbers of ways through a part of an expression.
   *
   * @param empty ways that read no character
   * @param into ways from the start to a character, or to where the part fails
   * @param outOf ways from a character to the end
   * @param within the most ways from one character to the next
   * @param all all ways; infinite for a repetition
   */
  private record Ways(double empty, double into, double outOf, double within, double all) {
    static final Ways NOTHING = new Ways(1, 0, 0, 0, 1);
    static final Ways POSITION = new Ways(1, 1, 0, 0, 1);
    static final Ways CHARACTER = new Ways(0, 1, 1, 1, 1);
    static final Ways REFERENCE = new Ways(1, 1, 1, 1, 1);

    Ways then(Ways next) {
      return new Ways(
          empty * next.empty,
          into + empty * next.into,
          next.outOf + outOf * next.empty,
          Math.max(Math.max(within, next.within), outOf * next.into),
          all * next.all);
    }

    Ways or(Ways other) {
      return new Ways(
          empty + other.empty,
          into + other.into,
          outOf + other.outOf,
          Math.max(within, other.within),
          all + other.all);
    }

    Ways optional() {
      return or(POSITION);
    }

    Ways repeated() {
      double out = outOf * (1 + empty);
      return new Ways(
          1 + empty, 1 + into, out, Math.max(within, out * (1 + into)), Double.POSITIVE_INFINITY);
    }

    Ways times(int count) {
      if (empty == 0 && count > 1) { // each copy reads, so no ways multiply
        return new Ways(0, into, outOf, Math.max(within, outOf * into), Double.POSITIVE_INFINITY);
      }
      Ways whole = NOTHING;
      for (int i = 0; i < count && !whole.areTooMany(); i++) {
        whole = whole.then(this);
      }
      return whole;
    }

    boolean areTooMany() {
      return Math.max(Math.max(empty, into), Math.max(outOf, within)) > WAYS;
    }
  }

  /** Checks an expression that {@link SafeRegex} will match, interruptibly. */
  static void require(String expression) throws Refusal {
    if (ways(expression).areTooMany()) {
      throw Refusal.forbidden(
          "regular expression can match the empty string in too many ways: limit=" + (int) WAYS);
    }
  }

  /** Checks an expression that TinkerPop will match without checking for interrupts. */
  static void requireFew(String expression) throws Refusal {
    Ways ways = ways(expression);
    if (ways.areTooMany() || ways.all > WAYS) {
      throw Refusal.forbidden(
          "a regular expression in a text can match in too many ways: limit="
              + (int) WAYS
              + "; send the query as bytecode");
    }
  }

  private static Ways ways(String expression) throws Refusal {
    if (expression.length() > LENGTH) {
      throw Refusal.forbidden(
          "regular expression is too long: length=" + expression.length() + ", limit=" + LENGTH);
    }
    RegexCost cost = new RegexCost(expression);
    Ways ways = cost.alternatives(0);
    while (cost.has()) { // an unmatched bracket, which the compiler rejects
      cost.at++;
      ways = ways.then(cost.alternatives(0));
    }
    return ways;
  }

  private Ways alternatives(int depth) throws Refusal {
    if (depth > DEPTH) {
      throw Refusal.forbidden("regular expression is nested too deeply: limit=" + DEPTH);
    }
    Ways ways = sequence(depth);
    while (has() && peek() == '|') {
      at++;
      ways = ways.or(sequence(depth));
    }
    return ways;
  }

  private Ways sequence(int depth) throws Refusal {
    Ways ways = Ways.POSITION;
    while (has() && peek() != '|' && peek() != ')') {
      ways = ways.then(quantified(atom(depth)));
    }
    return ways;
  }

  private Ways atom(int depth) throws Refusal {
    char c = next();
    return switch (c) {
      case '(' -> group(depth);
      case '[' -> characters();
      case '\\' -> escaped();
      case '^', '$' -> Ways.POSITION;
      default -> Ways.CHARACTER;
    };
  }

  private Ways group(int depth) throws Refusal {
    boolean looks = false;
    if (skip("?")) {
      if (skip("=") || skip("!") || skip("<=") || skip("<!")) {
        looks = true;
      } else if (skip("<")) {
        skipThrough('>');
      } else if (!skip(":") && !skip(">")) {
        while (has() && peek() != ')' && peek() != ':') {
          requirePlain(next() != 'x');
        }
        if (!skip(":")) {
          skip(")");
          return Ways.NOTHING;
        }
      }
    }
    Ways inner = alternatives(depth + 1);
    skip(")");
    return looks ? new Ways(1, 1 + inner.into, inner.outOf, inner.within, inner.all) : inner;
  }

  /** Reads a character class, nested classes included. */
  private Ways characters() throws Refusal {
    skip("^");
    requirePlain(!has() || peek() != ']'); // the compiler reads it as a literal
    int depth = 1;
    while (has() && depth > 0) {
      char c = next();
      if (c == '\\' && has()) {
        requirePlain(next() != 'Q');
      } else if (c == '[') {
        depth++;
        skip("^");
        requirePlain(!has() || peek() != ']');
      } else if (c == ']') {
        depth--;
      }
    }
    return Ways.CHARACTER;
  }

  private Ways escaped() {
    if (!has()) {
      return Ways.NOTHING;
    }
    char c = next();
    switch (c) {
      case 'Q' -> {
        int end = expression.indexOf("\\E", at);
        int length = (end < 0 ? expression.length() : end) - at;
        at = end < 0 ? expression.length() : end + 2;
        return length == 0 ? Ways.NOTHING : Ways.CHARACTER;
      }
      case 'E' -> {
        return Ways.NOTHING;
      }
      case 'b', 'B', 'A', 'G', 'z', 'Z' -> {
        skip("{g}");
        return Ways.POSITION;
      }
      case 'k' -> {
        skipThrough('>');
        return Ways.REFERENCE;
      }
      case 'p', 'P', 'x', 'N' -> {
        if (has() && peek() == '{') {
          skipThrough('}');
        }
        return Ways.CHARACTER;
      }
      case 'c' -> {
        at++;
        return Ways.CHARACTER;
      }
      default -> {
        return c >= '1' && c <= '9' ? Ways.REFERENCE : Ways.CHARACTER;
      }
    }
  }

  private Ways quantified(Ways ways) {
    Ways quantified = ways;
    while (has() && "?*+{".indexOf(peek()) >= 0) {
      char c = next();
      if (c == '?') {
        quantified = quantified.optional();
      } else if (c == '*') {
        quantified = quantified.repeated();
      } else if (c == '+') {
        quantified = quantified.then(quantified.repeated());
      } else {
        quantified = counted(quantified);
      }
      if (!skip("?")) {
        skip("+");
      }
    }
    return quantified;
  }

  private Ways counted(Ways ways) {
    int least = number();
    boolean more = skip(",");
    int most = more && has() && peek() != '}' ? number() : more ? Integer.MAX_VALUE : least;
    skip("}");
    Ways whole = ways.times(least);
    return most > least ? whole.then(ways.repeated()) : whole;
  }

  private int number() {
    long number = 0;
    while (has() && Character.isDigit(peek())) {
      number = Math.min(number * 10 + Character.digit(next(), 10), Integer.MAX_VALUE);
    }
    return (int) number;
  }

  /** Refuses syntax that this parser reads differently from {@link java.util.regex.Pattern}. */
  private static void requirePlain(boolean isPlain) throws Refusal {
    if (!isPlain) {
      throw Refusal.forbidden(
          "regular expression uses syntax that the server does not support: the flag x, a class"
              + " that begins with ']', or \\Q in a class");
    }
  }

  private boolean has() {
    return at < expression.length();
  }

  private char peek() {
    return expression.charAt(at);
  }

  private char next() {
    return expression.charAt(at++);
  }

  private boolean skip(String text) {
    boolean is = expression.startsWith(text, at);
    at += is ? text.length() : 0;
    return is;
  }

  private void skipThrough(char last) {
    while (has() && next() != last) {} // or to the end
  }
}

package io.bg3.server.guard;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.tinkerpop.gremlin.process.traversal.NotP;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.PBiPredicate;
import org.apache.tinkerpop.gremlin.process.traversal.Text;
import org.apache.tinkerpop.gremlin.process.traversal.util.AndP;
import org.apache.tinkerpop.gremlin.process.traversal.util.ConnectiveP;
import org.apache.tinkerpop.gremlin.process.traversal.util.OrP;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;

/**
 * A regular expression that ends when its query is interrupted. A matcher of the JDK may run for
 * years on a few dozen characters and does not check for interrupts. Here the text that the matcher
 * reads checks for an interrupt every few dozen characters, and {@link RegexCost} ensures that the
 * matcher keeps reading.
 *
 * <p>In bytecode the server replaces the predicates. A query text becomes predicates only while it
 * runs; there the server refuses an expression that repeats anything or can match in many ways, so
 * that the length of the text bounds the matching time.
 *
 * <p>Threads: any; immutable.
 */
final class SafeRegex implements PBiPredicate<String, String> {
  private static final long serialVersionUID = 1L;

  /** Repetitions and back references. */
  private static final Pattern REPEATS = Pattern.compile("[*+{]|\\\\[0-9k]");

  private final Pattern pattern;
  private final boolean negate;

  private SafeRegex(Pattern pattern, boolean negate) {
    this.pattern = pattern;
    this.negate = negate;
  }

  static boolean repeats(String expression) {
    return REPEATS.matcher(expression).find();
  }

  /** Replaces every regular expression in a predicate by an interruptible one. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // predicates are made of predicates of one type
  static P<?> interruptible(P<?> predicate) {
    if (!isRegex(predicate)) {
      return predicate;
    } else if (predicate instanceof ConnectiveP<?> connective) {
      List parts = connective.getPredicates().stream().map(SafeRegex::interruptible).toList();
      return connective instanceof AndP ? new AndP(parts) : new OrP(parts);
    }
    return new P(replaced(predicate.getBiPredicate()), predicate.getValue());
  }

  /** The regular expression of a predicate that is not a connective; empty if it has none. */
  static Optional<String> expression(P<?> predicate) {
    return expression(predicate.getBiPredicate());
  }

  /** Compiles nothing: for a long literal that takes time with the square of its length. */
  private static Optional<String> expression(PBiPredicate<?, ?> test) {
    if (test instanceof NotP.NotPBiPredicate<?, ?> not) {
      return expression(not.getOriginal());
    } else if (test instanceof SafeRegex regex) {
      return Optional.of(regex.pattern.pattern());
    }
    return test instanceof Text.RegexPredicate regex
        ? Optional.of(regex.getPattern())
        : Optional.empty();
  }

  /** Whether a predicate contains a regular expression. */
  static boolean isRegex(P<?> predicate) {
    return predicate instanceof ConnectiveP<?> connective
        ? connective.getPredicates().stream().anyMatch(SafeRegex::isRegex)
        : expression(predicate).isPresent();
  }

  private static PBiPredicate<?, ?> replaced(PBiPredicate<?, ?> test) {
    if (test instanceof Text.RegexPredicate regex) {
      return new SafeRegex(Pattern.compile(regex.getPattern()), regex.isNegate());
    } else if (test instanceof NotP.NotPBiPredicate<?, ?> not) {
      PBiPredicate<?, ?> inner = replaced(not.getOriginal());
      return inner instanceof SafeRegex regex ? regex.negate() : test;
    }
    return test;
  }

  @Override
  public boolean test(String value, String expression) {
    Watched.checkInterrupt(); // a list may hold many short texts
    try {
      return negate != pattern.matcher(new Watched(value)).find();
    } catch (StackOverflowError e) { // the matcher recurses for each repetition of a group
      throw new IllegalStateException(
          "regular expression is too deep for the text: expression="
              + AllowList.shown(pattern.pattern())
              + ", textLength="
              + value.length());
    }
  }

  @Override
  public SafeRegex negate() {
    return new SafeRegex(pattern, !negate);
  }

  @Override
  public String getPredicateName() {
    return negate ? "notRegex" : "regex";
  }

  @Override
  public String toString() {
    return "regex(" + pattern.pattern() + ")";
  }

  /** A text that checks for an interrupt while a matcher reads it. */
  private static final class Watched implements CharSequence {
    private static final int EVERY = 1 << 6;

    private final CharSequence text;
    private int read;

    Watched(CharSequence text) {
      this.text = text;
    }

    @Override
    public char charAt(int index) {
      if (++read % EVERY == 0) {
        checkInterrupt();
      }
      return text.charAt(index);
    }

    private static void checkInterrupt() {
      if (Thread.interrupted()) {
        throw new TraversalInterruptedException();
      }
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.subSequence(start, end);
    }

    @Override
    public String toString() {
      return text.toString();
    }
  }
}

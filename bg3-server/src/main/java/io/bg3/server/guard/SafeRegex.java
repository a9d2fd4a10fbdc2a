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
 * Regular expressions that end when the query's time is over. Java's may run for as long as they
 * like (a few dozen characters suffice for years) and look at no interrupt; here the text that they
 * read does, every so many characters, and {@link RegexCost} sees to it that they read.
 *
 * <p>In bytecode the predicates are replaced. A text becomes predicates only while it runs, so
 * there an expression is refused that repeats anything, or can match in many ways: what is left
 * takes a time that the length of the text bounds.
 */
final class SafeRegex implements PBiPredicate<String, String> {
  private static final long serialVersionUID = 1L;

  /** Characters that repeat, or look back at what was found. */
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

  /** The same predicate with every regular expression in it made interruptible. */
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

  /** The regular expression of a predicate that is no connection of others. */
  static Optional<String> expression(P<?> predicate) {
    return replaced(predicate.getBiPredicate()) instanceof SafeRegex regex
        ? Optional.of(regex.pattern.pattern())
        : Optional.empty();
  }

  /** Whether there is a regular expression in a predicate. */
  static boolean isRegex(P<?> predicate) {
    return predicate instanceof ConnectiveP<?> connective
        ? connective.getPredicates().stream().anyMatch(SafeRegex::isRegex)
        : replaced(predicate.getBiPredicate()) != predicate.getBiPredicate();
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
    Watched.checkInterrupt(); // also if there are many short texts in one list
    try {
      return negate != pattern.matcher(new Watched(value)).find();
    } catch (StackOverflowError e) { // it descends for each character that a group repeats
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

  /** A text that notices when its reader is interrupted. */
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

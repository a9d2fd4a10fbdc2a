package io.bg3.server.log;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Decides which lines of a log are written: in each window of ten seconds a few of one key and a
 * number of all keys together. The others are counted, and {@link #ended} gives the counts once
 * their window is over.
 *
 * <p>The number of keys in a window is bounded; lines of further keys count under {@link #OTHERS}.
 *
 * <p>Threads: any.
 */
public final class LineLimit {
  /** How long a window is. */
  public static final long WINDOW_SECONDS = 10;

  /** The key of lines for whose own key there is no room. */
  public static final String OTHERS = "others";

  private static final int EACH = 5;
  private static final int ALL = 100;
  private static final int KEYS = 1_000;

  /** How many lines of a key were left out in a window that is over. */
  public record Suppressed(String key, long count) {}

  private static final class Lines {
    int written;
    long suppressed;
  }

  /** Lines about what was left out, in each window; one more counts the rest. */
  private static final int SUMMARIES = 10;

  private final LongSupplier nanos;
  private final int each;
  private final int all;
  private final Map<String, Lines> window = new LinkedHashMap<>();
  private final List<Suppressed> over = new ArrayList<>();
  private long begin;
  private int written;

  /** A limit that no line has used. */
  public LineLimit() {
    this(EACH, ALL);
  }

  /**
   * A limit that no line has used.
   *
   * @param each lines of one key in a window
   * @param all lines of all keys together
   */
  LineLimit(int each, int all) {
    this(each, all, System::nanoTime);
  }

  LineLimit(LongSupplier nanos) {
    this(EACH, ALL, nanos);
  }

  /** A limit on a clock of nanoseconds. */
  public LineLimit(int each, int all, LongSupplier nanos) {
    this.each = each;
    this.all = all;
    this.nanos = nanos;
    this.begin = nanos.getAsLong();
  }

  /** Whether a line of this key is written now; a line that is not counts as suppressed. */
  public synchronized boolean admits(String key) {
    turn();
    boolean known = window.containsKey(key) || window.size() < KEYS;
    Lines lines = window.computeIfAbsent(known ? key : OTHERS, absent -> new Lines());
    if (lines.written < each && written < all) {
      lines.written++;
      written++;
      return true;
    }
    lines.suppressed++;
    return false;
  }

  /** The counts of windows that are over and were not given before, in order of their keys. */
  public synchronized List<Suppressed> ended() {
    turn();
    List<Suppressed> ended = List.copyOf(over);
    over.clear();
    return ended;
  }

  /** Ends the window at once and gives what {@link #ended} gives. */
  public synchronized List<Suppressed> end() {
    close();
    return ended();
  }

  /** Writes how many lines were left out, in a few lines. */
  static void summarise(Logger log, List<Suppressed> suppressed) {
    summarise(suppressed, log::warn);
  }

  /** Says in a few lines how many lines were left out. */
  public static void summarise(List<Suppressed> suppressed, Consumer<String> lines) {
    int shown = Math.min(SUMMARIES, suppressed.size());
    for (Suppressed one : suppressed.subList(0, shown)) {
      lines.accept("more lines were left out: count=" + one.count() + ", " + one.key());
    }
    List<Suppressed> rest = suppressed.subList(shown, suppressed.size());
    if (!rest.isEmpty()) {
      long count = rest.stream().mapToLong(Suppressed::count).sum();
      lines.accept(
          "more lines were left out: count=" + count + ", kindsAndAddresses=" + rest.size());
    }
  }

  private void turn() {
    if (nanos.getAsLong() - begin >= TimeUnit.SECONDS.toNanos(WINDOW_SECONDS)) {
      close();
    }
  }

  private void close() {
    if (over.size() <= KEYS) { // else no caller asks for them
      window.forEach(
          (key, lines) -> {
            if (lines.suppressed > 0) {
              over.add(new Suppressed(key, lines.suppressed));
            }
          });
    }
    window.clear();
    written = 0;
    begin = nanos.getAsLong();
  }
}

package io.bg3.server.log;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

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

  private final LongSupplier nanos;
  private final Map<String, Lines> window = new LinkedHashMap<>();
  private final List<Suppressed> over = new ArrayList<>();
  private long begin;
  private int written;

  /** A limit that no line has used. */
  public LineLimit() {
    this(System::nanoTime);
  }

  LineLimit(LongSupplier nanos) {
    this.nanos = nanos;
    this.begin = nanos.getAsLong();
  }

  /** Whether a line of this key is written now; a line that is not counts as suppressed. */
  public synchronized boolean admits(String key) {
    turn();
    boolean known = window.containsKey(key) || window.size() < KEYS;
    Lines lines = window.computeIfAbsent(known ? key : OTHERS, absent -> new Lines());
    if (lines.written < EACH && written < ALL) {
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

  private void turn() {
    if (nanos.getAsLong() - begin >= TimeUnit.SECONDS.toNanos(WINDOW_SECONDS)) {
      close();
    }
  }

  private void close() {
    if (over.size() <= KEYS) { // else nobody asks for them
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

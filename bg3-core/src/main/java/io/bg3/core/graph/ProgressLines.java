package io.bg3.core.graph;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The lines of a log that say how far work is which takes long: one in ten seconds, and one at its
 * end. Work that takes less has none, so that nobody can fill a log with it.
 *
 * <p>Belongs to the thread that works.
 */
final class ProgressLines {
  static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final LongSupplier nanos;
  private final Consumer<String> lines;
  private long begun;
  private long told;

  /**
   * Lines that are not begun.
   *
   * @param nanos a clock
   * @param lines takes each line
   */
  ProgressLines(LongSupplier nanos, Consumer<String> lines) {
    this.nanos = nanos;
    this.lines = lines;
  }

  /** Work begins. */
  void begin() {
    begun = nanos.getAsLong();
    told = begun;
  }

  /** Work has come further, to this number of elements. */
  void done(Supplier<String> work, long done) {
    long now = nanos.getAsLong();
    if (now - told >= STEP_NANOS) {
      told = now;
      lines.accept(line(work, "goes on", done, now));
    }
  }

  /** Work has ended at this number of elements. */
  void end(Supplier<String> work, long done) {
    long now = nanos.getAsLong();
    if (now - begun >= STEP_NANOS) {
      lines.accept(line(work, "has ended", done, now));
    }
  }

  private String line(Supplier<String> work, String state, long done, long now) {
    return "%s %s: done=%d, seconds=%d"
        .formatted(work.get(), state, done, TimeUnit.NANOSECONDS.toSeconds(now - begun));
  }
}

package io.bg3.core.forest;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * When searches are due for what no search could settle: ten minutes after the note, then twenty,
 * up to twelve hours, until one has done something. So what can never be settled is not read all
 * the time.
 *
 * <p>Threads: belongs to one.
 */
final class SearchRests {
  /** From the first note to the search. */
  private static final long LEAST_NANOS = TimeUnit.MINUTES.toNanos(10);

  private static final long MOST_NANOS = TimeUnit.HOURS.toNanos(12);

  private record Rest(long due, long nanos, boolean isNoted) {}

  private final LongSupplier nanos;
  private final Map<Integer, Rest> rests = new HashMap<>();

  /** No notes, by a clock of the caller's, in nanoseconds. */
  SearchRests(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Has something searched after a rest, if it is not noted: the number of a tree or a family. */
  void note(int number) {
    Rest before = rests.get(number);
    if (before == null || !before.isNoted()) {
      long rest = before == null ? LEAST_NANOS : Math.min(MOST_NANOS, 2 * before.nanos());
      rests.put(number, new Rest(nanos.getAsLong() + rest, rest, true));
    }
  }

  /** Whether something is noted and no search of it has begun since. */
  boolean isNoted(int number) {
    Rest rest = rests.get(number);
    return rest != null && rest.isNoted();
  }

  /** Whether something is noted and its rest is over. */
  boolean isDue(int number) {
    Rest rest = rests.get(number);
    return rest != null && rest.isNoted() && nanos.getAsLong() - rest.due() >= 0;
  }

  /** Says that a search begins: what is noted from now on is another one's. */
  void begin(int number) {
    rests.computeIfPresent(number, (key, rest) -> new Rest(0, rest.nanos(), false));
  }

  /** Says that a search has done something for an owner: the rests are short again. */
  void noteMoved(int number) {
    rests.computeIfPresent(
        number, (key, rest) -> rest.isNoted() ? new Rest(rest.due(), LEAST_NANOS / 2, true) : null);
  }
}

package io.bg3.bench.work;

import io.bg3.bench.data.SeededHash;
import io.bg3.bench.store.BenchStore;
import io.bg3.bench.store.Lifetime;
import io.bg3.bench.store.StoreWriter;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * New edges that expire, with the entries under their targets. An edge that is drawn twice lives
 * its time again from the second insert on. One thread.
 */
final class ExpiringInserts extends EdgeInserts {
  private static final int LABEL = 5;
  private static final int REVERSE = 6;

  /** So many of the edges that have expired are looked for. */
  private static final long LOOKED_FOR = 100_000;

  /** Two clocks, of which one counts in milliseconds, differ by less. */
  private static final long SLACK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final BenchStore store;
  private final long ttl;

  /** By insert, when it began; the one before it had ended then. */
  private long[] began = new long[1 << 16];

  private long expired;

  /** No edges yet; the owners as {@link EdgeInserts} has them. */
  ExpiringInserts(Task task, BenchStore store, long[] owners, Lifetime lifetime) {
    super(task, store, owners, LABEL, REVERSE);
    this.store = store;
    this.ttl = TimeUnit.SECONDS.toNanos(lifetime.seconds());
  }

  /** The edges that a store must be opened for. */
  static Lifetime lifetime(int seconds) {
    return new Lifetime(seconds, Set.of(LABEL, REVERSE));
  }

  @Override
  void insert(StoreWriter writer) {
    int number = Math.toIntExact(count());
    if (number == began.length) {
      began = Arrays.copyOf(began, 2 * number);
    }
    began[number] = System.nanoTime();
    super.insert(writer);
  }

  /** Reads the edges whose time is not over, the youngest first. */
  @Override
  void checkAtOnce() {
    try (Ends ends = ends()) {
      for (long i = count() - 1; i >= 0 && isYoung(i); i--) {
        if (!ends.have(i) && isYoung(i)) {
          throw missing(i);
        }
      }
    }
  }

  private boolean isYoung(long insert) {
    return System.nanoTime() - began[(int) insert] < ttl - SLACK_NANOS;
  }

  /**
   * Counts the edges that have expired, and looks for the oldest of them if the system says that no
   * reader sees such edges.
   *
   * @throws IllegalStateException if one of them is there
   */
  @Override
  void check() {
    long now = System.nanoTime();
    long young = count();
    Set<Long> renewed = new HashSet<>();
    while (young > 0 && !isOver(young - 1, now)) {
      young--;
      renewed.add(edge(young));
    }
    expired = young;
    if (!store.hidesExpired()) {
      return;
    }
    try (Ends ends = ends()) {
      for (long i = 0; i < Math.min(expired, LOOKED_FOR); i++) {
        if (!renewed.contains(edge(i)) && ends.haveAnythingOf(i)) {
          throw new IllegalStateException(
              "an edge that has expired is there: owner=" + owner(i) + ", other=" + other(i));
        }
      }
    }
  }

  /** Whether the time of an insert had been over for a moment. */
  private boolean isOver(long insert, long now) {
    long ended = insert + 1 < count() ? began[(int) insert + 1] : now;
    return now - ended > ttl + SLACK_NANOS;
  }

  private long edge(long insert) {
    return SeededHash.of(owner(insert), other(insert));
  }

  /** How many inserts had expired when the store was {@linkplain #check checked}. */
  long expired() {
    return expired;
  }
}

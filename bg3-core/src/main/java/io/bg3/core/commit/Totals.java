package io.bg3.core.commit;

import io.bg3.core.entry.Horizon;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.Varints;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Totals that transactions add to: counters with versions, so that a snapshot reads the value of
 * its time.
 *
 * <p>Commits do not write them, or all commits would meet there. Each brings its increments along,
 * and the thread that advances <i>visible</i> adds them in the order of the timestamps before it
 * moves the mark. So a total at a snapshot is exactly the sum of the commits that the snapshot
 * sees.
 *
 * <p>Encoded for a checkpoint:
 *
 * <pre>
 *   size    field
 *   varint  stamp of the newest commit in the values
 *   varint  number of counters that are not zero
 *           for each, ascending: varint counter, zigzag varint value
 * </pre>
 *
 * <ul>
 *   <li>T1: the versions of a counter ascend by stamp; the first one's stamp may be below its true
 *       one, never above.
 *   <li>T2: {@link #add} is called by one thread at a time with ascending stamps; an increment at
 *       or below the newest stamp has been added before and is skipped, so replay may begin before
 *       the checkpoint's stamp.
 *   <li>T3: versions are pruned by the same rule as those of keys, see {@link
 *       io.bg3.core.snapshot.SnapshotSlots}.
 * </ul>
 *
 * <p>Threads: any may read; T2 for writing.
 */
public final class Totals {
  private final Map<Integer, TotalVersions> counters = new ConcurrentHashMap<>();
  private volatile long stamp; // of the newest commit added; written by the one thread that adds
  private volatile Supplier<Horizon> horizon =
      () -> Horizon.KEEP_ALL; // set before transactions begin

  /** Totals of an empty store. */
  public Totals() {}

  /**
   * Reads what {@link #encode} wrote, from the buffer's position to its limit.
   *
   * @param source where the bytes come from, for messages
   * @throws CorruptionException if they are not what it wrote
   */
  public static Totals decode(ByteBuffer from, String source) {
    int base = from.position();
    Totals totals = new Totals();
    try {
      totals.stamp = Varints.get(from);
      long count = Varints.get(from);
      long previous = -1;
      for (long i = 0; i < count; i++) {
        int at = from.position();
        long counter = Varints.get(from);
        if (counter <= previous || counter > Integer.MAX_VALUE) {
          throw new CorruptionException(
              source, at, "a counter above " + previous, Long.toUnsignedString(counter));
        }
        previous = counter;
        totals.counters.put((int) counter, new TotalVersions(0, Varints.getSigned(from)));
      }
    } catch (CorruptionException e) {
      throw e.in(source, 0);
    }
    if (from.hasRemaining()) {
      throw new CorruptionException(
          source,
          from.position() - base,
          "the end of the totals",
          from.remaining() + " more bytes");
    }
    return totals;
  }

  /** The newest commit whose increments are in the values. */
  public long stamp() {
    return stamp;
  }

  /** Adds a commit's increments, unless it has been added before. */
  void add(TotalIncrements increments, long commit) {
    if (commit <= stamp) {
      return;
    }
    for (int i = 0; i < increments.count(); i++) {
      counters
          .computeIfAbsent(increments.counter(i), counter -> new TotalVersions(0, 0))
          .add(increments.amount(i), commit, horizon);
    }
    stamp = commit;
  }

  /** The value that a snapshot sees. */
  public long read(int counter, long snapshot) {
    TotalVersions versions = counters.get(counter);
    return versions == null ? 0 : versions.read(snapshot);
  }

  /** Says which versions are still read. Called once, before transactions begin. */
  public void pruneBy(Supplier<Horizon> newHorizon) {
    horizon = newHorizon;
  }

  /**
   * The values at a snapshot that is registered and at or below visible, ready to be read.
   *
   * @param snapshot becomes the {@link #stamp} of the decoded totals
   */
  public ByteBuffer encode(long snapshot) {
    TreeMap<Integer, Long> values = new TreeMap<>();
    counters.forEach(
        (counter, versions) -> {
          long value = versions.read(snapshot);
          if (value != 0) {
            values.put(counter, value);
          }
        });
    ByteBuffer to =
        ByteBuffer.allocate((2 + 2 * values.size()) * Varints.MAX_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    Varints.put(to, snapshot);
    Varints.put(to, values.size());
    values.forEach(
        (counter, value) -> {
          Varints.put(to, counter);
          Varints.putSigned(to, value);
        });
    return to.flip();
  }
}

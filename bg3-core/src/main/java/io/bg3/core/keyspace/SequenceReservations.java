package io.bg3.core.keyspace;

import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.limit.Limit;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The sequences that open transactions have reserved for parallel edges, so that no two edges
 * between the same vertices get the same one.
 *
 * <pre>
 *   T1: reserves 5 ........ edge 5 applied, reservation dropped
 *   T2:               looks into the table: 5 is there -> 6
 *       or                                        looks later: not there, but the tree has 5 -> 6
 * </pre>
 *
 * <p>The table is looked into first and the tree afterwards. The other way round, T1 could pass
 * from the tree's view of T2 into the past of the table's, and both would get 5.
 *
 * <ul>
 *   <li>Q1: a pair is in the table while an open transaction has reserved a sequence for it; its
 *       {@code highest} is at least every such sequence.
 *   <li>Q2: a reservation is dropped only after its transaction's edges are in the pages, or will
 *       never be.
 * </ul>
 *
 * <p>Threads: any; every bucket is guarded by itself.
 */
public class SequenceReservations {
  private static final int BUCKET_BITS = 6;
  private static final int BUCKETS = 1 << BUCKET_BITS;

  /**
   * Two vertices and a label between them. The upper bits of the hash choose the bucket and the
   * lower ones the place in its table, so both have to be well mixed: with the sum that a record
   * has by itself, pairs of neighbouring vertices met in few places. Clients choose ids of
   * vertices, so the hash has a part that they do not know.
   */
  public record Pair(long owner, int tagLabel, long other) {
    private static final long SECRET = new SplittableRandom().nextLong() | 1;
    private static final long SCATTER = 0x9E3779B97F4A7C15L;

    @Override
    public int hashCode() {
      long first = (owner + tagLabel * SCATTER) * SECRET;
      long second = ((first ^ (first >>> Integer.SIZE)) + other) * SECRET;
      return (int) (((second ^ (second >>> Integer.SIZE)) * SCATTER) >>> Integer.SIZE);
    }
  }

  private static final class Reserved {
    int highest;
    int holders;
  }

  private static final class Bucket {
    final Map<Pair, Reserved> pairs = new HashMap<>();
  }

  private final Trees trees;
  private final Bucket[] buckets = new Bucket[BUCKETS];

  /** Reserves above the sequences that the edges in these trees have. */
  public SequenceReservations(Trees trees) {
    this.trees = trees;
    for (int i = 0; i < BUCKETS; i++) {
      buckets[i] = new Bucket();
    }
  }

  /**
   * Reserves the number after the highest one. Every call is to be paired with a {@link #drop}.
   *
   * @param snapshot of the transaction: a number that another transaction has used and removed
   *     since is not taken, as it could only end in a conflict
   * @throws io.bg3.core.limit.LimitExceededException if there is no number after the highest one;
   *     nothing is reserved
   */
  public int reserve(Pair pair, long snapshot) {
    Bucket bucket = bucket(pair);
    synchronized (bucket) {
      Reserved reserved = bucket.pairs.get(pair);
      long next = Math.max(reserved == null ? 0 : reserved.highest + 1L, highestApplied(pair) + 1);
      while (isTaken(pair, next, snapshot)) {
        next++;
      }
      int sequence = (int) next;
      if (reserved == null) {
        reserved = new Reserved();
        bucket.pairs.put(pair, reserved);
      }
      reserved.highest = sequence;
      reserved.holders++;
      return sequence;
    }
  }

  /** Whether a number was used and removed after a snapshot was taken. */
  private boolean isTaken(Pair pair, long next, long snapshot) {
    if (next > Limit.PARALLEL_EDGES.most()) {
      throw Limit.PARALLEL_EDGES.exceeded(
          next, pair.owner + " label " + EdgeKey.label(pair.tagLabel) + " " + pair.other);
    }
    int sequence = (int) next;
    return trees.changedAfter(KeySpace.EDGES, key(pair, sequence), after(pair, sequence), snapshot);
  }

  /** Ends one reservation of a pair. */
  public void drop(Pair pair) {
    Bucket bucket = bucket(pair);
    synchronized (bucket) {
      Reserved reserved = bucket.pairs.get(pair);
      assert reserved != null && reserved.holders > 0 : "Q1: " + pair;
      if (--reserved.holders == 0) {
        bucket.pairs.remove(pair);
      }
    }
  }

  /** Pairs with reservations; for checks after tests. */
  public int count() {
    int count = 0;
    for (Bucket bucket : buckets) {
      synchronized (bucket) {
        count += bucket.pairs.size();
      }
    }
    return count;
  }

  /** The highest sequence among the edges of a pair that were applied, -1 if there are none. */
  private long highestApplied(Pair pair) {
    byte[] low = EdgeKey.prefix(pair.owner, pair.tagLabel, pair.other);
    byte[] high = EdgeKey.after(low);
    EdgeEntries page = new EdgeEntries();
    while (true) {
      high = trees.edges().copyBackward(pair.owner, low, high, Long.MAX_VALUE, false, 1, page);
      if (page.count() > 0) {
        return Integer.toUnsignedLong(page.sequence(page.count() - 1));
      }
      if (high == null) {
        return -1;
      }
    }
  }

  private static byte[] key(Pair pair, int sequence) {
    return EdgeKey.encode(pair.owner, pair.tagLabel, pair.other, sequence);
  }

  private static byte[] after(Pair pair, int sequence) {
    return KeySpace.successor(key(pair, sequence));
  }

  private Bucket bucket(Pair pair) {
    return buckets[pair.hashCode() >>> (Integer.SIZE - BUCKET_BITS)];
  }
}

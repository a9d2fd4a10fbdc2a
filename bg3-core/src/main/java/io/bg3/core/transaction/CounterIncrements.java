package io.bg3.core.transaction;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.Write;
import io.bg3.core.keyspace.WriteSet;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.Varints;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * The amounts that one transaction adds to counters of vertices. Belongs to one thread.
 *
 * <p>A counter is an edge entry of its owner with the tag {@link EdgeKey#COUNTER}, so it has
 * versions, moves and is replayed like any other. Its value is the count, as an unsigned varint; a
 * count of 0 has no entry.
 *
 * <p>What the entry will hold is known only under the owner's stripe: the value applied last plus
 * the increment.
 *
 * <pre>
 *   T1  +1                 lock, 5 applied, writes 6, in the pages, unlock
 *   T2  +1      (snapshot: 5)                                       lock, 6 applied, writes 7
 * </pre>
 *
 * <p>So the log record holds a value like any other, and replaying it twice changes nothing.
 */
final class CounterIncrements {
  private final NavigableMap<byte[], Long> amounts = new TreeMap<>(Arrays::compareUnsigned);

  /** What {@link #resolve} has added last. */
  private List<Write> resolved = List.of();

  /** The counter that could not be added to; null if there was none. */
  private IllegalArgumentException refusal;

  /** The key of a counter. */
  static byte[] key(long owner, int label) {
    return EdgeKey.encode(owner, EdgeKey.tagLabel(EdgeKey.COUNTER, label), 0, 0);
  }

  static boolean isCounter(int space, byte[] key) {
    return space == KeySpace.EDGES && EdgeKey.tag(EdgeKey.tagLabel(key)) == EdgeKey.COUNTER;
  }

  /**
   * The count in an entry.
   *
   * @param value null where there is no entry
   */
  static long decode(byte[] value) {
    if (value == null) {
      return 0;
    }
    ByteBuffer from = ByteBuffer.wrap(value);
    long count = Varints.get(from);
    if (count <= 0 || from.hasRemaining()) {
      throw new CorruptionException(
          "counter entry", 0, "a positive varint", "count=" + count + ", bytes=" + value.length);
    }
    return count;
  }

  static byte[] encode(long count) {
    ByteBuffer to = ByteBuffer.allocate(Varints.size(count));
    Varints.put(to, count);
    return to.array();
  }

  /** Adds to the amount of a counter. */
  void add(byte[] key, long amount) {
    amounts.merge(key, amount, PendingIncrements::sum);
  }

  /** Replaces the amount of a counter. */
  void set(byte[] key, long amount) {
    amounts.put(key, amount);
  }

  /** The amount of a counter, 0 if it has none. */
  long amountOf(byte[] key) {
    return amounts.getOrDefault(key, 0L);
  }

  /** The keys of the counters, ascending. */
  Set<byte[]> keys() {
    return amounts.keySet();
  }

  /**
   * Adds to a transaction's writes what the entries will hold. The stripes of all keys are held
   * until the writes are in the pages.
   *
   * @param partial says what counters stand for that have yet to be built
   * @return false if a count would not be from 0 to 2^63-1; then nothing was added, and {@link
   *     #refusal} says which
   */
  boolean resolve(AppliedCounts applied, PartialCounters partial, WriteSet writes) {
    List<Write> changed = new ArrayList<>(amounts.size());
    for (Map.Entry<byte[], Long> each : amounts.entrySet()) {
      byte[] key = each.getKey();
      long stored = applied.newest(key);
      long before = stored == 0 ? partial.uncounted(key) : stored;
      long after = before + each.getValue();
      if (after < 0) {
        refusal =
            new IllegalArgumentException(
                "a counter cannot hold this: "
                    + KeySpace.describe(KeySpace.EDGES, key, KeySpace.successor(key))
                    + ", count="
                    + before
                    + ", increment="
                    + each.getValue());
        return false;
      }
      if (after != stored) {
        changed.add(new Write(key, after == 0 ? null : encode(after), writes.now()));
      }
    }
    writes.addAll(KeySpace.EDGES, changed);
    resolved = changed;
    return true;
  }

  /** The writes that {@link #resolve} has added. */
  List<Write> resolved() {
    return resolved;
  }

  /** Why {@link #resolve} has added nothing. */
  IllegalArgumentException refusal() {
    return refusal;
  }

  /** Takes back what {@link #resolve} has added, for a commit that did not happen. */
  void withdraw(WriteSet writes) {
    writes.removeAll(KeySpace.EDGES, amounts.keySet());
  }
}

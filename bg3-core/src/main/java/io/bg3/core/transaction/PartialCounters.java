package io.bg3.core.transaction;

import io.bg3.core.entry.DegreeKey;
import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.Trees;
import io.bg3.storage.Waiting;
import java.util.HashMap;
import java.util.Map;

/**
 * The edge labels whose counters are being built, so that some vertices have edges and no counter
 * yet (R44). A commit that adds to a counter of such a label that is not there counts the entries
 * of the vertex, under its stripe, and adds to their number: so a counter that is there is right.
 *
 * <pre>
 *   vertex 7 has 41 edges                     no counter
 *   a commit adds one, under the stripe       counts 41, writes 42
 *   the builder adds 0, under the stripe      finds 42, writes nothing
 * </pre>
 *
 * <p>Labels come and go under the exclusive gate, so what a commit finds under its locks stays true
 * until the commit is in the pages. Threads: any.
 */
public final class PartialCounters {
  /** So many entries are copied at once. */
  private static final int CHUNK = 1024;

  private final Trees trees;
  private final Validation validation;
  private final Degrees degrees;
  private volatile Map<Integer, Integer> labels = Map.of(); // to tag and label of what is counted

  PartialCounters(Trees trees, Validation validation, Degrees degrees) {
    this.trees = trees;
    this.validation = validation;
    this.degrees = degrees;
  }

  /**
   * Says that the counters of a label are being built; the caller has the gate, or the store has no
   * transactions yet.
   *
   * @param tagLabel of the entries that are counted
   */
  public void begin(int label, int tagLabel) {
    Map<Integer, Integer> more = new HashMap<>(labels);
    more.put(label, tagLabel);
    labels = Map.copyOf(more);
  }

  /** Says that every vertex has its counter of a label; the caller has the gate. */
  public void end(int label) {
    Map<Integer, Integer> left = new HashMap<>(labels);
    left.remove(label);
    labels = Map.copyOf(left);
  }

  /**
   * The number of edges that a counter which is not there stands for: 0, or if the counters of its
   * label are being built the number of the entries that were applied last. The caller holds the
   * stripe.
   *
   * @param key of the counter
   * @throws io.bg3.storage.WouldWaitException if entries would have to be counted and the thread
   *     may not wait: there may be many
   */
  long uncounted(byte[] key) {
    Integer tagLabel = labels.get(EdgeKey.label(EdgeKey.tagLabel(key)));
    if (tagLabel == null) {
      return 0;
    }
    Waiting.require("the time to count edges");
    return count(EdgeKey.owner(key), tagLabel);
  }

  private long count(long owner, int tagLabel) {
    if (degrees.areKept(owner)) {
      return CounterIncrements.decode(
          validation.newest(KeySpace.EDGES, DegreeKey.of(owner, tagLabel)));
    }
    byte[] next = EdgeKey.prefix(owner, tagLabel);
    byte[] high = EdgeKey.after(next);
    EdgeEntries chunk = new EdgeEntries();
    long count = 0;
    while (next != null) {
      chunk.clear();
      next =
          trees
              .edges()
              .copyForward(
                  owner, next, high, Long.MAX_VALUE, false, CHUNK, chunk, trees.spares().read);
      count += chunk.count();
    }
    return count;
  }
}

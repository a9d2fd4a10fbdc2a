package io.bg3.core.transaction;

import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Expiry;
import io.bg3.core.entry.Op;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.Trees;
import io.bg3.core.page.PageRead;
import io.bg3.core.snapshot.SnapshotClaim;
import io.bg3.core.tree.ReadTally;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Reads for one thread, each from the newest snapshot, without a transaction: for a caller that
 * asks many small questions.
 *
 * <p>A transaction registers its snapshot, so that no thread prunes versions that it may still
 * read. A read of a page or two does without:
 *
 * <pre>
 *   reader                                   pruner
 *   1 s = visible                            a raise cut, at most to visible
 *   2 read a page, and the cut it says       b prune a page by the open snapshots and the cut
 *   3 its cut above s: again from 1            and say the cut in it
 * </pre>
 *
 * <p>A page never forgets a cut: one that was split, widened or merged with another says the
 * largest. So if it says none above s, nothing that s sees was taken from it. Whose pages are
 * pruned too often for that registers its snapshot after all, and so does one that reads a list of
 * several leaves, or a large value, which is freed by other rules than pages, or an edge that may
 * expire, which only a registered snapshot has a clock for (R13).
 *
 * <p>Belongs to one thread. A question must not ask another.
 */
public final class NewestReader {
  private static final int ATTEMPTS = 3;

  /** A thread that wants more than so many entries is given all of each leaf. */
  private static final int LARGE = 256;

  /** Thrown in place of an answer that may lack versions; has no trace. */
  private static final class Again extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean registered;

    private Again(boolean registered) {
      super("ask again: registered=" + registered, null, false, false);
      this.registered = registered;
    }
  }

  private final TransactionManager manager;
  private final Trees trees;
  private final PageRead read = new PageRead();
  private final byte[] edgeKey = new byte[EdgeKey.LENGTH];
  private final EdgeEntries sorted = new EdgeEntries();
  private long snapshot;
  private ReadTally tally = ReadTally.ofThread();
  private SnapshotClaim claim; // null unless the snapshot is registered

  NewestReader(TransactionManager manager) {
    this.manager = manager;
    this.trees = manager.trees();
  }

  /**
   * The answer to a question that reads by this; it may be asked several times.
   *
   * @throws IllegalStateException if the store is closed, or is being closed meanwhile
   */
  public <T> T ask(Supplier<T> question) {
    manager.checkNotClosed();
    tally = ReadTally.ofThread();
    for (int i = 0; i < ATTEMPTS; i++) {
      snapshot = manager.visible();
      try {
        return question.get();
      } catch (Again e) {
        if (e.registered) {
          break;
        }
      }
    }
    return askRegistered(question);
  }

  private <T> T askRegistered(Supplier<T> question) {
    claim = new SnapshotClaim(manager.slots(), manager.age());
    try {
      snapshot = claim.snapshot();
      return question.get();
    } finally {
      claim.release();
      claim = null;
    }
  }

  /** The value of a key, null if it is absent. Inside of a question. */
  public byte[] get(int tree, byte[] key) {
    int space = KeySpace.ofTree(tree);
    tally.addLookUp();
    return value(space, key, trees.ofSpace(tree).get(key, snapshot, read));
  }

  /** The value of an edge entry without a sort key, null if it is absent. Inside of a question. */
  public byte[] edgeValue(long owner, int tagLabel, long other, int sequence) {
    EdgeKey.put(owner, tagLabel, other, sequence, edgeKey);
    return edgeValue(owner, edgeKey);
  }

  /** The value of an entry of an index, null if it is absent. Inside of a question. */
  public byte[] edgeValue(long owner, int tagLabel, long sortKey, long other, int sequence) {
    byte[] key = EdgeKey.encode(owner, tagLabel, sortKey, other, sequence);
    return edgeValue(owner, key);
  }

  private byte[] edgeValue(long owner, byte[] key) {
    tally.addLookUp();
    return value(KeySpace.EDGES, key, trees.edges().get(owner, key, snapshot, read));
  }

  /** A counter of a vertex and an edge label, 0 if it was never added to. Inside of a question. */
  public long count(long owner, int label) {
    return CounterIncrements.decode(
        edgeValue(owner, EdgeKey.tagLabel(EdgeKey.COUNTER, label), 0, 0));
  }

  /**
   * Shows the first entries of an owner's index whose sort keys lie from {@code sortLow} to {@code
   * sortHigh}, both included, with their values: a question of its own. A list that is longer than
   * what one leaf has of it is read from a registered snapshot, leaf by leaf.
   *
   * @param most at least so many are shown, if there are
   * @param each shown entries in turn, in columns that are then used again
   */
  public void sortedEdges(
      long owner,
      int tagLabel,
      long sortLow,
      long sortHigh,
      long most,
      Consumer<EdgeEntries> each) {
    byte[] low = EdgeKey.prefix(owner, tagLabel, sortLow);
    byte[] high = EdgeKey.after(EdgeKey.prefix(owner, tagLabel, sortHigh));
    Supplier<Boolean> question =
        () -> {
          byte[] next = low;
          long left = most;
          while (next != null && left > 0) {
            next = copyLeaf(owner, next, high, left);
            left -= sorted.count();
            if (claim == null && next != null && left > 0) {
              return false; // what was shown could not be taken back
            }
            each.accept(resolved());
          }
          return true;
        };
    if (!ask(question)) {
      askRegistered(question);
    }
  }

  private byte[] copyLeaf(long owner, byte[] low, byte[] high, long left) {
    int most = left > LARGE ? Integer.MAX_VALUE : (int) left;
    sorted.clear();
    byte[] next = trees.edges().copyForward(owner, low, high, snapshot, true, most, sorted, read);
    tally.addPage(sorted.count());
    check();
    if (sorted.hasStamps()) {
      requireClaim(); // its snapshot has a clock
      claim.expiry().drop(sorted);
    }
    return next;
  }

  /**
   * The entries that were copied, with the values themselves where locations stand; those are not
   * kept with this.
   */
  private EdgeEntries resolved() {
    boolean locations = false;
    for (int i = 0; i < sorted.count() && !locations; i++) {
      locations = Op.isLocation(sorted.op(i));
    }
    if (!locations) {
      return sorted;
    }
    requireClaim();
    EdgeEntries resolved = new EdgeEntries();
    for (int i = 0; i < sorted.count(); i++) {
      if (Op.isLocation(sorted.op(i))) {
        byte[] key = sorted.key(i);
        byte[] value = trees.value(KeySpace.EDGES, key, snapshot, Expiry.NEVER, read);
        resolved.append(key, Op.PUT, 0, value);
      } else {
        resolved.append(sorted, i);
      }
    }
    check();
    return resolved;
  }

  /**
   * @param found whether the key was found, and {@link #read} says what
   */
  private byte[] value(int space, byte[] key, boolean found) {
    check();
    if (!found || read.version().isTombstone() || hasExpired(key)) {
      return null;
    }
    if (Op.isLocation(read.version().op())) {
      requireClaim();
      byte[] value = trees.value(space, key, snapshot, Expiry.NEVER, read);
      check();
      return value;
    }
    return read.version().value();
  }

  private boolean hasExpired(byte[] key) {
    long stamp = read.version().stamp();
    if (stamp == 0) {
      return false;
    }
    requireClaim(); // its snapshot has a clock
    return claim.expiry().hasExpired(EdgeKey.tagLabel(key), stamp);
  }

  private void requireClaim() {
    if (claim == null) {
      throw new Again(true);
    }
  }

  private void check() {
    if (claim != null) {
      claim.check();
    } else if (read.cut() > snapshot) {
      throw new Again(false);
    }
  }
}

package io.bg3.core.transaction;

import io.bg3.core.commit.TreeBatches;
import io.bg3.core.entry.DegreeKey;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Expiry;
import io.bg3.core.entry.Lifetimes;
import io.bg3.core.forest.KeptDegrees;
import io.bg3.core.forest.OwnersTree;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.keyspace.SpaceWrites;
import io.bg3.core.keyspace.Trees;
import io.bg3.core.keyspace.Write;
import io.bg3.core.keyspace.WriteSet;
import io.bg3.core.page.PageRead;
import io.bg3.core.tree.Tree;
import io.bg3.storage.format.CorruptionException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The degrees of owners that have trees of their own: how many entries such an owner has with each
 * tag and label (R36). Threads: any.
 *
 * <p>A degree is an entry of its owner, so it has versions, moves and is replayed like any other. A
 * marker, an entry too, says that all degrees of the owner are kept. Entries with a time to live
 * are in no degree, because no commit says that they are gone.
 *
 * <p>A commit that keeps degrees takes up to twice as long, and leaves say how many entries of a
 * label they have. So degrees are kept of trees with many leaves ({@link
 * io.bg3.core.tree.TreeSize}), for as long as the owner has the tree.
 *
 * <pre>
 *   owner moves to its own tree       no marker                 readers go through its leaves
 *   the tree has many leaves          the owner is noticed      and through these
 *   {@link FirstDegrees}              counts, writes degrees    from this stamp on
 *                                     and marker                readers read the degree
 *   every commit, under its stripe    {@link #of}: degree applied last, and what its writes change
 *   owner has no entries any more     {@link #end}, under its stripe: no marker from this stamp on
 * </pre>
 *
 * <p>Degrees count only while the owner has a tree of its own. A crash may take the owner back to
 * its INIT tree, though the log has the marker: from then on commits do not keep the degrees, no
 * reader looks at them, and the next move leaves marker and degrees behind.
 */
final class Degrees {
  /** The answer where no degree is kept. */
  static final long UNKNOWN = -1;

  /** Writes of edges that a small commit has at most. */
  private static final int FEW = 8;

  /** Tag and label behind those of all entries that have degrees. */
  private static final int LAST = EdgeKey.tagLabel(EdgeKey.INDEX, EdgeKey.MAX_LABEL);

  private final Trees trees;
  private final Validation validation;
  private final AppliedCounts applied;
  private final Lifetimes lifetimes;

  /** The owner that is being counted; null if none is. Set under the stripe of the owner. */
  private volatile DegreeCount counting;

  Degrees(Trees trees, Validation validation, AppliedCounts applied, Lifetimes lifetimes) {
    this.trees = trees;
    this.validation = validation;
    this.applied = applied;
    this.lifetimes = lifetimes;
  }

  /**
   * Whether a small commit may write degrees, asked before it has its stripes: it encodes its
   * record under them then, and not twice. A large commit does that before, so that no other one
   * waits for it. No owner is looked for: that takes longer than to encode a small record, and is
   * right only under the stripes.
   */
  boolean mayBeIn(WriteSet writes) {
    SpaceWrites edges = writes.space(KeySpace.EDGES);
    return edges != null && edges.count() <= FEW && trees.hasDedicated();
  }

  /**
   * The degrees that a commit has to write besides its own writes; ascending. The commit holds the
   * stripes of all writes until they are in the pages.
   *
   * @param batches is told of the trees that were looked for
   */
  List<Write> of(WriteSet writes, TreeBatches batches) {
    SpaceWrites edges = writes.space(KeySpace.EDGES);
    if (edges == null || !trees.hasDedicated()) {
      return List.of();
    }
    List<Write> changed = new ArrayList<>(0);
    DegreeCount counted = counting;
    int count = edges.count();
    int end;
    for (int first = 0; first < count; first = end) {
      long owner = EdgeKey.owner(edges.at(first).key);
      end = first + 1;
      while (end < count && EdgeKey.owner(edges.at(end).key) == owner) {
        end++;
      }
      if (EdgeKey.tag(EdgeKey.tagLabel(edges.at(end - 1).key)) == EdgeKey.COUNTER) {
        forget(owner); // the keeping of its degrees begins or ends
      } else {
        OwnersTree found = trees.ownersTree(owner); // for as long as the stripe is held
        Tree tree = found.tree();
        batches.know(owner, tree);
        KeptDegrees kept = found.degrees();
        boolean isCounted = counted != null && counted.owner() == owner;
        if (kept != KeptDegrees.NO || isCounted) {
          if (kept == KeptDegrees.YES || (kept == KeptDegrees.UNKNOWN && areKeptIn(tree, owner))) {
            long now = writes.now();
            eachChange(
                tree,
                edges,
                first,
                end,
                (tagLabel, delta) ->
                    changed.add(changed(tree, DegreeKey.of(owner, tagLabel), delta, now)));
          } else if (isCounted) {
            counted.begin(writes);
            eachChange(tree, edges, first, end, counted::change);
          }
        }
      }
    }
    return changed;
  }

  private interface EachChange {
    void accept(int tagLabel, long delta);
  }

  private void forget(long owner) {
    applied.forget(owner);
    trees.forgetDegrees(owner);
  }

  /** Whether commits keep the degrees of an owner now: true for as long as its stripe is held. */
  boolean areKept(long owner) {
    return trees.isDedicated(owner)
        && validation.newest(KeySpace.EDGES, DegreeKey.marker(owner)) != null;
  }

  /** Whether the degrees of an owner are kept, which has this tree of its own; notes it. */
  private boolean areKeptIn(Tree tree, long owner) {
    PageRead read = trees.spares().read;
    boolean kept =
        tree.findBeforeWrite(DegreeKey.marker(owner), Long.MAX_VALUE, read)
            && !read.version().isTombstone();
    trees.noteDegrees(owner, kept);
    if (!kept) {
      trees.noticeIfLarge(owner, tree); // of an earlier version, or a crash came before the marker
    }
    return kept;
  }

  /** Says which degrees the writes of one owner change, from index to index, and by how much. */
  private void eachChange(Tree tree, SpaceWrites edges, int first, int end, EachChange each) {
    long delta = 0;
    for (int i = first; i < end; i++) {
      byte[] key = edges.at(i).key;
      int tagLabel = EdgeKey.tagLabel(key);
      if (EdgeKey.hasTtl(tagLabel)) {
        continue;
      }
      Write write = edges.at(i);
      boolean isThere = !write.isNew && exists(tree, key);
      delta += (write.isPut() ? 1 : 0) - (isThere ? 1 : 0);
      if (i + 1 == end || EdgeKey.tagLabel(edges.at(i + 1).key) != tagLabel) {
        if (delta != 0) {
          each.accept(tagLabel, delta);
        }
        delta = 0;
      }
    }
  }

  private Write changed(Tree tree, byte[] key, long delta, long now) {
    long before = applied.newestKept(tree, key);
    long after = before + delta;
    if (after < 0) {
      throw new CorruptionException(
          "degree " + EdgeKey.toString(key), 0, "at least " + -delta + " entries", "" + before);
    }
    return new Write(key, after == 0 ? null : CounterIncrements.encode(after), now);
  }

  /**
   * Whether an entry was there when it was applied last, of an owner that has a tree of its own.
   */
  private boolean exists(Tree tree, byte[] key) {
    if (EdgeKey.family(EdgeKey.tagLabel(key)) != 0) {
      return exists(key, Long.MAX_VALUE); // in another tree
    }
    PageRead read = trees.spares().read;
    return tree.find(key, Long.MAX_VALUE, read) && !read.version().isTombstone();
  }

  private boolean exists(byte[] key, long snapshot) {
    return trees.exists(KeySpace.EDGES, key, snapshot, Expiry.NEVER, trees.spares().read);
  }

  /** Takes back what {@link #of} has had added to writes, for a commit that did not happen. */
  static void withdraw(WriteSet writes) {
    SpaceWrites edges = writes.space(KeySpace.EDGES);
    List<byte[]> keys = new ArrayList<>(0);
    for (int i = 0; edges != null && i < edges.count(); i++) {
      byte[] key = edges.at(i).key;
      if (DegreeKey.isOne(EdgeKey.tagLabel(key))) {
        keys.add(key);
      }
    }
    writes.removeAll(KeySpace.EDGES, keys);
  }

  /**
   * Has commits of an owner tell a count what they change. The owner's stripe is held.
   *
   * @param count null to end that, without the stripe
   */
  void count(DegreeCount count) {
    assert count == null || counting == null : "two owners are counted at once";
    counting = count;
  }

  /**
   * Begins to keep the degrees of an owner that has been counted and has a tree of its own, unless
   * they are kept.
   *
   * @param update that of an update which has locked the owner
   * @return whether they were not kept
   */
  boolean begin(Transaction update, DegreeCount count) {
    long owner = count.owner();
    if (!trees.isDedicated(owner) || areKept(owner)) {
      return false;
    }
    WriteSet writes = update.writes();
    for (Map.Entry<Integer, Long> each : count.result().entrySet()) {
      byte[] key = DegreeKey.of(owner, each.getKey());
      long entries = each.getValue();
      if (entries < 0) {
        throw new CorruptionException(
            "degree " + EdgeKey.toString(key), 0, "a number of entries", "" + entries);
      } else if (entries > 0) {
        writes.add(KeySpace.EDGES, key, CounterIncrements.encode(entries));
      }
    }
    writes.add(KeySpace.EDGES, DegreeKey.marker(owner), new byte[0]);
    return true;
  }

  /**
   * Ends the keeping of degrees of an owner that has no entries but such with a time to live, so
   * that its tree may go away: from then on no commit counts what it writes, in whichever tree
   * (R41).
   *
   * @param update that of an update which has locked the owner
   * @return false if the owner has a degree, in a family as a rule, so that its degrees stay
   */
  boolean end(Transaction update, long owner) {
    if (!areKept(owner)) {
      return true;
    }
    try (EdgeCursor degrees = update.degrees(owner, 0, LAST)) {
      if (degrees.next()) { // one of 0 has no entry
        return false;
      }
    }
    update.writes().add(KeySpace.EDGES, DegreeKey.marker(owner), null);
    return true;
  }

  /**
   * Says that a commit is in the pages, whose stripes are still held. Has owners looked at that
   * have a degree of 0 by it; of owners without degrees, those that have no entry left in the few
   * leaves of their tree.
   *
   * @param changed the degrees among the writes
   */
  void applied(WriteSet writes, List<Write> changed) {
    for (Write write : changed) {
      if (!write.isPut()) {
        trees.noticeEmptied(EdgeKey.owner(write.key)); // its tree may go away
      }
    }
    SpaceWrites edges = writes.space(KeySpace.EDGES);
    DegreeCount counted = counting;
    int count = edges == null || !trees.hasDedicated() ? 0 : edges.count();
    for (int i = 0; i < count; i++) {
      long owner = EdgeKey.owner(edges.at(i).key);
      boolean isLast = i + 1 == count || EdgeKey.owner(edges.at(i + 1).key) != owner;
      if (isLast && counted != null && counted.owner() == owner) {
        counted.applied(writes);
      }
      if (isLast && !edges.at(i).isPut() && isProbablyEmpty(owner, edges.at(i).key)) {
        trees.noticeEmptied(owner);
      }
    }
  }

  private boolean isProbablyEmpty(long owner, byte[] removed) {
    return trees.degrees(owner) == KeptDegrees.NO && trees.hasNothingLeft(owner, removed);
  }

  /**
   * The number of entries of an owner whose tag and label lie from one to another, both included
   * and of one tag, as a transaction sees them. Counts as a read of the degrees and of the marker,
   * which is deleted when the owner has no entries (R41): entries that come afterwards change no
   * degree. Where there is no marker, the caller's scan is right whether one comes or not.
   *
   * @return {@link #UNKNOWN} where no degree is kept
   */
  long read(Transaction transaction, long owner, int tagLabelLow, int tagLabelHigh) {
    if (mayExpire(tagLabelLow, tagLabelHigh) || !areKeptFor(transaction, owner)) {
      return UNKNOWN;
    }
    readMarker(transaction, owner);
    long kept = 0;
    if (tagLabelLow == tagLabelHigh) {
      kept = CounterIncrements.decode(transaction.owned(DegreeKey.of(owner, tagLabelLow)));
    } else {
      try (EdgeCursor cursor = transaction.degrees(owner, tagLabelLow, tagLabelHigh)) {
        while (cursor.next()) {
          kept += CounterIncrements.decode(cursor.value());
        }
      }
    }
    return kept + ownChange(transaction, owner, tagLabelLow, tagLabelHigh);
  }

  /** Whether the degrees of an owner are kept, as a transaction sees it. */
  boolean areKeptFor(Transaction transaction, long owner) {
    return trees.isDedicated(owner)
        && transaction.valueAt(DegreeKey.marker(owner), KeySpace.EDGES) != null;
  }

  private static void readMarker(Transaction transaction, long owner) {
    transaction.owned(DegreeKey.marker(owner));
  }

  /** Whether entries of a range may have a time to live: those labels are among the last. */
  private boolean mayExpire(int tagLabelLow, int tagLabelHigh) {
    return !lifetimes.isEmpty()
        && (tagLabelLow == tagLabelHigh
            ? EdgeKey.hasTtl(tagLabelHigh)
            : EdgeKey.isApart(tagLabelHigh));
  }

  /** How many entries more there are by the transaction's own writes. */
  private long ownChange(Transaction transaction, long owner, int tagLabelLow, int tagLabelHigh) {
    SpaceWrites own = transaction.writes().space(KeySpace.EDGES);
    long change = 0;
    if (own != null) {
      byte[] end = EdgeKey.after(EdgeKey.prefix(owner, tagLabelHigh));
      Write write = own.next(EdgeKey.prefix(owner, tagLabelLow), true, ScanOrder.FORWARD);
      while (write != null && Arrays.compareUnsigned(write.key, end) < 0) {
        change += (write.isPut() ? 1 : 0) - (exists(write.key, transaction.snapshot()) ? 1 : 0);
        write = own.next(write.key, false, ScanOrder.FORWARD);
      }
      transaction.checkAge();
    }
    return change;
  }
}

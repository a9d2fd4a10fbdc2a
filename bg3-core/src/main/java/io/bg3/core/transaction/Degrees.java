package io.bg3.core.transaction;

import io.bg3.core.commit.TreeBatches;
import io.bg3.core.entry.DegreeKey;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Expiry;
import io.bg3.core.entry.Lifetimes;
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
import java.util.TreeMap;

/**
 * The degrees of owners that have trees of their own: how many entries such an owner has with each
 * tag and label (R36). Threads: any.
 *
 * <p>A degree is an entry of its owner, so it has versions, moves and is replayed like any other. A
 * marker, an entry too, says that all degrees of the owner are kept. Entries with a time to live
 * are in no degree, because no commit says that they are gone.
 *
 * <pre>
 *   owner moves to its own tree       no marker                 readers go through the entries
 *   {@link #begin}, under its stripe  counts, writes degrees    from this stamp on
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

  Degrees(Trees trees, Validation validation, AppliedCounts applied, Lifetimes lifetimes) {
    this.trees = trees;
    this.validation = validation;
    this.applied = applied;
    this.lifetimes = lifetimes;
  }

  /**
   * Whether a small commit probably writes degrees, asked before it has its stripes: it encodes its
   * record under them then, and not twice. A large commit does that before, so that no other one
   * waits for it.
   */
  boolean areLikelyIn(WriteSet writes) {
    SpaceWrites edges = writes.space(KeySpace.EDGES);
    if (edges == null || edges.count() > FEW || !trees.hasDedicated()) {
      return false;
    }
    for (int i = 0; i < edges.count(); i++) {
      if (trees.isDedicated(EdgeKey.owner(edges.at(i).key))) {
        return true;
      }
    }
    return false;
  }

  /**
   * The degrees that a commit has to write besides its own writes; ascending. The commit holds the
   * stripes of all writes until they are in the pages.
   *
   * @param batches is told of a tree that was looked for
   */
  List<Write> of(WriteSet writes, TreeBatches batches) {
    SpaceWrites edges = writes.space(KeySpace.EDGES);
    if (edges == null || !trees.hasDedicated()) {
      return List.of();
    }
    List<Write> changed = new ArrayList<>(0);
    int count = edges.count();
    int end;
    for (int first = 0; first < count; first = end) {
      long owner = EdgeKey.owner(edges.at(first).key);
      end = first + 1;
      while (end < count && EdgeKey.owner(edges.at(end).key) == owner) {
        end++;
      }
      if (EdgeKey.tag(EdgeKey.tagLabel(edges.at(end - 1).key)) == EdgeKey.COUNTER) {
        applied.forget(owner); // the keeping of its degrees begins or ends
      } else {
        Tree tree = trees.dedicatedTree(owner); // for as long as the stripe is held
        if (tree != null) {
          batches.know(owner, tree);
        }
        if (tree != null && areKeptIn(tree, edges.at(first).key)) {
          addChanged(tree, edges, first, end, writes.now(), changed);
        }
      }
    }
    return changed;
  }

  /** Whether commits keep the degrees of an owner now: true for as long as its stripe is held. */
  boolean areKept(long owner) {
    return trees.isDedicated(owner)
        && validation.newest(KeySpace.EDGES, DegreeKey.marker(owner)) != null;
  }

  /**
   * Whether the degrees of the owner of a key are kept, which has this tree of its own; remembers
   * it. Where there is a degree, there is the marker too: both come with one commit, and the marker
   * goes when there is no degree.
   */
  private boolean areKeptIn(Tree tree, byte[] key) {
    long owner = EdgeKey.owner(key);
    if (applied.remembers(owner)) {
      return true;
    }
    byte[] degree = DegreeKey.of(owner, EdgeKey.tagLabel(key));
    long count = CounterIncrements.decode(validation.newest(tree, degree));
    if (count == 0 && validation.newest(tree, DegreeKey.marker(owner)) == null) {
      return false;
    }
    applied.remember(owner, degree, count);
    return true;
  }

  /** Adds the degrees that the writes of one owner change, from index to index. */
  private void addChanged(
      Tree tree, SpaceWrites edges, int first, int end, long now, List<Write> changed) {
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
          changed.add(changed(tree, DegreeKey.of(EdgeKey.owner(key), tagLabel), delta, now));
        }
        delta = 0;
      }
    }
  }

  private Write changed(Tree tree, byte[] key, long delta, long now) {
    long before = applied.newest(tree, key);
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
   * Begins to keep the degrees of an owner that has a tree of its own, unless they are kept.
   *
   * @param update that of an update which has locked the owner
   */
  void begin(Transaction update, long owner) {
    if (!trees.isDedicated(owner) || areKept(owner)) {
      return;
    }
    TreeMap<byte[], Long> found = new TreeMap<>(Arrays::compareUnsigned);
    try (EdgeCursor cursor = update.edges(owner, 0, LAST, false, ScanOrder.FORWARD)) {
      boolean more = cursor.next();
      while (more) {
        int tagLabel = cursor.tagLabel();
        long count = 0;
        while (more && cursor.tagLabel() == tagLabel) {
          count++;
          more = cursor.next();
        }
        if (!EdgeKey.hasTtl(tagLabel)) {
          found.put(DegreeKey.of(owner, tagLabel), count);
        }
      }
    }
    WriteSet writes = update.writes();
    found.forEach((key, count) -> writes.add(KeySpace.EDGES, key, CounterIncrements.encode(count)));
    writes.add(KeySpace.EDGES, DegreeKey.marker(owner), new byte[0]);
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

  /** Has owners looked at that have a degree of 0 by a commit, which is in the pages now. */
  void noticeEmptied(List<Write> changed) {
    for (Write write : changed) {
      if (!write.isPut()) {
        trees.noticeHeavy(EdgeKey.owner(write.key)); // its tree may go away
      }
    }
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
    if (!trees.isDedicated(owner) || mayExpire(tagLabelLow, tagLabelHigh)) {
      return UNKNOWN;
    }
    if (transaction.valueAt(DegreeKey.marker(owner), KeySpace.EDGES) == null) {
      trees.noticeHeavy(owner); // its degrees may be missing since a crash
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
    if (kept == 0) {
      trees.noticeHeavy(owner); // its tree may have been empty when the store was closed
    }
    return kept + ownChange(transaction, owner, tagLabelLow, tagLabelHigh);
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

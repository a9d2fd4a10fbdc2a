package io.bg3.core.commit;

import io.bg3.core.entry.ByteEntries;
import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Op;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.SpaceWrites;
import io.bg3.core.keyspace.Trees;
import io.bg3.core.keyspace.ValueStore;
import io.bg3.core.keyspace.Write;
import io.bg3.core.keyspace.WriteSet;
import io.bg3.core.tree.LeafAdmission;
import io.bg3.core.tree.LeafPrefetch;
import io.bg3.core.tree.LocatedLeaves;
import io.bg3.core.tree.PendingMaintenance;
import io.bg3.core.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A commit's writes as entries, sorted and by tree, ready to be stamped and applied. The entries
 * take their heap while this is filled, before the commit has its stamp; what comes after it is
 * small, or bounded: the columns in which a leaf that gets many entries is merged with them. Kept
 * by a thread for its next commit; belongs to it.
 */
public final class TreeBatches {
  /** Columns larger than this are not kept for the next commit. */
  private static final int MOST_KEPT = 4_096;

  /** Parts of each kind that are kept for the next commit. */
  private static final int MOST_SPARE = 64;

  private static final int ENTRY_OVERHEAD = 256;

  /** Parts whose first leaves are loaded with those of the part before. */
  private static final int MOST_PARTS = 64;

  /** Owners whose trees are remembered: those of a small commit. */
  private static final int MOST_KNOWN = 4;

  /** Entries of such a part. */
  private static final int MOST_WANTED = 16;

  /** The entries for one tree. */
  private static final class Part {
    final Entries entries;
    final LocatedLeaves leaves = new LocatedLeaves();
    Tree tree;
    int space;

    Part(Entries entries) {
      this.entries = entries;
    }
  }

  private final List<Part> parts = new ArrayList<>();
  private final List<Part> shared = new ArrayList<>(); // of parts: those of trees of several owners
  private final List<Part> spareBytes = new ArrayList<>();
  private final List<Part> spareEdges = new ArrayList<>();
  private final PendingMaintenance due = new PendingMaintenance();
  private final Supplier<Horizon> once = this::horizon; // made once, not for each commit

  private final Consumer<LeafPrefetch> others = this::wantNext; // so is this

  /** While edges are added: the parts from here on were made for the owner of the last. */
  private int ofOwner;

  // The trees of owners that the caller has found before their writes come.
  private final Tree[] known = new Tree[MOST_KNOWN];
  private final long[] knownOwners = new long[MOST_KNOWN];
  private int knownCount;

  // Of the last search.
  private String newer;
  private Part givenUp;

  /** The leaves of the parts before this one have been looked for or asked for. */
  private int wanted;

  // Of the commit that is applied.
  private Supplier<Horizon> horizons;
  private Horizon horizon;

  /**
   * Says which tree holds the entries of an owner without a family, found with its stripe in hand:
   * {@link #fill} need not look for it again. The first few count.
   */
  public void know(long owner, Tree tree) {
    if (knownCount < MOST_KNOWN) {
      knownOwners[knownCount] = owner;
      known[knownCount++] = tree;
    }
  }

  /** The tree of an owner that {@link #know} has told; null if it has not. */
  private Tree known(long owner) {
    for (int i = 0; i < knownCount; i++) {
      if (knownOwners[i] == owner) {
        return known[i];
      }
    }
    return null;
  }

  /**
   * Builds the entries. Edges go to the trees that hold their owners now, so the owners' stripes
   * are held.
   */
  public void fill(WriteSet writes, Trees of) {
    assert parts.isEmpty();
    for (int s = 0; s < writes.spaces().size(); s++) {
      SpaceWrites space = writes.spaces().get(s);
      if (space.space == KeySpace.EDGES) {
        fillEdges(space, of);
      } else {
        Part part = add(space.space, of.ofSpace(space.space), spareBytes);
        for (int i = 0; i < space.count(); i++) {
          append(part.entries, space.at(i));
        }
      }
    }
  }

  private void fillEdges(SpaceWrites space, Trees of) {
    Part part = null;
    long owner = 0;
    int family = 0;
    ofOwner = parts.size();
    for (int i = 0; i < space.count(); i++) {
      Write write = space.at(i);
      long next = EdgeKey.owner(write.key);
      int nextFamily = EdgeKey.family(EdgeKey.tagLabel(write.key));
      if (part == null || next != owner || nextFamily != family) {
        ofOwner = next == owner ? ofOwner : parts.size();
        owner = next;
        family = nextFamily;
        Tree found = family == 0 ? known(owner) : null;
        Tree tree = found == null ? of.of(KeySpace.EDGES, write.key) : found;
        if (part == null || !tree.equals(part.tree)) {
          part = partOf(tree);
        }
      }
      append(part.entries, write);
    }
  }

  /** The part of a tree. The writes of an owner may return to a tree after those of a family. */
  private Part partOf(Tree tree) {
    if (!isShared(tree)) {
      Part last = ownTree(tree);
      return last == null ? add(KeySpace.EDGES, tree, spareEdges) : last;
    }
    for (int i = 0; i < shared.size(); i++) {
      if (shared.get(i).tree.equals(tree)) {
        return shared.get(i);
      }
    }
    Part part = add(KeySpace.EDGES, tree, spareEdges);
    shared.add(part);
    return part;
  }

  /** The part of one of the owner's own trees; null if it is new. */
  private Part ownTree(Tree tree) {
    for (int i = ofOwner; i < parts.size(); i++) {
      if (parts.get(i).tree.equals(tree)) {
        return parts.get(i);
      }
    }
    return null;
  }

  private static boolean isShared(Tree tree) {
    return tree.id() < TreeIds.FIRST_DEDICATED;
  }

  private Part add(int space, Tree tree, List<Part> spare) {
    Part part = spare.isEmpty() ? new Part(tree.newEntries()) : spare.remove(spare.size() - 1);
    part.space = space;
    part.tree = tree;
    parts.add(part);
    return part;
  }

  /** Whether there are no entries. */
  public boolean isEmpty() {
    return parts.isEmpty();
  }

  private static void append(Entries batch, Write write) {
    if (!write.isPut()) {
      batch.append(write.key, Op.TOMBSTONE, 0, null);
    } else if (write.location != 0) {
      batch.append(write.key, Op.LOCATION, 0, ValueStore.encode(write.location));
    } else {
      batch.append(write.key, Op.PUT, 0, write.value);
    }
  }

  /**
   * About the bytes of memory that applying a write set takes at most, before anything is
   * consolidated.
   */
  static long bytes(WriteSet writes) {
    long bytes = 0;
    for (int s = 0; s < writes.spaces().size(); s++) {
      SpaceWrites space = writes.spaces().get(s);
      for (int i = 0; i < space.count(); i++) {
        Write write = space.at(i);
        bytes += ENTRY_OVERHEAD + write.key.length;
        bytes += write.isPut() && write.location == 0 ? write.value.length : Long.BYTES;
      }
    }
    return bytes;
  }

  /**
   * Finds the leaves that {@link #apply} will write, sees to it that they are in memory, and pins
   * them; looks whether any of the keys has been written since a snapshot. Entries of indexes are
   * not looked at: they are written with their vertex, and apart from that by the thread that
   * builds the index, which writes what the vertex has. Neither are counters, which are written as
   * what was applied last and an increment.
   *
   * @param snapshot {@link Long#MAX_VALUE} to look for nothing
   * @param by the commit that the writes belong to
   * @return whether it has come to an end; if not, the commit lets go of its leaves, and may {@link
   *     #loadMissing} before it tries again
   */
  boolean find(long snapshot, LeafAdmission by) {
    newer = null;
    givenUp = null;
    wanted = 0;
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      wanted = Math.max(wanted, i + 1);
      long since = part.space == TreeIds.INDEX_ENTRIES ? Long.MAX_VALUE : snapshot;
      int at = part.tree.find(part.entries, since, part.leaves, by, others);
      if (at == Tree.GIVEN_UP) {
        givenUp = part;
        return false;
      }
      if (at >= 0) {
        byte[] key = part.entries.key(at);
        newer = KeySpace.describe(part.space, key, KeySpace.successor(key));
        return true;
      }
    }
    return true;
  }

  /** The first key written since the snapshot, named for people; null if there was none. */
  String newer() {
    return newer;
  }

  /**
   * Loads the page that {@link #find} had no memory for; waits for memory. Called with nothing
   * pinned.
   *
   * @return false if it has not ended for that
   */
  boolean loadMissing() {
    return givenUp.tree.loadMissing(givenUp.leaves);
  }

  /** Wants the first leaves of the next parts, of each part once. */
  private void wantNext(LeafPrefetch prefetch) {
    int end = Math.min(parts.size(), wanted + MOST_PARTS);
    for (; wanted < end; wanted++) {
      Part part = parts.get(wanted);
      part.tree.want(prefetch, part.entries, MOST_WANTED);
    }
  }

  /**
   * Puts all entries into the pages, with their stamp. Nothing of this may fail where the leaves
   * are in memory; replay, which may fail, loads those that are not.
   *
   * @param by by which leaves may be written anew; asked once at most, and only if one is, since
   *     readers without a slot begin anew then
   */
  void apply(long stamp, Supplier<Horizon> by) {
    horizons = by;
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      part.entries.stampAll(stamp);
      part.tree.apply(part.entries, part.leaves, once, due);
    }
  }

  private Horizon horizon() {
    if (horizon == null) {
      horizon = horizons.get();
    }
    return horizon;
  }

  /** The leaves that applying left with too much in their deltas. */
  PendingMaintenance due() {
    return due;
  }

  /** Makes ready for the next commit. */
  public void clear() {
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      if (part.entries.count() <= MOST_KEPT) {
        part.entries.clear();
        part.leaves.clear();
        part.tree = null;
        if (part.entries instanceof EdgeEntries) {
          keep(part, spareEdges);
        } else {
          assert part.entries instanceof ByteEntries;
          keep(part, spareBytes);
        }
      }
    }
    parts.clear();
    shared.clear();
    for (int i = 0; i < knownCount; i++) {
      known[i] = null;
    }
    knownCount = 0;
    newer = null;
    givenUp = null;
    horizons = null;
    horizon = null;
  }

  private static void keep(Part part, List<Part> spare) {
    if (spare.size() < MOST_SPARE) {
      spare.add(part);
    }
  }
}

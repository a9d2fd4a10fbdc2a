package io.bg3.core.forest;

import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Op;
import io.bg3.core.tree.FamilyOwner;
import io.bg3.core.tree.LeafWalk;
import io.bg3.core.tree.Tree;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A walk through the owners of dedicated trees in some families, leaf by leaf of the DIRECTORY
 * tree. It begins at a leaf that is drawn, goes on at the first one behind the last, and ends where
 * it has begun: walks that are all broken off early come to each owner sooner or later. An owner
 * may come twice.
 *
 * <p>Threads: belongs to the one that moves owners, since nobody else changes the directory.
 */
final class DirectoryWalk {
  private final Tree directory;
  private final BitSet families;
  private final byte[] begin;
  private final Queue<FamilyOwner> owners = new ArrayDeque<>(); // of the last leaf
  private LeafWalk leaves;
  private boolean isBelowBegin; // behind the last leaf

  /**
   * A walk that has not begun.
   *
   * @param families 0 for owners of trees without a family
   */
  DirectoryWalk(Tree directory, BitSet families) {
    this.directory = directory;
    this.families = families;
    this.begin = LeafWalk.drawPlace(directory, ThreadLocalRandom.current());
    this.leaves = new LeafWalk(directory, begin);
  }

  /** The families whose owners come. */
  BitSet families() {
    return families;
  }

  /** Whether all owners have come. */
  boolean isAtEnd() {
    return owners.isEmpty() && leaves.isAtEnd();
  }

  /**
   * The next owner; null if a leaf of the directory has been read for it, which has none, and at
   * the end. Reads one leaf at most, as {@link LeafWalk#next}.
   */
  FamilyOwner next() {
    if (owners.isEmpty() && !leaves.isAtEnd()) {
      leaves.next(this::addOwners);
      goRound();
    }
    return owners.poll();
  }

  private void addOwners(long block) {
    Entries rows = directory.format().merged(block, Horizon.KEEP_ALL);
    for (int i = 0; i < rows.count(); i++) {
      byte[] key = rows.key(i);
      boolean isThere = !Op.isTombstone(rows.op(i)) && !Op.isOlder(rows.op(i));
      if (isThere && families.get(DirectoryKey.family(key))) {
        owners.add(DirectoryKey.decode(key));
      }
    }
  }

  /** Behind a leaf: goes on at the first leaf, or ends. */
  private void goRound() {
    if (isBelowBegin) {
      if (!leaves.isAtEnd() && Arrays.compareUnsigned(leaves.place(), begin) >= 0) {
        leaves.end();
      }
    } else if (leaves.isAtEnd() && begin.length > 0) {
      isBelowBegin = true;
      leaves = new LeafWalk(directory);
    }
  }

  /**
   * Goes on behind a leaf of the directory that is damaged.
   *
   * @return false if it is not known where that is
   */
  boolean passLeaf() {
    boolean isKnown = leaves.passLeaf();
    if (isKnown) {
      goRound();
    }
    return isKnown;
  }
}

package io.bg3.core.tree;

import io.bg3.core.entry.DegreeKey;
import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.Expiry;
import io.bg3.core.page.PageRead;

/**
 * A search for any entry in the tree of one owner, leaf by leaf from the left, that ends at the
 * first one (R57). An entry counts if a reader of now sees it: it is not removed and has not
 * expired. A degree is one as well, since a degree of 0 has no entry (R36); the marker of degrees
 * is not.
 *
 * <p>Threads: belongs to one, outside of epochs.
 */
public final class EntrySearch {
  /** Entries that are looked at together. */
  private static final int SOME = 16;

  private final Tree tree;
  private final LeafWalk leaves;
  private boolean found;

  /** A search that begins at the first leaf. */
  public EntrySearch(Tree tree) {
    this.tree = tree;
    this.leaves = new LeafWalk(tree);
  }

  /** The tree that is searched. */
  public Tree tree() {
    return tree;
  }

  /** Whether an entry has been found. */
  public boolean hasFound() {
    return found;
  }

  /** Whether an entry has been found, or all leaves have been looked at. */
  public boolean isOver() {
    return found || leaves.isAtEnd();
  }

  /**
   * Looks at the next leaf, as {@link LeafWalk#next}.
   *
   * @param expiry tells which entries do not count
   */
  public void lookAtNext(Expiry expiry) {
    leaves.next(block -> found = isAny(tree, block, expiry));
  }

  /**
   * Looks at the next leaf if it is in memory.
   *
   * @return the page that is not; 0 if the leaf has been looked at
   */
  int lookAtNextInMemory(Expiry expiry) {
    return leaves.nextInMemory(block -> found = isAny(tree, block, expiry));
  }

  /** Whether a leaf has an entry that counts. Inside of an epoch, or while its block is noted. */
  static boolean isAny(Tree tree, long block, Expiry expiry) {
    return isAny(tree, block, expiry, new EdgeEntries(), new PageRead());
  }

  /** As the method above, with columns and views that the caller uses again. */
  static boolean isAny(Tree tree, long block, Expiry expiry, EdgeEntries some, PageRead read) {
    byte[] at = null;
    do {
      some.clear();
      at = tree.format.copyFirst(block, at, null, Long.MAX_VALUE, false, SOME, some, read);
      expiry.drop(some);
      for (int i = 0; i < some.count(); i++) {
        if (!DegreeKey.isMarker(some.tagLabel(i), some.other(i))) {
          return true;
        }
      }
    } while (at != null);
    return false;
  }
}

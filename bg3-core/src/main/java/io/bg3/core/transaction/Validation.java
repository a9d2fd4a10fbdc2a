package io.bg3.core.transaction;

import io.bg3.core.commit.Totals;
import io.bg3.core.entry.Expiry;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.SpaceReads;
import io.bg3.core.keyspace.Trees;
import io.bg3.core.page.PageRead;
import io.bg3.core.tree.Tree;
import java.util.Arrays;

/**
 * Looks whether what a transaction read has changed since its snapshot. Answers with the first
 * change found, named for people, or null. Threads: any.
 *
 * <p>What it says stays true only while the stripes of all it looked at are held.
 */
class Validation {
  private final Trees trees;
  private final Totals totals;
  private final CodeTable codes;

  Validation(Trees trees, Totals totals, CodeTable codes) {
    this.trees = trees;
    this.totals = totals;
    this.codes = codes;
  }

  /** The value applied last, null if there is none; what a counter is added to. */
  byte[] newest(int space, byte[] key) {
    return trees.value(space, key, Long.MAX_VALUE, Expiry.NEVER, trees.spares().read);
  }

  /** As the method above, of a count in the tree that has it; counts are never large values. */
  byte[] newest(Tree tree, byte[] key) {
    PageRead read = trees.spares().read;
    boolean found = tree.get(key, Long.MAX_VALUE, read) && !read.version().isTombstone();
    return found ? read.version().value() : null;
  }

  /**
   * Validates what was read by range or by existence.
   *
   * @param stamp changes at or below it are known not to matter: the snapshot, or a later stamp up
   *     to which the same was looked at before
   */
  String changedRead(ReadSet reads, long stamp) {
    for (SpaceReads space : reads.spaces()) {
      for (SpaceReads.Range range : space.ranges()) {
        if (trees.changedAfter(space.space, range.low(), range.high(), stamp)) {
          return KeySpace.describe(space.space, range.low(), range.high());
        }
      }
      String changed = changedExistence(space, stamp);
      if (changed != null) {
        return changed;
      }
    }
    return null;
  }

  /**
   * Keys whose existence was read. Of keys that ascend, those in one leaf in which nothing is newer
   * are looked at together.
   */
  private String changedExistence(SpaceReads space, long stamp) {
    byte[] from = null;
    byte[] end = null; // nothing is newer from that key to this one; null for to the last key
    for (SpaceReads.Existence read : space.existences()) {
      byte[] key = read.key();
      if (from != null && isBetween(from, key, end)) {
        continue;
      }
      end = trees.endOfUnchanged(space.space, key, stamp);
      from = key;
      if (isBetween(from, key, end)) {
        continue;
      }
      byte[] high = KeySpace.successor(key);
      if (trees.changedAfter(space.space, key, high, stamp)
          && exists(space.space, key) != read.existed()) {
        return KeySpace.describe(space.space, key, high);
      }
    }
    return null;
  }

  private static boolean isBetween(byte[] from, byte[] key, byte[] end) {
    return Arrays.compareUnsigned(from, key) <= 0
        && (end == null || Arrays.compareUnsigned(key, end) < 0);
  }

  /** Whether a key was there when it was applied last, also if it has expired since. */
  private boolean exists(int space, byte[] key) {
    return trees.exists(space, key, Long.MAX_VALUE, Expiry.NEVER, trees.spares().read);
  }

  /**
   * Totals that were read. Everything up to the newest stamp issued is visible, and no commit is
   * under way.
   */
  String changedTotal(ReadSet reads, long snapshot) {
    for (int counter : reads.totals()) {
      if (totals.read(counter, snapshot) != totals.read(counter, Long.MAX_VALUE)) {
        return "total " + counter;
      }
    }
    return null;
  }

  /** Texts that had no code. Stays true while the dictionary's lock is held shared. */
  String foundCode(ReadSet reads) {
    for (ReadSet.MissingCode missing : reads.missing()) {
      if (codes.find(missing.kind(), missing.text()) != 0) {
        return "code of " + missing.kind() + " \"" + missing.text() + '"';
      }
    }
    return null;
  }
}

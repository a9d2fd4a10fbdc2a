package io.bg3.core.transaction;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.SpaceWrites;
import io.bg3.core.keyspace.Write;
import io.bg3.core.keyspace.WriteSet;
import java.util.ArrayList;
import java.util.List;

/**
 * Leaves removals out of a commit that change nothing: those of entries that were absent at the
 * transaction's snapshot, which it has put and removed itself (R58). Nothing of them goes into the
 * log and the pages.
 *
 * <pre>
 *   T1: e is absent; puts e; removes e        T2: puts e
 *                                             commits: e is there
 *   commits: leaves e out, but has read
 *   that it is absent, so it conflicts
 * </pre>
 *
 * <p>An entry that has expired may still stand under a key that was absent, so removals of entries
 * with a time to live stay.
 */
final class NeedlessRemovals {
  private NeedlessRemovals() {}

  /**
   * Takes removals that change nothing back, and notes as read that their keys are absent. The last
   * thing before a commit: index entries and rules have been made from the writes by then.
   */
  static void leaveOut(TransactionContents transaction) {
    WriteSet writes = transaction.writes();
    for (int i = writes.spaces().size() - 1; i >= 0; i--) {
      SpaceWrites space = writes.spaces().get(i);
      if (space.removesNew()) {
        List<byte[]> keys = needless(space);
        if (!transaction.scope().isUpdate()) { // else its locks keep them absent
          note(transaction.reads(), space.space, keys);
        }
        writes.removeAll(space.space, keys); // and the space, if nothing is left
      }
    }
  }

  private static List<byte[]> needless(SpaceWrites space) {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < space.count(); i++) {
      Write write = space.at(i);
      if (!write.isPut() && write.isNew() && !mayHaveExpired(space.space, write.key)) {
        keys.add(write.key);
      }
    }
    return keys;
  }

  private static boolean mayHaveExpired(int space, byte[] key) {
    return space == KeySpace.EDGES && EdgeKey.hasTtl(EdgeKey.tagLabel(key));
  }

  private static void note(ReadSet reads, int space, List<byte[]> keys) {
    for (byte[] key : keys) {
      reads.addExistence(space, key, false);
    }
  }
}

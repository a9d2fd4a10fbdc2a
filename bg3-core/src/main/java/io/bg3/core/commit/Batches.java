package io.bg3.core.commit;

import io.bg3.core.page.ByteEntries;
import io.bg3.core.page.EdgeEntries;
import io.bg3.core.page.EdgeKey;
import io.bg3.core.page.Entries;
import io.bg3.core.page.Op;
import io.bg3.core.tree.Due;
import io.bg3.core.tree.Tree;
import java.util.ArrayList;
import java.util.List;

/**
 * A commit's writes as entries, sorted and by tree, ready to be stamped and applied. Everything
 * that takes heap is done while it is filled, before the commit has its stamp. Kept by a thread for
 * its next commit; belongs to it.
 */
final class Batches {
  /** Columns larger than this are not kept for the next commit. */
  private static final int MOST_KEPT = 4_096;

  private static final int ENTRY_OVERHEAD = 256;

  private final List<Tree> trees = new ArrayList<>();
  private final List<Entries> batches = new ArrayList<>();
  private final List<Entries> spareBytes = new ArrayList<>();
  private final List<Entries> spareEdges = new ArrayList<>();
  private final Due due = new Due();

  /**
   * Builds the entries. Edges go to the trees that hold their owners now, so the owners' stripes
   * are held.
   */
  void fill(WriteSet writes, Trees of) {
    assert trees.isEmpty();
    for (SpaceWrites space : writes.spaces()) {
      if (space.space == KeySpace.EDGES) {
        fillEdges(space, of);
      } else {
        Entries batch = add(of.ofSpace(space.space), spareBytes);
        for (Write write : space.all()) {
          append(batch, write);
        }
      }
    }
  }

  private void fillEdges(SpaceWrites space, Trees of) {
    Tree tree = null;
    Entries batch = null;
    long owner = 0;
    for (Write write : space.all()) {
      long next = EdgeKey.owner(write.key);
      if (tree == null || next != owner) {
        owner = next;
        Tree found = of.of(KeySpace.EDGES, write.key);
        if (found != tree) {
          tree = found;
          int at = trees.indexOf(tree);
          batch = at >= 0 ? batches.get(at) : add(tree, spareEdges);
        }
      }
      append(batch, write);
    }
  }

  private Entries add(Tree tree, List<Entries> spare) {
    Entries batch = spare.isEmpty() ? tree.newEntries() : spare.remove(spare.size() - 1);
    trees.add(tree);
    batches.add(batch);
    return batch;
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
    for (SpaceWrites space : writes.spaces()) {
      for (Write write : space.all()) {
        bytes += ENTRY_OVERHEAD + write.key.length;
        bytes += write.isPut() && write.location == 0 ? write.value.length : Long.BYTES;
      }
    }
    return bytes;
  }

  /** Sees to it that the leaves are in memory that {@link #apply} will write. */
  void load() {
    for (int i = 0; i < trees.size(); i++) {
      trees.get(i).load(batches.get(i));
    }
  }

  /**
   * Puts all entries into the pages, with their stamp. Nothing of this may fail where the leaves
   * are in memory; replay, which may fail, loads those that are not.
   */
  void apply(long stamp) {
    for (int i = 0; i < trees.size(); i++) {
      Entries batch = batches.get(i);
      batch.stampAll(stamp);
      trees.get(i).apply(batch, 0, batch.count(), due);
    }
  }

  /** The leaves that applying left with too much in their deltas. */
  Due due() {
    return due;
  }

  /** Makes ready for the next commit. */
  void clear() {
    for (int i = 0; i < trees.size(); i++) {
      Entries batch = batches.get(i);
      if (batch.count() <= MOST_KEPT) {
        batch.clear();
        if (batch instanceof EdgeEntries) {
          spareEdges.add(batch);
        } else {
          assert batch instanceof ByteEntries;
          spareBytes.add(batch);
        }
      }
    }
    trees.clear();
    batches.clear();
  }
}

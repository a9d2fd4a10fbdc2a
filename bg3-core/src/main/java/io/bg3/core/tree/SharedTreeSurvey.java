package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.StoredState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;

/**
 * How large a shared tree is, and which of its owners have the most entries, by the pages that are
 * in memory: reads no others, and takes no lock. Both are about right: the tree changes meanwhile,
 * a leaf in storage counts like the average of those in memory, and so does an inner page in
 * storage with all below it.
 *
 * <p>Costs one look at each page. Belongs to one thread.
 */
public final class SharedTreeSurvey {
  private record Owner(long id, long entries) {
    static final Comparator<Owner> BY_ENTRIES = Comparator.comparingLong(Owner::entries);
  }

  private final Tree tree;
  private final int least;
  private final int most;

  /** The owners with the most entries so far, the one with the fewest of these first. */
  private final PriorityQueue<Owner> largest = new PriorityQueue<>(Owner.BY_ENTRIES);

  private long leaves;
  private long inMemory; // of the leaves
  private long bytes; // of the leaves in memory
  private long allEntries; // of the leaves in memory
  private long owner; // of the last entries that were seen
  private long entries; // of this owner, 0 if there is none

  private SharedTreeSurvey(Tree tree, int least, int most) {
    this.tree = tree;
    this.least = least;
    this.most = most;
  }

  /**
   * Looks at a tree.
   *
   * @param least entries from which an owner is named
   * @param most owners that are named
   */
  public static SharedTreeSurvey of(Tree tree, int least, int most) {
    SharedTreeSurvey survey = new SharedTreeSurvey(tree, least, most);
    survey.run();
    return survey;
  }

  /** About the bytes of the tree's leaves in memory, were all of them there. */
  public long bytes() {
    return inMemory == 0 ? 0 : (long) ((double) bytes / inMemory * leaves);
  }

  /** The owners with the most entries, those with more first, that have about so many bytes. */
  public List<Long> largest(long wanted) {
    List<Owner> sorted = new ArrayList<>(largest);
    sorted.sort(Owner.BY_ENTRIES.reversed());
    List<Long> found = new ArrayList<>();
    double sum = 0;
    for (int i = 0; i < sorted.size() && sum < wanted; i++) {
      found.add(sorted.get(i).id());
      sum += (double) bytes / allEntries * sorted.get(i).entries();
    }
    return found;
  }

  private void run() {
    Deque<Integer> ahead = new ArrayDeque<>(); // the leftmost on top
    ahead.push(tree.root());
    while (!ahead.isEmpty()) {
      look(ahead.pop(), ahead);
    }
    endOwner();
  }

  private void look(int page, Deque<Integer> ahead) {
    TreeSpace space = tree.space;
    int ticket = space.epochs.enter();
    try {
      long state = space.table.block(page);
      long block = StoredState.topology(state);
      if (!PageTable.isBlock(block)) {
        leaves++;
        return;
      }
      PageHeader header = space.header(block);
      if (header.treeId() != tree.id()) {
        return; // the page has gone since its parent was read
      }
      if (header.kind() == PageHeader.INNER) {
        int[] children = space.inner.children(block);
        for (int i = children.length - 1; i >= 0; i--) {
          ahead.push(children[i]);
        }
        return;
      }
      leaves++;
      inMemory++;
      bytes += block == state ? tree.format.imageBytes(block) : storedBytes(page);
      tree.format.owners(block, this::add);
    } finally {
      space.epochs.exit(ticket);
    }
  }

  /** About the bytes of a leaf whose values are not in memory. */
  private long storedBytes(int page) {
    return Math.min(tree.space.loader().bytes(page), 2L * tree.capacity());
  }

  private void add(long next, int count) {
    if (entries > 0 && next != owner) {
      endOwner();
    }
    owner = next;
    entries += count;
    allEntries += count;
  }

  private void endOwner() {
    if (entries >= least) {
      largest.add(new Owner(owner, entries));
      if (largest.size() > most) {
        largest.poll();
      }
    }
    entries = 0;
  }
}

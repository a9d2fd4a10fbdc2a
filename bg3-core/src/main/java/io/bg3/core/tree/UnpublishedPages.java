package io.bg3.core.tree;

import io.bg3.core.table.PageTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * The pages that a split or a removal has built and that no other thread can see yet: blocks of new
 * pages, blocks that pages which are there are to become, and pages that are to die.
 *
 * <p>The number of a new page may have been that of a page which was removed, and hints that name
 * it may be left ({@link LeafHints}, {@link LocatedLeaves}). While the split builds, a thread that
 * follows one finds no page, as after the removal. When it publishes, it holds the latches of all
 * new pages until the split leaf is published too: else a writer who came by a hint would write to
 * a page that readers from the root do not reach yet.
 *
 * <p>Threads: belongs to the thread that holds the tree's structure lock.
 */
final class UnpublishedPages {
  private final Tree tree;
  private final TreeSpace space;
  private final PageTable table;
  private final List<Integer> numbers = new ArrayList<>(); // of new pages, with a block or without
  private final List<Built> fresh = new ArrayList<>(); // new pages, each behind those on its right
  private final Queue<Built> built = new ArrayDeque<>(); // the leaf first, then upwards

  UnpublishedPages(Tree tree) {
    this.tree = tree;
    this.space = tree.space;
    this.table = space.table;
  }

  /** The next state of a page, a block or dead; the old block is 0 if the page is new. */
  private record Built(int page, long old, long block) {}

  /** A number for a new page. */
  int newPage() {
    int page = table.allocate();
    numbers.add(page);
    return page;
  }

  /** Takes the block of a new page, to whose right no further one will come. */
  void addNew(int page, long block) {
    fresh.add(new Built(page, 0, block));
  }

  /** Takes the block that a page is to become: first the leaf, then inner pages upwards. */
  void add(int page, long old, long block) {
    built.add(new Built(page, old, block));
  }

  /**
   * Takes a page that is to be removed, before the neighbour that its range goes to; a leaf is
   * empty.
   */
  void addRemoved(int page, long old) {
    built.add(new Built(page, old, PageTable.DEAD));
  }

  /**
   * Publishes the new pages, and then the leaf, whose latch is held, and that of a leaf that is
   * removed in its favour. All of them are pinned for the commits that may have found a page which
   * held their keys before (R5). Nothing is left that can fail.
   */
  void publish() {
    List<Built> pages = List.copyOf(fresh);
    fresh.clear();
    numbers.clear();
    for (Built page : pages) {
      table.latch(page.page()); // nobody keeps it: there is no page
    }
    for (Built page : pages) {
      table.publish(page.page(), page.block());
      tree.markDirty(page.page());
    }
    Built leaf = built.remove();
    if (leaf.block() == PageTable.DEAD) {
      tree.kill(leaf.page(), leaf.old());
      leaf = built.remove();
    }
    table.markRebase(leaf.page());
    table.markReshaped(leaf.page());
    tree.replace(leaf.page(), leaf.old(), leaf.block());
    long pin = space.pins.current(); // behind the publication that leads to the pages
    table.pin(leaf.page(), pin);
    for (Built page : pages) {
      table.pin(page.page(), pin);
      table.unlatch(page.page());
    }
  }

  /** Publishes the inner pages above the leaf, whose latch is not held any more. */
  void publishAbove() {
    for (Built page = built.poll(); page != null; page = built.poll()) {
      table.latch(page.page());
      try {
        if (page.block() == PageTable.DEAD) {
          tree.kill(page.page(), page.old());
        } else {
          tree.replace(page.page(), page.old(), page.block());
        }
      } finally {
        table.unlatch(page.page());
      }
    }
  }

  /** Gives back what was built, if it has failed before anything of it was published. */
  void giveBack() {
    numbers.forEach(table::giveBack);
    numbers.clear();
    fresh.forEach(page -> space.free(page.block()));
    fresh.clear();
    for (Built page = built.poll(); page != null; page = built.poll()) {
      if (page.block() != PageTable.DEAD) {
        space.free(page.block());
      }
    }
  }
}

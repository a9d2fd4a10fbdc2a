package io.bg3.core.recovery;

import io.bg3.core.forest.Forest;
import io.bg3.core.table.PageRow;
import io.bg3.core.table.PageTable;
import io.bg3.core.tree.Tree;
import io.bg3.core.tree.TreeReport;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.NoSuchExtentException;
import io.bg3.storage.format.UnreadableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Checks the engine's own structures: every tree, every image that the page table or the last
 * checkpoint names, and every value that they refer to, read from storage with its checksum. What
 * the graph means is checked above.
 */
final class StoreCheck {
  private final Forest forest;
  private final PageTable table;
  private final ExtentStore extents;
  private final ValueReferences values;
  private final NamedRows named;

  StoreCheck(OpenedStore store, NamedRows named) {
    this.forest = store.forest();
    this.table = store.space().table();
    this.extents = store.extents();
    this.values = store.values();
    this.named = named;
  }

  /**
   * Looks at everything and lists what is wrong, one sentence each.
   *
   * @param progress is told how many pages and values have been looked at
   */
  List<String> run(LongConsumer progress) {
    List<String> problems = new ArrayList<>();
    BitSet read = new BitSet();
    List<Long> wanted = new ArrayList<>();
    long looked = 0;
    for (Tree tree : forest.trees()) {
      TreeReport report =
          tree.check(
              (page, references) -> {
                read.set(page);
                for (long location : references.locations()) {
                  wanted.add(location);
                }
              });
      problems.addAll(report.problems());
      looked += report.pages();
      progress.accept(looked);
    }
    wanted.addAll(values.ofLoaded());
    for (int page = 1; page < table.end(); page++) {
      if (table.base(page) != 0 && !read.get(page)) {
        read(table.base(page), "base of page " + page, problems);
      }
      if (table.delta(page) != 0 && !read.get(page)) {
        read(table.delta(page), "delta of page " + page, problems);
      }
      progress.accept(++looked);
    }
    for (int page : named.pages()) {
      PageRow now = table.row(page);
      named
          .named(page)
          .locations()
          .filter(location -> !now.names(location))
          .forEach(location -> read(location, "last image of page " + page, problems));
    }
    for (long location : wanted) {
      read(location, "value", problems);
      progress.accept(++looked);
    }
    return problems;
  }

  private void read(long location, String what, List<String> problems) {
    try {
      extents.read(location);
    } catch (UnreadableException | NoSuchExtentException | IOException e) {
      problems.add(what + " cannot be read: " + e.getMessage());
    }
  }
}

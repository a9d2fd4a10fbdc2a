package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import java.util.List;

/**
 * Asks for the memory that the flush of a group of pages reads. Noted pages lie anywhere in memory,
 * and a processor that asks for the lines of all of them before it reads the first one waits once
 * and not for each. Belongs to one thread.
 */
final class NotedPrefetch {
  /** Cache lines of a block: all of a small one. The processor goes on itself with a large one. */
  private static final int LINES = 6;

  private final TreeSpace space;
  private final PageHeader fetching;

  NotedPrefetch(TreeSpace space) {
    this.space = space;
    this.fetching = new PageHeader(space.memory);
  }

  /** Asks for the rows of pages and the blocks that were noted, which may have been moved since. */
  void notes(List<NotedPages.Noted> pages) {
    for (NotedPages.Noted noted : pages) {
      int page = noted.page();
      long row = space.table.fetch(page) + space.table.block(page) + space.table.noted(page);
      fetching.fetch(noted.block(), LINES, row);
    }
  }

  /** Asks for the bases and the values of pages that a flush has {@link TreeSpace#takeNoted}. */
  void taken(List<NotedPages.Noted> pages) {
    for (NotedPages.Noted noted : pages) {
      long values = space.header(noted.block()).valueBlock();
      fetching.fetch(base(noted), LINES, space.memory.fetch(values, 0, LINES));
    }
    for (NotedPages.Noted noted : pages) {
      long base = base(noted);
      fetching.fetch(base == 0 ? 0 : space.header(base).valueBlock(), LINES, 0);
    }
  }

  /** The base under the noted block; 0 if it is one. */
  private long base(NotedPages.Noted noted) {
    PageHeader header = space.header(noted.block());
    return header.isDelta() ? header.base() : 0;
  }
}

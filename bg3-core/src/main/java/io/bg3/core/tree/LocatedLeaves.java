package io.bg3.core.tree;

import io.bg3.core.page.PageRead;
import java.util.Arrays;

/**
 * The pages in which a sorted batch of entries was looked for, so that they need not be looked for
 * again when it is applied: the number of the first entry of each page, and the page.
 *
 * <p>A hint and no more: the page may have been split or removed meanwhile, so a thread that uses
 * one looks at the page's fences under its latch. Kept by a thread for its next batch; belongs to
 * it.
 */
public final class LocatedLeaves {
  /** State that the look-ups reuse. */
  final PageRead read = new PageRead();

  /** The page that a search has ended at for want of memory; 0 if it ended for another reason. */
  int missing;

  /** How much of that page the search wants. */
  PageLoader.Part missingPart = PageLoader.Part.ALL;

  private int[] firsts = new int[4];
  private int[] pages = new int[4];
  private int count;
  private int next;

  /** No pages. */
  public LocatedLeaves() {}

  void add(int first, int page) {
    if (count == firsts.length) {
      firsts = Arrays.copyOf(firsts, 2 * count);
      pages = Arrays.copyOf(pages, 2 * count);
    }
    firsts[count] = first;
    pages[count] = page;
    count++;
  }

  /** The page of the entry at {@code i}, asked for in ascending order; 0 if it is not known. */
  int page(int i) {
    while (next < count && firsts[next] < i) {
      next++;
    }
    return next < count && firsts[next] == i ? pages[next++] : 0;
  }

  /**
   * Where the entries of the page end that {@link #page} has just named.
   *
   * @param all number of all entries
   */
  int end(int all) {
    return next < count ? firsts[next] : all;
  }

  /** Forgets the pages. */
  public void clear() {
    count = 0;
    next = 0;
    missing = 0;
  }
}

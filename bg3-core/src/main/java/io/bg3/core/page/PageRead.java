package io.bg3.core.page;

/**
 * State that one thread reuses in each read of a tree: the views through which it reads pages, and
 * the result of its last read. Belongs to one thread.
 */
public final class PageRead {
  private final PageViews views = new PageViews();
  private final Version version = new Version();
  private final FoundRun run = new FoundRun();
  long cut;

  /** The views of the pages on the way. */
  public PageViews views() {
    return views;
  }

  /** The version that a look-up found. */
  public Version version() {
    return version;
  }

  /** Where a look-up found its key. */
  public FoundRun run() {
    return run;
  }

  /**
   * Up to which stamp the page that was read may have been pruned: a thread that reads at an older
   * snapshot and has not registered it may have missed versions. Known whether or not anything was
   * found.
   */
  public long cut() {
    return cut;
  }
}

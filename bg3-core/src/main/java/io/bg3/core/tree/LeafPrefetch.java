package io.bg3.core.tree;

import io.bg3.core.page.PageViews;
import io.bg3.core.table.StoredState;
import io.bg3.storage.Waiting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Brings the leaves that a group of reads is about to want into memory, several at a time (R30). It
 * is only a hint: the reads find their leaves themselves, and load what is not there.
 *
 * <p>Costs nothing but a look at a counter where all pages are in memory. Else each leaf costs a
 * look at the inner pages above it.
 *
 * <p>Threads: belongs to one, outside of epochs and without a latch in hand.
 */
public final class LeafPrefetch {
  /** Leaves of one range that are asked for at once. */
  public static final int AHEAD = 16;

  /** Reads of a long list that are announced at once: their leaves fit into one group. */
  public static final int TOGETHER = 64;

  /** Ways from the root that are looked at in one epoch. */
  private static final int MOST_WAYS = 64;

  /** No tree is higher. */
  private static final int MOST_LEVELS = 8;

  /**
   * Where a leaf is looked for: that of {@code low}, and those to its right below {@code high}.
   *
   * @param part how much of each; null for as much as is loaded of the others
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Wanted(
      TreeRoute route, long owner, byte[] low, byte[] high, int leaves, PageLoader.Part part) {}

  private final TreeSpace space;
  private final PageViews views = new PageViews();
  private final List<Wanted> wanted = new ArrayList<>();

  /** The pages that are not in memory, those wanted first first, and how much of each is wanted. */
  private final Map<Integer, PageLoader.Part> missing = new LinkedHashMap<>();

  private PageLoader.Part usual;
  private boolean whole;

  /** Whether some of them are inner pages, below which there may be more. */
  private boolean above;

  /** Of pages of this space. */
  public LeafPrefetch(TreeSpace space) {
    this.space = space;
  }

  /**
   * Whether there may be leaves to load: false where all pages are in memory, and for a thread that
   * may not read from the disk now.
   */
  public static boolean mayHelp(TreeSpace space) {
    return space.table.storedPages() > 0 && space.groups().isUseful() && Waiting.mayRead();
  }

  /** Whether there may be leaves to load. */
  boolean isUseful() {
    return mayHelp(space);
  }

  /** Wants the leaf of a tree that a key belongs to. The array is kept until {@link #load}. */
  public void want(Tree tree, byte[] key) {
    want(tree, 0, key);
  }

  /** As {@link #want(Tree, byte[])}, a part of the leaf, whatever is loaded of the others. */
  void want(Tree tree, byte[] key, PageLoader.Part part) {
    wanted.add(new Wanted(tree, 0, key, null, 1, part));
  }

  /**
   * Wants the leaf that a key of an owner belongs to, in the tree that holds the owner when it is
   * looked for. The array is kept until {@link #load}.
   */
  public void want(TreeRoute route, long owner, byte[] key) {
    wanted.add(new Wanted(route, owner, key, null, 1, null));
  }

  /**
   * Wants the first leaves of a range of an owner.
   *
   * @param low null from the first key
   * @param high exclusive; null to the last key
   * @param leaves how many at most
   */
  public void want(TreeRoute route, long owner, byte[] low, byte[] high, int leaves) {
    wanted.add(new Wanted(route, owner, low == null ? Descent.FIRST : low, high, leaves, null));
  }

  /** Has leaves loaded as a whole from now on, however much of them is wanted. */
  void loadWhole() {
    whole = true;
  }

  /**
   * Loads what was wanted since the last call, as far as it is not in memory and there is memory
   * for it. Waits for no memory.
   */
  public void load() {
    load(PageLoader.Part.ALL);
  }

  /** As {@link #load()}, a part of each leaf of which nobody has said how much is wanted. */
  void load(PageLoader.Part part) {
    usual = part;
    try {
      boolean more = true;
      for (int level = 0; more && level < MOST_LEVELS; level++) {
        more = isUseful() && loadLevel() && above; // there are leaves below what is there now
      }
    } finally {
      wanted.clear();
    }
  }

  /** Loads the pages at which the ways from the root end; says whether there were any to load. */
  private boolean loadLevel() {
    above = false;
    missing.clear();
    for (int from = 0; from < wanted.size(); from += MOST_WAYS) {
      collect(from, Math.min(wanted.size(), from + MOST_WAYS));
    }
    boolean alone = missing.size() == 1 && !above; // the reader loads it as fast
    return !missing.isEmpty() && !alone && space.groups().load(missing) > 0;
  }

  private void collect(int from, int to) {
    int ticket = space.epochs.enter();
    try {
      for (int i = from; i < to; i++) {
        Wanted each = wanted.get(i);
        Descent descent = each.route().tree(each.owner()).descent;
        if (each.leaves() == 1 || !addRange(each, descent)) {
          addLeaf(each, descent);
        }
      }
    } finally {
      space.epochs.exit(ticket);
    }
  }

  private void addLeaf(Wanted each, Descent descent) {
    int page = descent.probableLeaf(each.low(), views);
    if (addIfMissing(page, each)) {
      above |= page == descent.root() || views.header(space.memory).level() > 1;
    }
  }

  /** Adds leaves of a range that have one parent; false if the parent is not there. */
  private boolean addRange(Wanted each, Descent descent) {
    long parent = descent.aboveLeaf(each.low());
    if (parent == 0) {
      return false;
    }
    int first = space.inner.indexOf(parent, each.low());
    int last = first + each.leaves() - 1;
    last = Math.min(last, space.inner.count(parent) - 1);
    if (each.high() != null) {
      last = Math.min(last, space.inner.indexOf(parent, each.high()));
    }
    for (int child = first; child <= last; child++) {
      addIfMissing(space.inner.childAt(parent, child), each);
    }
    return true;
  }

  private boolean addIfMissing(int page, Wanted by) {
    PageLoader.Part asked = by.part() == null ? usual : by.part();
    PageLoader.Part part = whole ? PageLoader.Part.ALL : asked;
    long state = space.table.block(page);
    boolean isMissing =
        StoredState.isStored(
            part == PageLoader.Part.TOPOLOGY ? StoredState.topology(state) : state);
    if (isMissing) {
      missing.merge(page, part, (one, other) -> one == other ? one : PageLoader.Part.ALL);
    }
    return isMissing;
  }
}

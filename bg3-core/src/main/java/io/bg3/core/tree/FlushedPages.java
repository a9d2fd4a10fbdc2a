package io.bg3.core.tree;

/**
 * The pages whose noted blocks a flush reads now, so that these stay where they are (R32).
 *
 * <p>Threads: a page is added, removed and asked for under its latch, so a thread that holds the
 * latch finds it or does not, whatever happens to the others. One thread adds and removes.
 */
final class FlushedPages {
  /** So many at once. */
  static final int MOST = 16;

  private final int[] pages = new int[MOST]; // 0: the place is free

  /** Adds a page that may be among them. */
  void add(int page) {
    if (!contains(page)) {
      pages[place(0)] = page;
    }
  }

  /** Removes a page that may be among them. */
  void remove(int page) {
    int place = place(page);
    if (place < MOST) {
      pages[place] = 0;
    }
  }

  boolean contains(int page) {
    return place(page) < MOST;
  }

  private int place(int page) {
    int place = 0;
    while (place < MOST && pages[place] != page) {
      place++;
    }
    return place;
  }
}

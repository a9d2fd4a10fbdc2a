package io.bg3.core.tree;

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Owners that may have enough entries for a tree of their own: threads that consolidate shared
 * leaves notice them, and the thread that moves owners takes them, those first that were noticed
 * first. A bounded number; the next consolidation of a leaf notices its owners again.
 *
 * <p>Threads: any may add; one takes.
 */
public final class HeavyOwners {
  private static final int MOST = 4_096;

  /** An owner that begins or ends a leaf is noticed if it has this part of the entries there. */
  private static final int SHARE = 4;

  private final Set<Long> owners = ConcurrentHashMap.newKeySet();

  /** The owners in the order in which they were noticed. */
  private final Queue<Long> queue = new ConcurrentLinkedQueue<>();

  private volatile int most = Integer.MAX_VALUE;

  /** Notices owners from now on that may have more than so many entries. */
  public void noticeAbove(int entries) {
    most = entries;
  }

  /** An owner whose entries are in one leaf, with others', is noticed if it has more than these. */
  int most() {
    return most;
  }

  /** Entries from which an owner is noticed that may have others in the next leaf. */
  int share() {
    return Math.max(1, most / SHARE);
  }

  boolean isOff() {
    return most == Integer.MAX_VALUE;
  }

  /** Has the thread that takes owners look at one, if there is such a thread. */
  public void notice(long owner) {
    if (!isOff()) {
      add(owner);
    }
  }

  void add(long owner) {
    if (owners.size() < MOST && owners.add(owner)) {
      queue.add(owner);
    }
  }

  /** Takes an owner out; null if there is none. */
  public Long poll() {
    Long owner = queue.poll();
    if (owner != null) {
      owners.remove(owner);
    }
    return owner;
  }
}

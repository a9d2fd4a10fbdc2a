package io.bg3.core.tree;

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Things that many threads notice and one takes, those first that were noticed first. Each stands
 * in the queue once, and a bounded number of them: a thread that notices one more is told that it
 * was left out.
 *
 * <p>Threads: any may add; one takes.
 *
 * @param <T> is compared by {@code equals}
 */
final class NoticedQueue<T> {
  /** Things that a queue holds unless it is told otherwise. */
  static final int MOST = 4_096;

  private final Set<T> waiting = ConcurrentHashMap.newKeySet();
  private final Queue<T> queue = new ConcurrentLinkedQueue<>();
  private volatile int most = MOST;

  /** Sets about how many things the queue holds from now on. */
  void limit(int things) {
    most = things;
  }

  /**
   * Adds one at the end, unless it is there.
   *
   * @return false if it is not there, because there are too many
   */
  boolean add(T noticed) {
    if (waiting.size() >= most) {
      return waiting.contains(noticed);
    }
    if (waiting.add(noticed)) {
      queue.add(noticed);
    }
    return true;
  }

  /** Takes the first one out; null if there is none. */
  T poll() {
    T first = queue.poll();
    if (first != null) {
      waiting.remove(first);
    }
    return first;
  }

  boolean isEmpty() {
    return queue.isEmpty();
  }
}

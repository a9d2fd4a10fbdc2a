package io.bg3.core.tree;

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Things that many threads notice and one takes, those first that were noticed first. Each stands
 * in the queue once, and a bounded number of them: who notices one that is left out notices it
 * again.
 *
 * <p>Threads: any may add; one takes.
 *
 * @param <T> is compared by {@code equals}
 */
final class NoticedQueue<T> {
  private static final int MOST = 4_096;

  private final Set<T> waiting = ConcurrentHashMap.newKeySet();
  private final Queue<T> queue = new ConcurrentLinkedQueue<>();

  /** Adds one at the end, unless it is there or there are too many. */
  void add(T noticed) {
    if (waiting.size() < MOST && waiting.add(noticed)) {
      queue.add(noticed);
    }
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

package io.bg3.gremlin.structure;

/**
 * The use that one graph makes of a store: whether the graph is closed, and the guard of its
 * commits. Threads: any.
 */
final class StoreHandle {
  private final SharedStore store;
  private volatile CommitGuard commitGuard; // null if every commit is let through
  private volatile boolean closed; // written under this object's monitor

  StoreHandle(SharedStore store) {
    this.store = store;
  }

  /**
   * The store, for a graph that is open.
   *
   * @throws IllegalStateException if the graph is closed
   */
  SharedStore store() {
    if (closed) {
      throw new IllegalStateException("the graph is closed: store=" + store);
    }
    return store;
  }

  /** The store, also of a graph that is closed. */
  SharedStore shared() {
    return store;
  }

  boolean isClosed() {
    return closed;
  }

  /** Marks the graph as closed; false if it is already. */
  synchronized boolean markClosed() {
    boolean first = !closed;
    closed = true;
    return first;
  }

  CommitGuard commitGuard() {
    return commitGuard;
  }

  void guardCommits(CommitGuard guard) {
    commitGuard = guard;
  }
}

package io.bg3.gremlin.structure;

import io.bg3.core.graph.GraphTransaction;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.tinkerpop.gremlin.util.iterator.StoreIteratorCounter;

/**
 * A transaction that is under way, the thread that opened it, and how many iterators over it are
 * open. Iterators that nobody closed are closed with it, so a traversal of which only the first
 * result was taken leaks nothing.
 *
 * <p>{@code iterators} is changed by whoever opens and closes iterators and set to zero at the end;
 * an iterator that is closed after the end finds zero and changes nothing.
 */
final class OpenTransaction {
  private final GraphTransaction graph;
  private final Thread owner;
  private final AtomicInteger iterators = new AtomicInteger();

  /** A transaction of {@code owner}; null if any thread may use it. */
  OpenTransaction(GraphTransaction graph, Thread owner) {
    this.graph = graph;
    this.owner = owner;
  }

  GraphTransaction graph() {
    return graph;
  }

  /** Whether the thread that opened it has ended without ending it. */
  boolean isAbandoned() {
    return owner != null && !owner.isAlive();
  }

  void iteratorOpened() {
    iterators.incrementAndGet();
    StoreIteratorCounter.INSTANCE.increment();
  }

  void iteratorClosed() {
    if (iterators.getAndUpdate(count -> Math.max(0, count - 1)) > 0) {
      StoreIteratorCounter.INSTANCE.decrement();
    }
  }

  void commit() {
    try {
      graph.commit();
    } finally {
      // What is still open after a failure (the memory did not suffice) cannot be used either.
      rollback();
    }
  }

  void rollback() {
    for (int left = iterators.getAndSet(0); left > 0; left--) {
      StoreIteratorCounter.INSTANCE.decrement();
    }
    graph.rollback();
  }
}

package io.bg3.gremlin.structure;

import java.util.NoSuchElementException;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;

/**
 * An iterator over a scan of the store. It is counted as open until it is exhausted or closed or
 * its transaction ends, and gives up when its thread is interrupted.
 *
 * @param <E> what it gives
 */
abstract class Bg3Iterator<E> implements CloseableIterator<E> {
  private final OpenTransaction transaction;
  private E next;
  private boolean closed;

  Bg3Iterator(OpenTransaction transaction) {
    this.transaction = transaction;
    transaction.iteratorOpened();
  }

  /** The next element, null if there is none. */
  protected abstract E advance();

  /** Lets go of the scan. */
  protected abstract void release();

  @Override
  public boolean hasNext() {
    if (next != null) {
      return true;
    }
    if (closed) {
      return false;
    }
    giveUpIfInterrupted();
    transaction.requireUsable(); // its end is not the end of what there is
    next = advance();
    if (next == null) {
      close();
    }
    return next != null;
  }

  /**
   * Called once for each element that is given, and by those that skip elements for each of these.
   */
  final void giveUpIfInterrupted() {
    if (Thread.interrupted()) {
      close();
      throw new TraversalInterruptedException();
    }
  }

  @Override
  public E next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    E result = next;
    next = null;
    return result;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      next = null;
      release();
      transaction.iteratorClosed();
    }
  }
}

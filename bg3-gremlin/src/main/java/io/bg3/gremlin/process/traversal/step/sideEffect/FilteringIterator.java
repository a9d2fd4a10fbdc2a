package io.bg3.gremlin.process.traversal.step.sideEffect;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Predicate;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;

/** The elements of another iterator that pass a test; closing it closes the other. */
final class FilteringIterator<E> implements CloseableIterator<E> {
  private final Iterator<E> elements;
  private final Predicate<E> test;
  private E next;

  FilteringIterator(Iterator<E> elements, Predicate<E> test) {
    this.elements = elements;
    this.test = test;
  }

  @Override
  public boolean hasNext() {
    while (next == null && elements.hasNext()) {
      E candidate = elements.next();
      if (test.test(candidate)) {
        next = candidate;
      }
    }
    return next != null;
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
    next = null;
    CloseableIterator.closeIterator(elements);
  }
}

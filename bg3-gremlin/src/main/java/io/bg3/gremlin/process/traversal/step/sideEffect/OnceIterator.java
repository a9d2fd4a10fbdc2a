package io.bg3.gremlin.process.traversal.step.sideEffect;

import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;

/**
 * The elements of some iterators, one after the other, each once. Holds the ids of all that it has
 * given, except those of the last iterator. Closing it closes them.
 */
final class OnceIterator<E extends Element> implements CloseableIterator<E> {
  private final List<Iterator<E>> parts;
  private final Set<Object> given = new HashSet<>();
  private int part;
  private E next;

  /** The elements of these iterators, none of which gives an element twice. */
  OnceIterator(List<Iterator<E>> parts) {
    this.parts = parts;
  }

  @Override
  public boolean hasNext() {
    while (next == null && part < parts.size()) {
      boolean isLast = part == parts.size() - 1;
      if (!parts.get(part).hasNext()) {
        part++;
        continue;
      }
      E candidate = parts.get(part).next();
      if (isLast ? !given.contains(candidate.id()) : given.add(candidate.id())) {
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
    part = parts.size();
    parts.forEach(CloseableIterator::closeIterator);
  }
}

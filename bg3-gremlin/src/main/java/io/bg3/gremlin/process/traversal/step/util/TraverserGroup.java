package io.bg3.gremlin.process.traversal.step.util;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;

/**
 * The traversers that a step takes together from the step before it, and which of them it works on.
 * The first group is one traverser, and each group is twice as large as the one before, up to
 * {@value NeighbourLookup#MOST_VERTICES}: a traversal that ends early has read at most as many
 * traversers ahead as it has used. An error of the step before is thrown when the step has worked
 * on the traversers in front of it.
 *
 * <p>Belongs to one step.
 *
 * @param <S> what the traversers hold
 */
public final class TraverserGroup<S> implements Serializable {
  private static final long serialVersionUID = 1L;

  private final List<Traverser.Admin<S>> traversers = new ArrayList<>();
  private int current;
  private int wanted = 1;
  private transient RuntimeException failure;

  /** The number of traversers. */
  public int size() {
    return traversers.size();
  }

  /** A traverser by its index. */
  public Traverser.Admin<S> get(int index) {
    return traversers.get(index);
  }

  /** The index of the traverser that the step works on. */
  public int current() {
    return current;
  }

  /**
   * Goes to the next traverser.
   *
   * @return false if the group has no more; then {@link #take} is to be called
   * @throws TraversalInterruptedException if the thread was interrupted
   */
  public boolean next() {
    if (Thread.interrupted()) {
      throw new TraversalInterruptedException();
    }
    return ++current < traversers.size();
  }

  /** Whether {@link #next} would find no more, and no error is left that {@link #take} throws. */
  public boolean isAtEnd() {
    return current + 1 >= traversers.size() && failure == null;
  }

  /**
   * Takes the next group, of which the first traverser is the current one.
   *
   * @param together whether it may have more than one traverser
   * @throws NoSuchElementException if there is no traverser
   */
  public void take(Iterator<Traverser.Admin<S>> from, boolean together) {
    clear();
    if (failure != null) {
      RuntimeException thrown = failure;
      failure = null;
      throw thrown;
    }
    traversers.add(from.next());
    try {
      while (together && traversers.size() < wanted && from.hasNext()) {
        traversers.add(from.next());
      }
    } catch (TraversalInterruptedException | NoSuchElementException e) {
      throw e;
    } catch (RuntimeException e) {
      failure = e; // the results of the traversers before it come first
    }
    wanted = Math.min(2 * traversers.size(), NeighbourLookup.MOST_VERTICES);
  }

  /** Forgets the traversers. */
  public void clear() {
    traversers.clear();
    current = 0;
  }
}

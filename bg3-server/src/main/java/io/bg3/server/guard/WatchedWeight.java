package io.bg3.server.guard;

import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ScalarMapStep;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;

/**
 * Makes the weights by which {@code sample()} draws notice when the query is interrupted. The step
 * draws until it has as many as it was asked for, and looks at nothing but the weights; if these
 * are zero, or no numbers, it draws without end.
 *
 * @param <S> what has a weight
 */
final class WatchedWeight<S> extends ScalarMapStep<S, Object> {
  private static final long serialVersionUID = 1L;

  WatchedWeight(Traversal.Admin<?, ?> traversal) {
    super(traversal);
  }

  @Override
  protected Object map(Traverser.Admin<S> traverser) {
    Object weight = traverser.get();
    return weight instanceof Number number ? new Watched(number.doubleValue()) : weight;
  }

  /** A number that looks at interrupts each time that it is asked for its value. */
  private static final class Watched extends Number {
    private static final long serialVersionUID = 1L;

    private final double value;

    Watched(double value) {
      this.value = value;
    }

    @Override
    public double doubleValue() {
      if (Thread.interrupted()) {
        throw new TraversalInterruptedException();
      }
      return value;
    }

    @Override
    public float floatValue() {
      return (float) doubleValue();
    }

    @Override
    public long longValue() {
      return (long) doubleValue();
    }

    @Override
    public int intValue() {
      return (int) doubleValue();
    }
  }
}

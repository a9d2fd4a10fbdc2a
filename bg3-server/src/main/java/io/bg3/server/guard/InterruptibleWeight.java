package io.bg3.server.guard;

import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ScalarMapStep;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;

/**
 * Makes the loop of {@code sample()} interruptible. The loop draws until it has enough elements,
 * checks for no interrupt, and reads only the weights; if all weights are zero or NaN, it never
 * ends. This step returns weights that check for an interrupt when they are read.
 *
 * <p>Threads: the thread that runs the query.
 *
 * @param <S> the type of the weighted objects
 */
final class InterruptibleWeight<S> extends ScalarMapStep<S, Object> {
  private static final long serialVersionUID = 1L;

  InterruptibleWeight(Traversal.Admin<?, ?> traversal) {
    super(traversal);
  }

  @Override
  protected Object map(Traverser.Admin<S> traverser) {
    Object weight = traverser.get();
    return weight instanceof Number number ? new Watched(number.doubleValue()) : weight;
  }

  /** A number that checks for an interrupt whenever its value is read. */
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

package io.bg3.server.guard;

import java.util.NoSuchElementException;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.AbstractStep;

/**
 * Lets results pass that are not too large to be written into a message, each of them and as many
 * as there are in one.
 */
final class ResultCheck<S> extends AbstractStep<S, S> {
  private static final long serialVersionUID = 1L;

  /** The most results of one message. */
  private static final long MESSAGE = 1_024;

  /** How much heavier than one value of a step a message's results may be. */
  private static final long WEIGHT = 64;

  private final transient Allowance allowance;
  private final long limit;
  private long results;
  private long weight;

  ResultCheck(Traversal.Admin<?, ?> traversal, long limit) {
    super(traversal);
    this.allowance = new Allowance("results", limit);
    this.limit = limit * WEIGHT;
  }

  @Override
  protected Traverser.Admin<S> processNextStart() throws NoSuchElementException {
    Traverser.Admin<S> result = starts.next();
    allowance.requireWhole(result.get());
    weight += Weight.of(result.get(), limit) * Math.min(MESSAGE, result.bulk());
    if (weight > limit) {
      throw new IllegalStateException(
          "results are too large: inOneMessage="
              + MESSAGE
              + ", limit="
              + limit
              + ", setting=server.value.limit");
    }
    results += result.bulk();
    if (results >= MESSAGE) {
      results = 0;
      weight = 0;
    }
    return result;
  }

  @Override
  public void reset() {
    super.reset();
    results = 0;
    weight = 0;
  }
}

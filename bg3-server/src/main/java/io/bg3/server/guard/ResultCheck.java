package io.bg3.server.guard;

import java.util.NoSuchElementException;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.AbstractStep;

/**
 * Lets results pass that are not too many, nor too large to be written into a message, each of them
 * and as many as there are in one.
 */
final class ResultCheck<S> extends AbstractStep<S, S> {
  private static final long serialVersionUID = 1L;

  /** The most results of one message. */
  private static final long MESSAGE = 1_024;

  /** How much heavier than one value of a step a message's results may be. */
  private static final long WEIGHT = 64;

  private final transient Allowance allowance;
  private final long rows;
  private final long limit;
  private long seen;
  private long results; // of the message
  private long weight;

  /**
   * @param rows the most results
   * @param limit the most that one step makes of smaller values
   */
  ResultCheck(Traversal.Admin<?, ?> traversal, long rows, long limit) {
    super(traversal);
    this.rows = rows;
    this.allowance = new Allowance("results", limit);
    this.limit = limit * WEIGHT;
  }

  @Override
  protected Traverser.Admin<S> processNextStart() throws NoSuchElementException {
    Traverser.Admin<S> result = starts.next();
    seen += result.bulk();
    if (seen > rows || result.bulk() > rows) { // the sum may be too large for a long
      throw new IllegalStateException("query has too many results: limit=" + rows);
    }
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
    seen = 0;
    results = 0;
    weight = 0;
  }
}

package io.bg3.server.guard;

import io.bg3.server.dispatch.RunningRequest;
import java.util.NoSuchElementException;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.AbstractStep;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;

/**
 * The last step of a query: limits the number of results, the size of each result, and the size of
 * the results that one message carries. Throws {@link IllegalStateException} at a limit. Results
 * that are too large for an event loop end the query as an interrupt does, and a worker runs it.
 *
 * <p>Threads: the thread that runs the query.
 */
final class ResultCheck<S> extends AbstractStep<S, S> {
  private static final long serialVersionUID = 1L;

  /** The most results in one message. */
  private static final long MESSAGE = 1_024;

  /** The weight of the results in one message, as a multiple of the limit for one value. */
  private static final long WEIGHT = 64;

  private final transient StepBudget allowance;
  private final long rows;
  private final long limit;
  private long seen;
  private long results; // in the current message
  private long weight;

  /**
   * Creates the check of a query.
   *
   * @param rows the most results
   * @param limit the largest value that one step makes of smaller ones, in characters
   */
  ResultCheck(Traversal.Admin<?, ?> traversal, long rows, long limit) {
    super(traversal);
    this.rows = rows;
    this.allowance = new StepBudget("results", limit);
    this.limit = limit * WEIGHT;
  }

  @Override
  protected Traverser.Admin<S> processNextStart() throws NoSuchElementException {
    Traverser.Admin<S> result = starts.next();
    seen += result.bulk();
    if (seen > rows || result.bulk() > rows) { // the sum may overflow
      throw new IllegalStateException("query has too many results: limit=" + rows);
    }
    weight += allowance.requireWhole(result.get()) * Math.min(MESSAGE, result.bulk());
    if (weight > ResultWeight.QUICK) {
      RunningRequest.current().ifPresent(this::noteLarge);
    }
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

  private void noteLarge(RunningRequest running) {
    if (running.isQuick()) {
      running.leaveToWorker();
      throw new TraversalInterruptedException();
    }
    if (weight > ResultWeight.MESSAGE) {
      running.setLargeResults();
    }
  }

  /** Results so far, since the traversal was made or reset. */
  long seen() {
    return seen;
  }

  @Override
  public void reset() {
    super.reset();
    seen = 0;
    results = 0;
    weight = 0;
  }
}

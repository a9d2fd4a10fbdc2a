package io.bg3.server.guard;

import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.AbstractStep;

/**
 * A step that passes on each traverser after a check, which throws to end the query.
 *
 * <p>Threads: the thread that runs the query.
 */
final class ValueCheck<S> extends AbstractStep<S, S> {
  private static final long serialVersionUID = 1L;

  private final transient Consumer<Traverser.Admin<?>> check;

  ValueCheck(Traversal.Admin<?, ?> traversal, Consumer<Traverser.Admin<?>> check) {
    super(traversal);
    this.check = check;
  }

  @Override
  public boolean hasNext() {
    return starts.hasNext();
  }

  /**
   * Passes on every traverser, even with a bulk of zero: {@code call()} starts its nested
   * traversals with such traversers.
   */
  @Override
  public Traverser.Admin<S> next() {
    return prepareTraversalForNextStep(processNextStart());
  }

  @Override
  protected Traverser.Admin<S> processNextStart() throws NoSuchElementException {
    Traverser.Admin<S> traverser = starts.next();
    check.accept(traverser);
    return traverser;
  }
}

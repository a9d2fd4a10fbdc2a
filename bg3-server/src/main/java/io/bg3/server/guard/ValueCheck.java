package io.bg3.server.guard;

import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.AbstractStep;

/** Lets traversers pass that a check does not throw for. */
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

  /** Takes what comes, also what counts for nothing: {@code call()} asks with such traversers. */
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

package io.bg3.gremlin.process.traversal.strategy.optimization;

import java.util.function.Consumer;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;

/**
 * Skips the strategies that cannot change a traversal, because it has none of the steps that they
 * look for. It changes no traversal itself. The strategies of a source that contains it run it
 * before all others, and then only those that its steps call for. Without it, as with {@code
 * withoutStrategies(Bg3SkipStrategy)}, all of them run.
 */
public final class Bg3SkipStrategy
    extends AbstractTraversalStrategy<TraversalStrategy.ProviderOptimizationStrategy>
    implements TraversalStrategy.ProviderOptimizationStrategy {
  private static final long serialVersionUID = 1L;
  private static final Bg3SkipStrategy INSTANCE = new Bg3SkipStrategy(traversal -> {});

  private final transient Consumer<Traversal.Admin<?, ?>> found;

  private Bg3SkipStrategy(Consumer<Traversal.Admin<?, ?>> found) {
    this.found = found;
  }

  /** The strategy as sources contain it. */
  public static Bg3SkipStrategy instance() {
    return INSTANCE;
  }

  /**
   * The strategy for one run of the strategies.
   *
   * @param found is told the root of the traversal that they are applied to
   */
  public static Bg3SkipStrategy of(Consumer<Traversal.Admin<?, ?>> found) {
    return new Bg3SkipStrategy(found);
  }

  @Override
  public void apply(Traversal.Admin<?, ?> traversal) {
    if (traversal.isRoot() && found != null) {
      found.accept(traversal);
    }
  }
}

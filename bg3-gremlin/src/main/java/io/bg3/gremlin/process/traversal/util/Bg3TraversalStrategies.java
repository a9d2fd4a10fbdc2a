package io.bg3.gremlin.process.traversal.util;

import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3SkipStrategy;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.NoSuchElementException;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategies;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.util.DefaultTraversalStrategies;

/**
 * The strategies of a traversal source. Where {@link Bg3SkipStrategy} is among them, a traversal
 * that iterates over them to apply them meets that one first, and then only those that can change
 * its steps; {@link StepTraits} decides. Any other iteration, such as that of {@code explain()},
 * meets all of them.
 *
 * <p>Every {@code g.V()} clones its source with its strategies. A clone shares its original's set,
 * which never changes: an object that adds or removes has a new one.
 *
 * <p>Threads: as TinkerPop's own strategies, any number may read; one that adds or removes is
 * alone.
 */
public final class Bg3TraversalStrategies extends DefaultTraversalStrategies {
  private static final long serialVersionUID = 1L;

  private transient Plan plan; // null where nothing is skipped

  /** The same strategies as another object has, in their order. */
  public Bg3TraversalStrategies(TraversalStrategies strategies) {
    for (TraversalStrategy<?> strategy : strategies.toList()) {
      traversalStrategies.add(strategy);
    }
    makePlan();
  }

  private Bg3TraversalStrategies(Bg3TraversalStrategies original) {
    traversalStrategies = original.traversalStrategies;
    plan = original.plan;
  }

  @Override
  public TraversalStrategies addStrategies(TraversalStrategy<?>... strategies) {
    Set<TraversalStrategy<?>> changed = new LinkedHashSet<>(traversalStrategies);
    for (TraversalStrategy<?> added : strategies) {
      getStrategy(added.getClass()).ifPresent(changed::remove); // none is there twice
    }
    Collections.addAll(changed, strategies);
    take(changed);
    return this;
  }

  @Override
  @SuppressWarnings({"rawtypes", "unchecked"}) // as the interface has it
  public TraversalStrategies removeStrategies(
      Class<? extends TraversalStrategy>... strategyClasses) {
    Set<Class<? extends TraversalStrategy>> gone = Set.copyOf(Arrays.asList(strategyClasses));
    Set<TraversalStrategy<?>> changed = new LinkedHashSet<>(traversalStrategies);
    if (changed.removeIf(strategy -> gone.contains(strategy.getClass()))) {
      take(changed);
    }
    return this;
  }

  private void take(Set<TraversalStrategy<?>> changed) {
    traversalStrategies = StrategyOrder.sorted(changed);
    makePlan();
  }

  private void makePlan() {
    plan =
        traversalStrategies.contains(Bg3SkipStrategy.instance())
            ? new Plan(traversalStrategies)
            : null;
  }

  @Override
  public Iterator<TraversalStrategy<?>> iterator() {
    return plan == null ? traversalStrategies.iterator() : new Applicable(plan);
  }

  @Override
  public Bg3TraversalStrategies clone() {
    return new Bg3TraversalStrategies(this);
  }

  /** The strategies without {@link Bg3SkipStrategy} in their order, and what each looks for. */
  private static final class Plan {
    private final TraversalStrategy<?>[] strategies;
    private final int[] wanted;

    Plan(Collection<TraversalStrategy<?>> all) {
      strategies =
          all.stream()
              .filter(strategy -> !(strategy instanceof Bg3SkipStrategy))
              .toArray(TraversalStrategy<?>[]::new);
      wanted = Arrays.stream(strategies).mapToInt(StepTraits::wanted).toArray();
    }
  }

  /** The strategies of one traversal, or, until its root is known, all of them. */
  private final class Applicable implements Iterator<TraversalStrategy<?>> {
    private final Plan of;
    private int next = -1; // -1 stands for the strategy that finds the root
    private Traversal.Admin<?, ?> root;
    private boolean changed; // by more than the loss of traits, since these were read
    private int traits;

    Applicable(Plan of) {
      this.of = of;
    }

    private void found(Traversal.Admin<?, ?> traversal) {
      if (traversal.getStrategies() == Bg3TraversalStrategies.this) {
        root = traversal; // another one, as in explain(), runs strategies of its own
      }
    }

    @Override
    public boolean hasNext() {
      while (next >= 0 && next < of.strategies.length && root != null && isSkipped()) {
        next++;
      }
      return next < of.strategies.length;
    }

    private boolean isSkipped() {
      int wanted = of.wanted[next];
      if (wanted == StepTraits.ANY) {
        return false;
      }
      if (changed) {
        traits = StepTraits.of(root);
        changed = false;
      }
      return (traits & wanted) == 0;
    }

    @Override
    public TraversalStrategy<?> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      if (next < 0) {
        changed = true;
        return first();
      }
      TraversalStrategy<?> applied = of.strategies[next++];
      changed |= !StepTraits.addsNone(applied);
      return applied;
    }

    private TraversalStrategy<?> first() {
      next = 0;
      return Bg3SkipStrategy.of(this::found);
    }
  }
}

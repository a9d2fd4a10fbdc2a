package io.bg3.server.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import org.apache.tinkerpop.gremlin.process.traversal.Operator;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalSideEffects;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.lambda.AbstractLambdaTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.lambda.ConstantTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.TraversalParent;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.SampleGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.FoldStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.TraversalMapStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.ProfileSideEffectStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.SackValueStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.SideEffectCapStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.ProfileStep;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.finalization.ProfileStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.util.DefaultTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalUtil;

/**
 * A strategy that ends a query whose step would make a value too large: a string that doubles, a
 * list multiplied by itself, a number squared again and again. Such a value could fill the heap
 * within one step, before {@code HeapWatch} notices. The strategy also limits the number and size
 * of the results ({@link ResultCheck}).
 *
 * <p>The server adds it to the traversal source of its clients; the {@link AllowList} keeps a query
 * from removing it.
 *
 * <p>Threads: any; immutable. The checks that it inserts belong to the thread that runs the query.
 */
public final class ValueLimit
    extends AbstractTraversalStrategy<TraversalStrategy.FinalizationStrategy>
    implements TraversalStrategy.FinalizationStrategy {
  private static final long serialVersionUID = 1L;

  /**
   * The most that one step makes of smaller values, by weight: one per character, and {@link
   * ValueSize#ENTRY} per element.
   */
  private final long limit;

  private final long rows;

  /** Creates the strategy from the limits of values and of results. */
  public ValueLimit(Limits limits) {
    this.limit = limits.value();
    this.rows = limits.rows();
  }

  /** The results that a query has given; empty if they are not counted, as those of a profile. */
  public static OptionalLong results(Traversal.Admin<?, ?> query) {
    return query.getEndStep() instanceof ResultCheck<?> check
        ? OptionalLong.of(check.seen())
        : OptionalLong.empty();
  }

  /** Whether a step only checks what passes it, and stands in no query of a client's. */
  public static boolean isCheck(Step<?, ?> step) {
    return step instanceof ResultCheck || step instanceof ValueCheck;
  }

  /**
   * Runs after {@link ProfileStrategy}, whose steps name the step before them; that must be a step
   * of the query.
   */
  @Override
  public Set<Class<? extends FinalizationStrategy>> applyPrior() {
    return Set.of(ProfileStrategy.class);
  }

  @Override
  public void apply(Traversal.Admin<?, ?> traversal) {
    for (Step<?, ?> step : List.copyOf(traversal.getSteps())) {
      if (Thread.interrupted()) { // inserting a step between thousands of others is slow
        throw new TraversalInterruptedException();
      }
      if (step instanceof SackValueStep<?, ?, ?> sack) {
        checkSack(sack, traversal);
      } else {
        ValueGrowth.of(step).ifPresent(charge -> check(step, charge, traversal));
      }
      if (step instanceof SampleGlobalStep<?> sample) {
        watch(sample);
      }
      if (StepResults.composes(step)
          && !(step instanceof SideEffectCapStep && isProfile(traversal))) {
        checkMade(step, traversal);
      }
    }
    if (traversal.isRoot()) {
      checkOperators(traversal.getSideEffects());
      if (!isProfile(traversal)) {
        traversal.addStep(raw(new ResultCheck<>(traversal, rows, limit)));
      }
    }
  }

  /** Whether the only result is a profile; no step may follow the step that makes it. */
  private static boolean isProfile(Traversal.Admin<?, ?> traversal) {
    return TraversalHelper.hasStepOfClass(ProfileSideEffectStep.class, traversal);
  }

  private void check(Step<?, ?> step, ValueGrowth.Charge charge, Traversal.Admin<?, ?> traversal) {
    StepBudget allowance = new StepBudget(step.getClass().getSimpleName(), limit);
    if (step instanceof FoldStep<?, ?> fold && !fold.isListFold()) {
      checkFold(fold, allowance);
    }
    List<Traversal.Admin<?, ?>> plain = new ArrayList<>();
    if (step instanceof TraversalParent parent && ValueGrowth.usesNested(step)) {
      for (Traversal.Admin<?, ?> nested : parent.getLocalChildren()) {
        if (nested instanceof AbstractLambdaTraversal<?, ?>) {
          plain.add(nested);
        } else {
          nested.addStep(
              raw(new ValueCheck<>(nested, traverser -> allowance.nested(traverser.get(), 1))));
        }
      }
    }
    long uses = ValueGrowth.uses(step);
    Step<?, ?> before =
        new ValueCheck<>(
            traversal,
            traverser -> {
              allowance.begin();
              charge.of(traverser, allowance);
              plain.forEach(nested -> plain(nested, traverser, uses, allowance));
            });
    TraversalHelper.insertBeforeStep(raw(before), raw(step), traversal);
  }

  /**
   * Checks the result of a step, because a value that holds another value many times is made in no
   * time.
   */
  private void checkMade(Step<?, ?> step, Traversal.Admin<?, ?> traversal) {
    StepBudget allowance = new StepBudget(step.getClass().getSimpleName(), limit);
    Step<?, ?> behind =
        new ValueCheck<>(traversal, traverser -> allowance.requireWalkable(traverser.get()));
    Step<?, ?> next = step.getNextStep();
    Step<?, ?> last = next instanceof ProfileStep ? next : step; // names the step before it
    TraversalHelper.insertAfterStep(raw(behind), raw(last), traversal);
  }

  /**
   * Makes the loop of {@code sample()} interruptible; with equal weights, the default, the loop is
   * short.
   */
  @SuppressWarnings({"unchecked", "rawtypes"}) // the traversal accepts the input of its step
  private static void watch(SampleGlobalStep<?> sample) {
    Traversal.Admin<?, ?> weight = sample.getLocalChildren().get(0);
    if (weight instanceof ConstantTraversal) {
      return;
    }
    Traversal.Admin<Object, Object> watched = new DefaultTraversal<>();
    watched.addStep(new TraversalMapStep(watched, weight));
    watched.addStep(raw(new InterruptibleWeight<>(watched)));
    sample.replaceLocalChild(weight, watched);
  }

  /**
   * Charges the result of a nested traversal without steps, to which no check can be added, by
   * running it; running it twice is cheap.
   */
  @SuppressWarnings("unchecked") // the traversal accepts the input of its step
  private static <S> void plain(
      Traversal.Admin<?, ?> nested, Traverser.Admin<S> traverser, long uses, StepBudget allowance) {
    TraversalUtil.produce(traverser, (Traversal.Admin<S, Object>) nested)
        .ifProductive(value -> allowance.nested(value, uses));
  }

  @SuppressWarnings("unchecked") // the operator of a sack accepts the content of the sack
  private void checkSack(SackValueStep<?, ?, ?> step, Traversal.Admin<?, ?> traversal) {
    BiFunction<?, ?, ?> function = step.getSackFunction();
    if (function instanceof BinaryOperator<?> operator) {
      StepBudget allowance = new StepBudget("sack", limit);
      SackValueStep<Object, Object, Object> checked =
          new SackValueStep<>(traversal, allowance.before((BinaryOperator<Object>) operator));
      step.getLocalChildren().forEach(checked::modulateBy);
      step.getLabels().forEach(checked::addLabel);
      TraversalHelper.replaceStep(raw(step), raw(checked), traversal);
    }
  }

  @SuppressWarnings("unchecked") // the operator of a fold accepts the result of the fold
  private static void checkFold(FoldStep<?, ?> step, StepBudget allowance) {
    FoldStep<Object, Object> fold = (FoldStep<Object, Object>) step;
    fold.setReducingBiOperator(allowance.before(fold.getBiOperator()));
  }

  private void checkOperators(TraversalSideEffects effects) {
    BinaryOperator<Object> merger = effects.getSackMerger();
    if (merger != null) {
      StepBudget allowance = new StepBudget("withSack", limit);
      effects.setSack(
          effects.getSackInitialValue(), effects.getSackSplitter(), allowance.before(merger));
    }
    for (String key : effects.keys()) {
      BinaryOperator<Object> reducer = effects.getReducer(key);
      // aggregate() compares with these two by identity
      if (reducer instanceof Operator && reducer != Operator.addAll && reducer != Operator.assign) {
        effects.register(key, null, new StepBudget("withSideEffect", limit).before(reducer));
      }
    }
  }

  @SuppressWarnings("unchecked") // TinkerPop declares no types for the steps of a compiled query
  private static Step<Object, Object> raw(Step<?, ?> step) {
    return (Step<Object, Object>) step;
  }
}

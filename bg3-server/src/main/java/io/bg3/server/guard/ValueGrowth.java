package io.bg3.server.guard;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.commons.lang3.StringUtils;
import org.apache.tinkerpop.gremlin.process.traversal.Pop;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.AllStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.AnyStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.NoneStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.SampleGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.AsNumberStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.AsStringGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.AsStringLocalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CombineStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ConcatStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ConjoinStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.DedupLocalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.DifferenceStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.DisjunctStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.FoldStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.FormatStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GroupCountStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GroupStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.IndexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.IntersectStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MeanGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MeanLocalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MergeStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.OrderLocalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ProductStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ProjectStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.RangeLocalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ReplaceGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ReplaceLocalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ReverseStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.SampleLocalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.SelectStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.SplitGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.SplitLocalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.SumGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.SumLocalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.TailLocalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.AggregateStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.GroupCountSideEffectStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.GroupSideEffectStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.BulkSet;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Property;

/**
 * Computes the cost of steps that can make a large value from small ones, before they make it.
 * {@link StepResults} knows the steps whose results are checked, and {@link ValueLimit} inserts the
 * checks into the traversal.
 *
 * <p>Threads: any; without state.
 */
final class ValueGrowth {
  /** The weight of a list of two elements, with its entry in the result of {@code product()}. */
  private static final long PAIR = 3L * ValueSize.ENTRY;

  /** Steps that merge the traverser's list and another list into a set. */
  private static final List<Class<?>> UNIONS =
      List.of(DisjunctStep.class, IntersectStep.class, MergeStep.class);

  /** Steps that hash their input or put it into another collection. */
  private static final List<Class<?>> WHOLE =
      List.of(
          ProjectStep.class,
          SelectStep.class,
          GroupStep.class,
          GroupSideEffectStep.class,
          GroupCountStep.class,
          GroupCountSideEffectStep.class);

  /** Steps that copy the list that they receive. */
  private static final List<Class<?>> COPIES =
      List.of(IndexStep.class, RangeLocalStep.class, ReverseStep.class, TailLocalStep.class);

  /** Caches per class whether there is no charge for a step; its class alone decides. */
  private static final ClassValue<AtomicBoolean> FREE =
      new ClassValue<>() {
        @Override
        protected AtomicBoolean computeValue(Class<?> step) {
          return new AtomicBoolean();
        }
      };

  private static final List<Class<?>> SUMS =
      List.of(SumGlobalStep.class, SumLocalStep.class, MeanGlobalStep.class, MeanLocalStep.class);

  /** Steps that put the results of nested traversals into their own results. */
  private static final List<Class<?>> NESTS =
      List.of(
          CombineStep.class,
          ConcatStep.class,
          DifferenceStep.class,
          DisjunctStep.class,
          FormatStep.class,
          IntersectStep.class,
          MergeStep.class,
          ProductStep.class);

  /** The steps that are charged by their class; others may be charged by what they say. */
  static final List<Class<?>> CHARGED =
      Stream.of(UNIONS, WHOLE, COPIES, SUMS, NESTS).flatMap(List::stream).toList();

  /** Charges what a step will make of a traverser, without the results of nested traversals. */
  interface Charge {
    void of(Traverser.Admin<?> traverser, StepBudget allowance);
  }

  private ValueGrowth() {}

  /** The charge for a step; empty for a step that makes no large value. */
  static Optional<Charge> of(Step<?, ?> step) {
    AtomicBoolean isFree = FREE.get(step.getClass());
    if (isFree.get()) {
      return Optional.empty();
    }
    Charge charge = texts(step);
    if (charge == null) {
      charge = lists(step);
    }
    isFree.set(charge == null);
    return Optional.ofNullable(charge);
  }

  /** Whether the results of the step's nested traversals become part of its own result. */
  static boolean usesNested(Step<?, ?> step) {
    return NESTS.contains(step.getClass());
  }

  /** The most uses of the result of a step's {@code by()} for one traverser. */
  static long uses(Step<?, ?> step) {
    return step instanceof FormatStep<?> format
        ? StepArguments.format(format).uses().getOrDefault("_", 0L)
        : 1;
  }

  private static Charge texts(Step<?, ?> step) {
    if (step instanceof ConcatStep<?> concat) {
      long arguments = length(concat.getStringArgsResult());
      return (traverser, allowance) -> {
        allowance.weigh(traverser.get(), 1);
        allowance.spend(arguments);
      };
    } else if (step instanceof ConjoinStep<?> conjoin) {
      long delimiter = length(conjoin.getDelimiter());
      return (traverser, allowance) -> {
        allowance.spend(StepBudget.times(ValueSize.entries(traverser.get()), delimiter));
        allowance.weigh(traverser.get(), 1);
      };
    } else if (step instanceof FormatStep<?> format) {
      StepArguments.Format says = StepArguments.format(format);
      return (traverser, allowance) -> format(format, says, traverser, allowance);
    } else if (step instanceof ReplaceGlobalStep<?, ?> || step instanceof ReplaceLocalStep<?, ?>) {
      return replace(StepArguments.replacements(step));
    } else if (step instanceof SplitGlobalStep<?, ?> split) {
      return split(split.getSeparator());
    } else if (step instanceof SplitLocalStep<?, ?> split) {
      return split(split.getSeparator());
    } else if (step instanceof AsStringGlobalStep<?, ?>
        || step instanceof AsStringLocalStep<?, ?>) {
      return (traverser, allowance) -> {
        if (!(traverser.get() instanceof String)) {
          allowance.weigh(traverser.get(), 1);
        }
      };
    } else if (step instanceof AsNumberStep<?>) {
      return (traverser, allowance) -> {
        if (traverser.get() instanceof String text && text.length() > StepBudget.DIGITS) {
          throw new IllegalStateException(
              "text is too long for a number: length="
                  + text.length()
                  + ", limit="
                  + StepBudget.DIGITS);
        }
        allowance.requireNumbers(traverser.get());
      };
    }
    return null;
  }

  private static Charge lists(Step<?, ?> step) {
    if (step instanceof ProductStep<?, ?> product) {
      Object argument = product.getParameterItems();
      return (traverser, allowance) -> {
        allowance.requireWhole(traverser.get());
        long pairs = StepBudget.times(ValueSize.entries(traverser.get()), PAIR);
        allowance.nestedPerEntry(Math.max(1, pairs));
        if (argument != null) {
          allowance.spend(StepBudget.times(ValueSize.entries(argument), Math.max(1, pairs)));
        }
      };
    } else if (step instanceof DifferenceStep<?, ?> difference) {
      return (traverser, allowance) -> {
        union(traverser, allowance);
        allowance.requireHashable(traverser.get());
        long entries = ValueSize.entries(traverser.get());
        allowance.nestedCompared(entries);
        allowance.requireComparisons(entries, difference.getParameterItems());
      };
    } else if (step instanceof CombineStep<?, ?>) {
      return ValueGrowth::union;
    } else if (UNIONS.contains(step.getClass())) {
      return (traverser, allowance) -> {
        union(traverser, allowance);
        allowance.requireHashable(traverser.get());
        allowance.nestedHashed();
      };
    } else if (step instanceof DedupLocalStep<?, ?>) {
      return (traverser, allowance) -> {
        allowance.requireWhole(traverser.get());
        allowance.requireHashable(traverser.get());
      };
    } else if (step instanceof AllStep<?, ?>
        || step instanceof AnyStep<?, ?>
        || step instanceof NoneStep<?, ?>) {
      Object compared = StepArguments.compared(step);
      return (traverser, allowance) ->
          allowance.requireComparisons(ValueSize.entries(traverser.get()), compared);
    } else if (step instanceof SampleLocalStep<?> sample) {
      return (traverser, allowance) ->
          allowance.requireTaken(ValueSize.entries(traverser.get()), sample.getAmountToSample());
    } else if (step instanceof SampleGlobalStep<?>) {
      return (traverser, allowance) -> allowance.requireEntries(traverser.bulk());
    } else if (step instanceof OrderLocalStep<?, ?>) {
      return (traverser, allowance) -> allowance.requireWhole(traverser.get());
    } else if (step instanceof FoldStep<?, ?> fold) {
      return (traverser, allowance) -> {
        allowance.requireWhole(traverser.get());
        allowance.requireEntries(fold.isListFold() ? traverser.bulk() : 1);
      };
    } else if (step instanceof AggregateStep<?> aggregate) {
      String key = aggregate.getSideEffectKey();
      return (traverser, allowance) -> {
        allowance.requireWhole(traverser.get());
        if (!(aggregate.getTraversal().getSideEffects().get(key) instanceof BulkSet<?>)) {
          allowance.requireEntries(traverser.bulk());
        }
      };
    } else if (WHOLE.contains(step.getClass())) {
      return (traverser, allowance) -> allowance.requireWhole(traverser.get());
    } else if (COPIES.contains(step.getClass())) {
      return (traverser, allowance) -> allowance.requireEntries(ValueSize.entries(traverser.get()));
    } else if (SUMS.contains(step.getClass())) {
      return (traverser, allowance) -> allowance.requireNumbers(traverser.get());
    }
    return null;
  }

  private static void format(
      FormatStep<?> step,
      StepArguments.Format format,
      Traverser.Admin<?> traverser,
      StepBudget allowance) {
    allowance.spend(format.length());
    for (Map.Entry<String, Long> use : format.uses().entrySet()) {
      if (!use.getKey().equals("_")) {
        allowance.weigh(variable(step, use.getKey(), traverser), use.getValue());
      } else if (step.getLocalChildren().isEmpty()) {
        allowance.weigh(traverser.get(), use.getValue());
      }
    }
  }

  private static Object variable(FormatStep<?> step, String name, Traverser.Admin<?> traverser) {
    if (traverser.get() instanceof Element element) {
      Property<Object> property = element.property(name);
      if (property != null && property.isPresent()) {
        return property.value();
      }
    }
    return step.getNullableScopeValue(Pop.last, name, traverser);
  }

  private static Charge replace(List<StepArguments.Replacement> replacements) {
    return (traverser, allowance) ->
        everyText(
            traverser.get(),
            text -> {
              for (StepArguments.Replacement each : replacements) {
                long more = length(each.by()) - length(each.old());
                if (more > 0 && length(each.old()) > 0) {
                  allowance.spend(text.length());
                  allowance.spend(
                      StepBudget.times(StringUtils.countMatches(text, each.old()), more));
                }
              }
              if (replacements.isEmpty()) {
                allowance.spend(StepBudget.times(text.length(), StepBudget.DIGITS));
              }
            });
  }

  private static Charge split(String separator) {
    return (traverser, allowance) ->
        everyText(
            traverser.get(),
            text -> {
              allowance.spend(text.length());
              long parts =
                  separator == null
                      ? text.chars().filter(Character::isWhitespace).count()
                      : separator.isEmpty()
                          ? text.length()
                          : StringUtils.countMatches(text, separator);
              allowance.spend(StepBudget.times(parts, ValueSize.ENTRY));
            });
  }

  private static void everyText(Object value, Consumer<String> use) {
    if (value instanceof String text) {
      use.accept(text);
    } else if (value instanceof Iterable<?> elements) {
      elements.forEach(element -> use.accept(element instanceof String text ? text : ""));
    }
  }

  /**
   * Charges a union of two lists. A literal argument is not charged: it takes no more memory than
   * it took in the message.
   */
  private static void union(Traverser.Admin<?> traverser, StepBudget allowance) {
    allowance.requireWhole(traverser.get());
    allowance.nestedPerEntry(ValueSize.ENTRY);
    allowance.spend(StepBudget.times(ValueSize.entries(traverser.get()), ValueSize.ENTRY));
  }

  private static long length(String text) {
    return text == null ? 0 : text.length();
  }
}

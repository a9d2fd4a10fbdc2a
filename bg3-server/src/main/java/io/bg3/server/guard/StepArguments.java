package io.bg3.server.guard;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.FormatStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ReplaceGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ReplaceLocalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.EmptyStep;
import org.apache.tinkerpop.gremlin.process.traversal.util.ConnectiveP;

/**
 * Finds arguments that TinkerPop's steps keep private, by reading the bytecode of the query. If the
 * bytecode has no matching instruction, the caller assumes the worst case.
 *
 * <p>Threads: any; without state.
 */
final class StepArguments {
  private static final Pattern PLACEHOLDER = Pattern.compile("(?<!%)%\\{(.*?)\\}");

  /** A string to replace, and its replacement. */
  record Replacement(String old, String by) {}

  /**
   * The content of a format string. For several candidate formats, the fields hold the maximum of
   * each value.
   *
   * @param length the characters of the format
   * @param uses how often each placeholder occurs, by name
   */
  record Format(long length, Map<String, Long> uses) {}

  private StepArguments() {}

  /**
   * The elements that a step replaces. Several if several instructions match the step; empty if
   * none does.
   */
  static List<Replacement> replacements(Step<?, ?> step) {
    List<Replacement> replacements = new ArrayList<>();
    find(
        step,
        Set.of("replace"),
        arguments -> {
          String old = (String) arguments[arguments.length - 2];
          String by = (String) arguments[arguments.length - 1];
          Step<?, ?> same =
              step instanceof ReplaceLocalStep<?, ?>
                  ? new ReplaceLocalStep<>(step.getTraversal(), old, by)
                  : new ReplaceGlobalStep<>(step.getTraversal(), old, by);
          step.getLabels().forEach(same::addLabel);
          return same.equals(step) && replacements.add(new Replacement(old, by));
        });
    return replacements;
  }

  /**
   * The value with whose elements a step compares each element of a list; the largest if there are
   * several candidates.
   */
  static Object compared(Step<?, ?> step) {
    Object[] largest = {""};
    find(
        step,
        Set.of("all", "any", "none"),
        arguments -> {
          Object compared = arguments[0] instanceof P<?> predicate ? values(predicate) : "";
          boolean larger = ValueSize.entries(compared) >= ValueSize.entries(largest[0]);
          largest[0] = larger ? compared : largest[0];
          return true;
        });
    return largest[0];
  }

  private static Object values(P<?> predicate) {
    return predicate instanceof ConnectiveP<?> connective
        ? connective.getPredicates().stream().flatMap(StepArguments::each).toList()
        : Optional.<Object>ofNullable(predicate.getValue()).orElse("");
  }

  private static Stream<?> each(P<?> predicate) {
    return values(predicate) instanceof Collection<?> several
        ? several.stream()
        : Stream.of(values(predicate));
  }

  /** The format of a step; the worst case if no instruction matches. */
  static Format format(FormatStep<?> step) {
    List<String> formats = new ArrayList<>();
    find(
        step,
        Set.of("format"),
        arguments -> {
          String format = (String) arguments[0];
          return new FormatStep<>(step.getTraversal(), format)
                  .getScopeKeys()
                  .equals(step.getScopeKeys())
              && formats.add(format);
        });
    long length = 0;
    Map<String, Long> most = new HashMap<>();
    for (String format : formats) {
      Map<String, Long> uses = new HashMap<>();
      PLACEHOLDER.matcher(format).results().forEach(f -> uses.merge(f.group(1), 1L, Long::sum));
      uses.forEach((name, count) -> most.merge(name, count, Math::max));
      length = Math.max(length, format.length());
    }
    if (formats.isEmpty()) {
      step.getScopeKeys().forEach(name -> most.put(name, (long) StepBudget.DIGITS));
      most.put("_", (long) StepBudget.DIGITS);
    }
    return new Format(length, most);
  }

  /**
   * Applies {@code fits} to the instructions of the step's own traversal; if none fits, to those of
   * the whole query, because a strategy may have moved the step.
   */
  private static void find(Step<?, ?> step, Set<String> operators, Predicate<Object[]> fits) {
    Traversal.Admin<?, ?> traversal = step.getTraversal();
    boolean[] found = new boolean[1];
    Consumer<Bytecode.Instruction> use =
        instruction -> {
          if (operators.contains(instruction.getOperator())) {
            found[0] |= fits.test(instruction.getArguments());
          }
        };
    traversal.getBytecode().getStepInstructions().forEach(use);
    while (!found[0] && !(traversal.getParent() instanceof EmptyStep)) {
      traversal = traversal.getParent().asStep().getTraversal();
    }
    if (!found[0]) {
      walk(traversal.getBytecode(), use);
    }
  }

  private static void walk(Object argument, Consumer<Bytecode.Instruction> use) {
    if (argument instanceof Bytecode bytecode) {
      for (Bytecode.Instruction instruction : bytecode.getStepInstructions()) {
        use.accept(instruction);
        for (Object nested : instruction.getArguments()) {
          walk(nested, use);
        }
      }
    }
  }
}

package io.bg3.gremlin.process.traversal.step.util;

import io.bg3.core.graph.Condition;
import java.io.Serializable;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.tinkerpop.gremlin.process.traversal.Compare;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.util.AndP;
import org.apache.tinkerpop.gremlin.structure.Edge;

/**
 * The edges of a vertex that matter to the steps behind {@code outE}, {@code inE} or {@code bothE}:
 * those that meet conditions, or the first of them by a property. It is a hint: the steps behind
 * test, sort and count for themselves, so the graph may show more edges than these.
 *
 * @param conditions all of which an edge has to meet
 * @param key of the property by which the first edges are found; null if all edges matter
 * @param descending whether the largest value comes first
 * @param alone whether nothing but that property decides which edges are the first, and, of equal
 *     ones, their order
 * @param most how many edges matter, and those that equal the last of them; 0 if all do
 */
public record EdgeSelection(
    List<HasContainer> conditions, String key, boolean descending, boolean alone, int most)
    implements Serializable {
  /**
   * Whole numbers from one to another.
   *
   * @param low smallest, included
   * @param high largest, included; less than {@code low} where there is none
   */
  public record Range(long low, long high) {
    private static final Range ALL = new Range(Long.MIN_VALUE, Long.MAX_VALUE);
    private static final Range NONE = new Range(1, 0);

    private Range and(long otherLow, long otherHigh) {
      return new Range(Math.max(low, otherLow), Math.min(high, otherHigh));
    }
  }

  /** All edges. */
  public static final EdgeSelection ALL = new EdgeSelection(List.of(), null, false, false, 0);

  /** Whether each edge matters. */
  public boolean isAll() {
    return conditions.isEmpty() && key == null;
  }

  /** Whether an edge meets all conditions. */
  public boolean test(Edge edge) {
    return HasContainer.testAll(edge, conditions);
  }

  /**
   * The conditions by which an index of edges may find these. None where only the first by a
   * property matter: an index shows those with equal values in another order than a scan, so others
   * would be the first.
   */
  public List<Condition> sought() {
    return key == null ? SoughtValues.conditions(conditions) : List.of();
  }

  /**
   * The numbers that a property may have by the conditions, if each edge has one long there.
   * Conditions that are no comparison with a whole number do not narrow it.
   */
  public Range range(String property) {
    Range range = Range.ALL;
    for (HasContainer condition : conditions) {
      if (property.equals(condition.getKey())) {
        range = narrowed(range, condition.getPredicate());
      }
    }
    return range;
  }

  /** Whether the conditions bound the numbers that a property may have. */
  public boolean bounds(String property) {
    return !range(property).equals(Range.ALL);
  }

  /**
   * Whether the {@link #range} says all: an edge meets the conditions if and only if its number is
   * in it.
   */
  public boolean isRange(String property) {
    return conditions.stream()
        .allMatch(each -> property.equals(each.getKey()) && isRange(each.getPredicate()));
  }

  private static boolean isRange(P<?> predicate) {
    if (predicate instanceof AndP<?> all) {
      return all.getPredicates().stream().allMatch(EdgeSelection::isRange);
    }
    return predicate.getClass() == P.class
        && predicate.getBiPredicate() instanceof Compare comparison
        && comparison != Compare.neq
        && isWhole(predicate.getValue());
  }

  private static Range narrowed(Range range, P<?> predicate) {
    if (predicate instanceof AndP<?> all) {
      Range narrow = range;
      for (P<?> each : all.getPredicates()) {
        narrow = narrowed(narrow, each);
      }
      return narrow;
    }
    if (predicate.getClass() != P.class
        || !(predicate.getBiPredicate() instanceof Compare comparison)
        || !isWhole(predicate.getValue())) {
      return range;
    }
    long value = ((Number) predicate.getValue()).longValue();
    return switch (comparison) {
      case eq -> range.and(value, value);
      case gte -> range.and(value, Long.MAX_VALUE);
      case lte -> range.and(Long.MIN_VALUE, value);
      case gt -> value == Long.MAX_VALUE ? Range.NONE : range.and(value + 1, Long.MAX_VALUE);
      case lt -> value == Long.MIN_VALUE ? Range.NONE : range.and(Long.MIN_VALUE, value - 1);
      default -> range;
    };
  }

  private static boolean isWhole(Object value) {
    return value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte;
  }

  @Override
  public String toString() {
    String wanted = conditions.stream().map(String::valueOf).collect(Collectors.joining(","));
    if (key == null) {
      return wanted;
    }
    String first = "first " + most + " by " + key + (descending ? " desc" : " asc");
    return wanted.isEmpty() ? first : wanted + "," + first;
  }
}

package io.bg3.gremlin.process.traversal.step.util;

import io.bg3.core.graph.Condition;
import io.bg3.core.graph.Sought;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.Compare;
import org.apache.tinkerpop.gremlin.process.traversal.Contains;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.PBiPredicate;
import org.apache.tinkerpop.gremlin.process.traversal.Text;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.util.AndP;
import org.apache.tinkerpop.gremlin.process.traversal.util.OrP;
import org.apache.tinkerpop.gremlin.structure.Graph;

/**
 * The values that an index looks for to find all elements that may meet a condition. Parts of one
 * {@code and} hold for one value, so their bounds are joined; two conditions on a property with
 * several values may be met by two of them, so theirs are not. Of an {@code or}, an index has to
 * know each part.
 */
public final class SoughtValues {
  private Object low;
  private Object high;

  private SoughtValues() {}

  /** Those of some conditions that an index may answer, and what they seek. */
  public static List<Condition> conditions(List<HasContainer> containers) {
    List<Condition> conditions = new ArrayList<>(containers.size());
    for (HasContainer container : containers) {
      Sought sought = of(container);
      if (sought != null) {
        conditions.add(new Condition(container.getKey(), sought));
      }
    }
    return conditions;
  }

  /** What a condition seeks; null if an index cannot answer it. */
  private static Sought of(HasContainer container) {
    if (container.getKey() == null || Graph.Hidden.isHidden(container.getKey())) {
      return null;
    }
    Sought sought = of(container.getPredicate());
    return sought != null && sought.isAnswered() ? sought : null;
  }

  private static Sought of(P<?> predicate) {
    if (predicate instanceof OrP<?> or) {
      return either(or);
    }
    List<P<?>> parts = new ArrayList<>();
    addParts(predicate, parts);
    SoughtValues bounds = new SoughtValues();
    Sought prefix = null;
    for (P<?> part : parts) {
      Sought values = values(part);
      if (values != null) {
        return values;
      }
      if (isPrefix(part)) {
        prefix = Sought.startingWith((String) part.getValue());
      } else {
        bounds.add(part);
      }
    }
    return prefix != null ? prefix : bounds.sought();
  }

  private static Sought either(OrP<?> or) {
    List<Sought> alternatives = new ArrayList<>();
    for (P<?> part : or.getPredicates()) {
      Sought alternative = of(part);
      if (alternative == null) {
        return null;
      }
      alternatives.add(alternative);
    }
    return Sought.either(alternatives);
  }

  private static void addParts(P<?> predicate, List<P<?>> parts) {
    if (predicate instanceof AndP<?> and) {
      and.getPredicates().forEach(part -> addParts(part, parts));
    } else {
      parts.add(predicate);
    }
  }

  /** The values of which a predicate wants one; null if it wants something else. */
  private static Sought values(P<?> predicate) {
    if (predicate.getClass() != P.class) {
      return null;
    }
    Object value = predicate.getValue();
    if (predicate.getBiPredicate() == Compare.eq && value != null) {
      return Sought.anyOf(List.of(value));
    }
    return predicate.getBiPredicate() == Contains.within
            && value instanceof Collection<?> values
            && !values.isEmpty()
        ? Sought.anyOf(values)
        : null;
  }

  private static boolean isPrefix(P<?> predicate) {
    return predicate.getClass() == TextP.class
        && predicate.getBiPredicate() == Text.startingWith
        && predicate.getValue() instanceof String;
  }

  private void add(P<?> predicate) {
    if (predicate.getClass() != P.class || predicate.getValue() == null) {
      return;
    }
    PBiPredicate<?, ?> compare = predicate.getBiPredicate();
    if (low == null && (compare == Compare.gt || compare == Compare.gte)) {
      low = predicate.getValue();
    } else if (high == null && (compare == Compare.lt || compare == Compare.lte)) {
      high = predicate.getValue();
    }
  }

  private Sought sought() {
    return low == null && high == null ? null : Sought.between(low, high);
  }
}

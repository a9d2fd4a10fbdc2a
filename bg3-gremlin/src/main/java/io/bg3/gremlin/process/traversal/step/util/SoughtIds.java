package io.bg3.gremlin.process.traversal.step.util;

import io.bg3.core.record.VertexId;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.process.traversal.Compare;
import org.apache.tinkerpop.gremlin.process.traversal.Contains;
import org.apache.tinkerpop.gremlin.process.traversal.P;

/** The ids by which elements are looked up that meet a condition on ids. */
public final class SoughtIds {
  /** Below this every whole number has a float of its own, and no larger one is rounded to it. */
  private static final double EXACT_FLOAT = 1 << 24;

  private SoughtIds() {}

  /**
   * The ids by which every element is found whose id passes a test, each once; null if the test is
   * not of that kind. It knows fewer forms of an id than a look-up does.
   */
  public static List<Object> of(P<?> predicate) {
    Set<Object> sought = new LinkedHashSet<>();
    if (predicate.getBiPredicate() == Compare.eq) {
      sought.add(predicate.getValue());
    } else if (predicate.getBiPredicate() == Contains.within
        && predicate.getValue() instanceof Collection<?> values) {
      sought.addAll(values);
    } else {
      return null;
    }
    if (!sought.stream().allMatch(SoughtIds::areFound)) {
      return null;
    }
    Set<Object> once = new LinkedHashSet<>();
    sought.forEach(id -> once.add(id == null ? null : VertexId.sought(id)));
    once.remove(null);
    return new ArrayList<>(once);
  }

  /** Whether a look-up finds every element whose id equals this value. */
  public static boolean areFound(Object id) {
    if (id instanceof Double || id instanceof Float) {
      return Math.abs(((Number) id).doubleValue()) < EXACT_FLOAT; // false for NaN, too
    }
    return id == null
        || id instanceof String
        || id instanceof UUID
        || id instanceof Long
        || id instanceof Integer
        || id instanceof Short
        || id instanceof Byte
        || id instanceof BigInteger
        || id instanceof BigDecimal;
  }
}

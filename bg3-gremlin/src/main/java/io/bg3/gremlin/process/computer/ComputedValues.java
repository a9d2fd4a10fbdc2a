package io.bg3.gremlin.process.computer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;

/**
 * How the computed values of one key are kept for one vertex: one value without an id or
 * meta-properties as itself, any others as a list of properties.
 */
final class ComputedValues {
  /** Several values, or one that is more than a value. */
  private static final class Several extends ArrayList<ComputedVertexProperty<?>> {
    private static final long serialVersionUID = 1L;
  }

  /** Numbers for the ids of values of which a vertex may have several. */
  private static final AtomicLong IDS = new AtomicLong();

  private ComputedValues() {}

  /** Whether what a column has is the only value itself. */
  static boolean isPlain(Object stored) {
    return !(stored instanceof Several);
  }

  /** The only property that a column has for a vertex. */
  @SuppressWarnings("unchecked") // the caller knows the class of its values
  static <V> VertexProperty<V> only(ComputedVertex vertex, String key, Object stored) {
    if (!(stored instanceof Several several)) {
      return new ComputedVertexProperty<>(vertex, key, (V) stored, null);
    }
    if (several.size() > 1) {
      throw Vertex.Exceptions.multiplePropertiesExistForProvidedKey(key);
    }
    return (VertexProperty<V>) several.get(0);
  }

  /** All properties that a column has for a vertex. */
  @SuppressWarnings("unchecked") // the caller knows the class of its values
  static <V> List<VertexProperty<V>> all(ComputedVertex vertex, String key, Object stored) {
    return stored instanceof Several several
        ? (List<VertexProperty<V>>) (List<?>) List.copyOf(several)
        : List.of(ComputedValues.<V>only(vertex, key, stored));
  }

  static <V> VertexProperty<V> add(
      ComputedVertex vertex,
      Column column,
      VertexProperty.Cardinality cardinality,
      String key,
      V value,
      Object... keyValues) {
    boolean isSingle = cardinality == null || cardinality == VertexProperty.Cardinality.single;
    if (isSingle && keyValues.length == 0) {
      column.set(vertex.number(), value);
      return new ComputedVertexProperty<>(vertex, key, value, null);
    }
    Several several = isSingle ? new Several() : several(vertex, column, key);
    ComputedVertexProperty<V> property =
        cardinality == VertexProperty.Cardinality.set ? equal(several, value) : null;
    if (property == null) {
      Object id = ElementHelper.getIdValue(keyValues).orElse("computed-" + IDS.incrementAndGet());
      property = new ComputedVertexProperty<>(vertex, key, value, id);
      several.add(property);
    }
    column.set(vertex.number(), several);
    ElementHelper.attachProperties(property, keyValues);
    return property;
  }

  private static Several several(ComputedVertex vertex, Column column, String key) {
    Object stored = column.get(vertex.number());
    if (stored instanceof Several several) {
      return several;
    }
    Several several = new Several();
    if (stored != null) {
      several.add(
          new ComputedVertexProperty<>(vertex, key, stored, "computed-" + IDS.incrementAndGet()));
    }
    return several;
  }

  @SuppressWarnings("unchecked") // the values are equal
  private static <V> ComputedVertexProperty<V> equal(Several several, V value) {
    return (ComputedVertexProperty<V>)
        several.stream().filter(each -> each.value().equals(value)).findFirst().orElse(null);
  }

  /** Removes one property of a vertex from its column. */
  static void remove(ComputedVertex vertex, Column column, ComputedVertexProperty<?> property) {
    Object stored = column.get(vertex.number());
    if (stored instanceof Several several) {
      several.removeIf(each -> each.equals(property));
      if (!several.isEmpty()) {
        return;
      }
    }
    column.remove(vertex.number());
  }
}

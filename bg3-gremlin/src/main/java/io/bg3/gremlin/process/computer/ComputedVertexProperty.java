package io.bg3.gremlin.process.computer;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;

/**
 * A computed property of a vertex.
 *
 * @param <V> the class of its value
 */
final class ComputedVertexProperty<V> implements VertexProperty<V> {
  private final ComputedVertex vertex;
  private final String key;
  private final V value;
  private final Object id; // null where the vertex has at most one value, which its key tells
  private Map<String, Object> metas = Map.of();

  ComputedVertexProperty(ComputedVertex vertex, String key, V value, Object id) {
    this.vertex = vertex;
    this.key = key;
    this.value = value;
    this.id = id;
  }

  @Override
  public String key() {
    return key;
  }

  @Override
  public V value() {
    return value;
  }

  @Override
  public boolean isPresent() {
    return true;
  }

  @Override
  public ComputedVertex element() {
    return vertex;
  }

  @Override
  public ComputedGraph graph() {
    return vertex.graph();
  }

  @Override
  public Object id() {
    return id == null ? vertex.id() + ":" + key : id;
  }

  @Override
  public <U> Property<U> property(String metaKey, U metaValue) {
    ElementHelper.validateProperty(metaKey, metaValue);
    if (!graph().computes()) {
      throw Element.Exceptions.propertyAdditionNotSupported();
    }
    if (id == null) {
      throw VertexProperty.Exceptions.metaPropertiesNotSupported();
    }
    Map<String, Object> changed = new LinkedHashMap<>(metas);
    changed.put(metaKey, metaValue);
    metas = changed;
    return new ComputedProperty<>(this, metaKey, metaValue);
  }

  @Override
  @SuppressWarnings("unchecked") // the caller knows the class of its values
  public <U> Iterator<Property<U>> properties(String... keys) {
    return IteratorUtils.map(
        IteratorUtils.filter(
            metas.entrySet().iterator(), meta -> ElementHelper.keyExists(meta.getKey(), keys)),
        meta -> new ComputedProperty<>(this, meta.getKey(), (U) meta.getValue()));
  }

  @Override
  public void remove() {
    ComputedValues.remove(vertex, vertex.columnToChange(key), this);
  }

  @Override
  public int hashCode() {
    return ElementHelper.hashCode((Element) this);
  }

  @Override
  @SuppressWarnings("EqualsWhichDoesntCheckParameterClass") // areEqual does
  public boolean equals(Object other) {
    return ElementHelper.areEqual(this, other);
  }

  @Override
  public String toString() {
    return StringFactory.propertyString(this);
  }
}

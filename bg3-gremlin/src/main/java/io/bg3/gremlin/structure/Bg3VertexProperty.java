package io.bg3.gremlin.structure;

import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.record.PropertyCell;
import io.bg3.core.record.PropertyId;
import io.bg3.core.record.PropertyRecord;
import io.bg3.core.record.VertexRecord;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/**
 * A vertex property: its value as it was when it was read, its meta-properties as they are. Its id
 * is the one that the user gave, else the text of its {@link PropertyId}.
 *
 * @param <V> class of the value
 */
public final class Bg3VertexProperty<V> extends Bg3Element implements VertexProperty<V> {
  private final Bg3Vertex vertex;
  private final int number;
  private final Object userId;
  private final String key;
  private final V value;

  Bg3VertexProperty(Bg3Vertex vertex, int number, Object userId, String key, V value) {
    super(vertex.graph());
    this.vertex = vertex;
    this.number = number;
    this.userId = userId;
    this.key = key;
    this.value = value;
  }

  @Override
  public Object id() {
    return userId == null ? property().text() : userId;
  }

  private PropertyId property() {
    return new PropertyId(vertex.vertex(), number);
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
  public Vertex element() {
    return vertex;
  }

  /** The record, null if the property or its vertex is not there any more. */
  private PropertyRecord record(GraphTransaction transaction) {
    VertexRecord record = vertex.record(transaction);
    return record == null ? null : record.property(number);
  }

  @Override
  public <U> Property<U> property(String metaKey) {
    Iterator<Property<U>> found = properties(metaKey);
    return found.hasNext() ? found.next() : Property.empty();
  }

  @Override
  public <U> Property<U> property(String metaKey, U metaValue) {
    ElementHelper.validateProperty(metaKey, metaValue);
    GraphTransaction transaction = transaction();
    if (metaValue == null) { // nulls are not stored: one stands for nothing
      transaction.removeMeta(property(), metaKey);
      return Property.empty();
    }
    change(
        metaValue,
        () -> {
          transaction.setMeta(property(), metaKey, metaValue);
          return null;
        });
    return meta(metaKey, metaValue);
  }

  private <U> Property<U> meta(String metaKey, U metaValue) {
    return new Bg3Property<>(
        this, metaKey, metaValue, () -> transaction().removeMeta(property(), metaKey));
  }

  @Override
  public Set<String> keys() {
    Set<String> keys = new LinkedHashSet<>();
    PropertyRecord record = record(transaction());
    if (record != null) {
      for (PropertyCell meta : record.metas()) {
        keys.add(keyText(meta.key()));
      }
    }
    return keys;
  }

  @Override
  @SuppressWarnings("unchecked") // the caller chooses U, as the interface has it
  public <U> Iterator<Property<U>> properties(String... metaKeys) {
    GraphTransaction transaction = transaction();
    PropertyRecord record = record(transaction);
    List<Property<U>> found = new ArrayList<>();
    if (record != null) {
      for (PropertyCell meta : record.metas()) {
        String metaKey = keyText(meta.key());
        if (ElementHelper.keyExists(metaKey, metaKeys)) {
          found.add(meta(metaKey, (U) transaction.metaValue(property(), meta)));
        }
      }
    }
    return found.iterator();
  }

  /** Removes the property; does nothing if it is gone already. */
  @Override
  public void remove() {
    transaction().removeProperty(property());
  }

  @Override
  public String toString() {
    return StringFactory.propertyString(this);
  }
}

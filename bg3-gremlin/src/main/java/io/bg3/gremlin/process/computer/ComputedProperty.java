package io.bg3.gremlin.process.computer;

import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/**
 * A property of an element that is read and not changed.
 *
 * @param <V> the class of its value
 */
final class ComputedProperty<V> implements Property<V> {
  private final Element element;
  private final String key;
  private final V value;

  ComputedProperty(Element element, String key, V value) {
    this.element = element;
    this.key = key;
    this.value = value;
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
  public Element element() {
    return element;
  }

  @Override
  public void remove() {
    throw Property.Exceptions.propertyRemovalNotSupported();
  }

  @Override
  public int hashCode() {
    return ElementHelper.hashCode(this);
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

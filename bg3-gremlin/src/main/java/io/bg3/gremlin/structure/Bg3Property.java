package io.bg3.gremlin.structure;

import java.util.NoSuchElementException;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/**
 * A property of an edge or of a vertex property, as it was when it was read.
 *
 * @param <V> class of the value
 */
final class Bg3Property<V> implements Property<V> {
  private final Element element;
  private final String key;
  private final V value;
  private final Runnable removal;

  Bg3Property(Element element, String key, V value, Runnable removal) {
    this.element = element;
    this.key = key;
    this.value = value;
    this.removal = removal;
  }

  @Override
  public String key() {
    return key;
  }

  @Override
  public V value() throws NoSuchElementException {
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
    removal.run();
  }

  @Override
  public String toString() {
    return StringFactory.propertyString(this);
  }

  @Override
  @SuppressWarnings("EqualsWhichDoesntCheckParameterClass") // areEqual does
  public boolean equals(Object other) {
    return ElementHelper.areEqual(this, other);
  }

  @Override
  public int hashCode() {
    return ElementHelper.hashCode(this);
  }
}

package io.bg3.gremlin.structure;

import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.MissingElementException;
import io.bg3.core.record.UnsupportedValueException;
import java.util.function.Supplier;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;

/**
 * A vertex, an edge or a vertex property. It holds no transaction: every call works in that of its
 * thread, so an element may be kept over transactions and handed to other threads.
 */
abstract class Bg3Element implements Element {
  private final Bg3Graph graph;

  Bg3Element(Bg3Graph graph) {
    this.graph = graph;
  }

  @Override
  public Bg3Graph graph() {
    return graph;
  }

  GraphTransaction transaction() {
    return graph.transaction().graph();
  }

  /** Lets go of what the element has read of its record, if it has read any. */
  void forgetRecord() {}

  /** The key that a code stands for. */
  String keyText(int code) {
    return graph.store().graph().propertyKey(code);
  }

  /** The code of a key that is looked for, 0 if no property of the graph ever had it. */
  static int keyCode(GraphTransaction transaction, String key) {
    return key == null ? 0 : transaction.findKey(key);
  }

  /** Does a change, saying in TinkerPop's words what is wrong with it. */
  <T> T change(Object value, Supplier<T> change) {
    try {
      return change.get();
    } catch (UnsupportedValueException e) {
      throw Property.Exceptions.dataTypeOfPropertyValueNotSupported(value, e);
    } catch (MissingElementException e) {
      throw new IllegalStateException(
          getClass().getSimpleName() + " was removed: id=" + id() + ", cause=" + e.getMessage(), e);
    }
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
}

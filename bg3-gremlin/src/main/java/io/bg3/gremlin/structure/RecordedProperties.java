package io.bg3.gremlin.structure;

import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.record.PropertyCursor;
import io.bg3.core.record.PropertyRecord;
import io.bg3.core.record.VertexRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;

/**
 * The properties of a vertex with some keys, read from its record when this is made. Of a record
 * that was just read, only the properties that are asked for become objects, and of these only what
 * is asked for: values alone, or properties. Belongs to one thread.
 */
final class RecordedProperties {
  /** Says that several properties have a key. */
  private static final Object SEVERAL = new Object();

  private final Bg3Vertex vertex;
  private final GraphTransaction in;
  private final String[] keys;
  private final int code; // of the only key
  private final int[] codes; // null if there is one key, or none
  private final boolean valuesOnly;

  private Object first; // null if nothing was found
  private List<Object> all; // null unless there are several

  private RecordedProperties(
      Bg3Vertex vertex, GraphTransaction in, boolean valuesOnly, String... keys) {
    this.vertex = vertex;
    this.in = in;
    this.valuesOnly = valuesOnly;
    this.keys = keys;
    this.code = keys.length == 1 ? Bg3Element.keyCode(in, keys[0]) : 0;
    this.codes = keys.length > 1 ? new int[keys.length] : null;
    for (int i = 0; codes != null && i < keys.length; i++) {
      codes[i] = Bg3Element.keyCode(in, keys[i]);
    }
  }

  /**
   * The values of those properties whose keys are named, or of all if none is.
   *
   * @param record of the vertex, which this transaction has read; null if there is no vertex
   */
  @SuppressWarnings("unchecked") // the caller of Vertex.values chooses V
  static <V> Iterator<V> values(
      Bg3Vertex vertex, GraphTransaction in, VertexRecord record, String... keys) {
    return (Iterator<V>) read(vertex, in, record, true, keys);
  }

  /** The properties, of the keys that {@link #values} has. */
  @SuppressWarnings("unchecked") // the caller of Vertex.properties chooses V
  static <V> Iterator<VertexProperty<V>> properties(
      Bg3Vertex vertex, GraphTransaction in, VertexRecord record, String... keys) {
    return (Iterator<VertexProperty<V>>) read(vertex, in, record, false, keys);
  }

  private static Iterator<?> read(
      Bg3Vertex vertex,
      GraphTransaction in,
      VertexRecord record,
      boolean valuesOnly,
      String... keys) {
    PropertyCursor at = record == null ? null : record.cursor();
    if (at != null && keys.length == 1) {
      Object only = only(vertex, in, at, valuesOnly, keys[0]);
      if (only != SEVERAL) {
        return only == null ? Collections.emptyIterator() : IteratorUtils.of(only);
      }
      at = record.cursor();
    }
    if (record == null) {
      return Collections.emptyIterator();
    }
    RecordedProperties found = new RecordedProperties(vertex, in, valuesOnly, keys);
    if (at != null) {
      found.addFrom(at);
    } else {
      found.addFrom(record);
    }
    return found.iterator();
  }

  /** The only property with a key, as most are; null if there is none. */
  private static Object only(
      Bg3Vertex vertex, GraphTransaction in, PropertyCursor at, boolean valuesOnly, String key) {
    int code = Bg3Element.keyCode(in, key);
    Object only = null;
    while (at.next()) {
      if (at.key() == code) {
        if (only != null) {
          return SEVERAL;
        }
        Object value = in.value(vertex.vertex(), at);
        only =
            valuesOnly
                ? value
                : new Bg3VertexProperty<>(vertex, at.number(), at.userId(), key, value);
      }
    }
    return only;
  }

  private void addFrom(PropertyCursor at) {
    while (at.next()) {
      int key = at.key();
      if (isNamed(key)) {
        Object value = in.value(vertex.vertex(), at);
        add(valuesOnly ? value : property(at.number(), at.userId(), key, value));
      }
    }
  }

  private void addFrom(VertexRecord record) {
    List<PropertyRecord> sought = keys.length == 1 ? record.withKey(code) : record.properties();
    for (PropertyRecord property : sought) {
      int key = property.key();
      if (isNamed(key)) {
        Object value = in.value(vertex.vertex(), property);
        add(valuesOnly ? value : property(property.number(), property.userId(), key, value));
      }
    }
  }

  private boolean isNamed(int key) {
    if (codes == null) {
      return keys.length == 0 ? !Graph.Hidden.isHidden(vertex.keyText(key)) : key == code;
    }
    for (int named : codes) {
      if (key == named) {
        return true;
      }
    }
    return false;
  }

  private Object property(int number, Object userId, int key, Object value) {
    String text = codes == null && keys.length == 1 ? keys[0] : vertex.keyText(key);
    return new Bg3VertexProperty<>(vertex, number, userId, text, value);
  }

  private void add(Object found) {
    if (first == null) {
      first = found;
      return;
    }
    if (all == null) {
      all = new ArrayList<>();
      all.add(first);
    }
    all.add(found);
  }

  private Iterator<?> iterator() {
    if (all != null) {
      return all.iterator();
    }
    return first == null ? Collections.emptyIterator() : IteratorUtils.of(first);
  }
}

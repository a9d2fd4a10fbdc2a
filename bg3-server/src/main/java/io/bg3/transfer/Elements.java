package io.bg3.transfer;

import io.bg3.core.graph.Cardinality;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;

/** Converts TinkerPop's elements to the records of this package. */
public final class Elements {
  private Elements() {}

  /** Converts a vertex with its properties. */
  public static VertexData of(Vertex vertex) {
    List<PropertyData> properties = new ArrayList<>();
    Iterator<VertexProperty<Object>> found = vertex.properties();
    while (found.hasNext()) {
      VertexProperty<Object> property = found.next();
      properties.add(
          new PropertyData(
              property.key(),
              stored(property.value()),
              Cardinality.LIST,
              property.id(),
              properties(property.properties())));
    }
    return new VertexData(vertex.id(), vertex.label(), properties);
  }

  /** Converts an edge with its properties. */
  public static EdgeData of(Edge edge) {
    return new EdgeData(
        edge.id(),
        edge.label(),
        edge.outVertex().id(),
        edge.inVertex().id(),
        properties(edge.properties()));
  }

  private static Map<String, Object> properties(Iterator<? extends Property<Object>> found) {
    Map<String, Object> properties = new LinkedHashMap<>();
    while (found.hasNext()) {
      Property<Object> property = found.next();
      properties.put(property.key(), stored(property.value()));
    }
    return properties;
  }

  /** Converts a value of a foreign graph: byte buffers become arrays of bytes, at any depth. */
  private static Object stored(Object value) {
    if (value instanceof ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      return bytes;
    } else if (value instanceof List<?> list) {
      List<Object> stored = new ArrayList<>();
      list.forEach(element -> stored.add(stored(element)));
      return stored;
    } else if (value instanceof Set<?> set) {
      Set<Object> stored = new LinkedHashSet<>();
      set.forEach(element -> stored.add(stored(element)));
      return stored;
    } else if (value instanceof Map<?, ?> map) {
      Map<Object, Object> stored = new LinkedHashMap<>();
      map.forEach((key, element) -> stored.put(stored(key), stored(element)));
      return stored;
    }
    return value;
  }
}

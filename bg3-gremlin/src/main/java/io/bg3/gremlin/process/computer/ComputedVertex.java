package io.bg3.gremlin.process.computer;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.computer.GraphComputer;
import org.apache.tinkerpop.gremlin.process.computer.GraphFilter;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;

/**
 * A vertex of a {@link ComputedGraph}: computed values from the columns, everything else from the
 * vertex under it. A computed value hides stored ones with its key.
 */
final class ComputedVertex implements Vertex {
  private final ComputedGraph graph;
  private final int number;
  private Vertex under; // null until it is asked for
  private Set<Object> legalEdges; // their ids; null until they are asked for

  ComputedVertex(ComputedGraph graph, int number) {
    this.graph = graph;
    this.number = number;
  }

  int number() {
    return number;
  }

  long internal() {
    return graph.numbers().id(number);
  }

  private Vertex under() {
    if (under == null) {
      under = graph.under(number);
    }
    return under;
  }

  @Override
  public Object id() {
    return under().id();
  }

  @Override
  public String label() {
    return under().label();
  }

  @Override
  public ComputedGraph graph() {
    return graph;
  }

  // Properties

  @Override
  public <V> VertexProperty<V> property(String key) {
    Column column = graph.columns().get(key);
    if (column != null && column.has(number)) {
      return ComputedValues.only(this, key, column.get(number));
    }
    if (!graph.mayStore(key)) {
      return VertexProperty.empty();
    }
    if (graph.filter().hasVertexPropertyFilter()) {
      Iterator<VertexProperty<V>> found = properties(key);
      return found.hasNext() ? found.next() : VertexProperty.empty();
    }
    return under().property(key);
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as the interface has it
  public <V> V value(String key) {
    Column column = graph.columns().get(key);
    Object stored = column == null ? null : column.get(number);
    if (stored != null && ComputedValues.isPlain(stored)) {
      return (V) stored;
    }
    return this.<V>property(key)
        .orElseThrow(() -> Property.Exceptions.propertyDoesNotExist(this, key));
  }

  @Override
  public <V> Iterator<VertexProperty<V>> properties(String... keys) {
    List<VertexProperty<V>> found = new ArrayList<>();
    Set<String> computed = new HashSet<>();
    for (Map.Entry<String, Column> column : graph.columns().entrySet()) {
      String key = column.getKey();
      if (column.getValue().has(number) && ElementHelper.keyExists(key, keys)) {
        computed.add(key);
        found.addAll(ComputedValues.all(this, key, column.getValue().get(number)));
      }
    }
    Iterator<VertexProperty<V>> stored = stored(keys);
    while (stored.hasNext()) {
      VertexProperty<V> property = stored.next();
      if (!computed.contains(property.key()) && graph.mayStore(property.key())) {
        found.add(property);
      }
    }
    return found.iterator();
  }

  @SuppressWarnings("unchecked") // a filter of vertex properties gives those
  private <V> Iterator<VertexProperty<V>> stored(String... keys) {
    GraphFilter filter = graph.filter();
    if (!filter.hasVertexPropertyFilter()) {
      return under().properties(keys);
    }
    List<VertexProperty<V>> legal;
    synchronized (filter) { // a traversal serves one thread at a time
      legal =
          IteratorUtils.list((Iterator<VertexProperty<V>>) filter.legalVertexProperties(under()));
    }
    return IteratorUtils.filter(
        legal.iterator(), property -> ElementHelper.keyExists(property.key(), keys));
  }

  @Override
  public <V> VertexProperty<V> property(
      VertexProperty.Cardinality cardinality, String key, V value, Object... keyValues) {
    Column column = columnToChange(key);
    ElementHelper.legalPropertyKeyValueArray(keyValues);
    ElementHelper.validateProperty(key, value);
    if (value == null) {
      throw Property.Exceptions.dataTypeOfPropertyValueNotSupported(null);
    }
    return ComputedValues.add(this, column, cardinality, key, value, keyValues);
  }

  /** The column of a key that the program says it computes. */
  Column columnToChange(String key) {
    if (!graph.computes()) {
      throw Element.Exceptions.propertyAdditionNotSupported();
    }
    Column column = graph.columns().get(key);
    if (column == null) {
      throw GraphComputer.Exceptions.providedKeyIsNotAnElementComputeKey(key);
    }
    return column;
  }

  // Edges

  @Override
  public Iterator<Edge> edges(Direction direction, String... edgeLabels) {
    if (!graph.hasEdges()) {
      return Collections.emptyIterator();
    }
    Iterator<Edge> all = under().edges(direction, edgeLabels);
    if (graph.filter().hasEdgeFilter()) {
      Set<Object> legal = legalEdges();
      all = IteratorUtils.filter(all, edge -> legal.contains(edge.id()));
    }
    return ComputedEdge.seen(graph, all);
  }

  /** The ids of the edges that the filter of the computation lets this vertex see. */
  Set<Object> legalEdges() {
    if (legalEdges == null) {
      Set<Object> legal = new HashSet<>();
      synchronized (graph.filter()) { // a traversal serves one thread at a time
        graph.filter().legalEdges(under()).forEachRemaining(edge -> legal.add(edge.id()));
      }
      legalEdges = legal;
    }
    return legalEdges;
  }

  @Override
  public Iterator<Vertex> vertices(Direction direction, String... edgeLabels) {
    if (!graph.hasEdges()) {
      return Collections.emptyIterator();
    }
    if (!graph.filter().hasEdgeFilter()) {
      Iterator<Vertex> seen =
          IteratorUtils.map(under().vertices(direction, edgeLabels), graph::seen);
      return graph.computes()
          ? seen
          : IteratorUtils.filter(
              seen, vertex -> vertex instanceof ComputedVertex own && own.graph == graph);
    }
    return IteratorUtils.map(
        edges(direction, edgeLabels),
        edge ->
            switch (direction) {
              case OUT -> edge.inVertex();
              case IN -> edge.outVertex();
              case BOTH -> edge.outVertex().equals(this) ? edge.inVertex() : edge.outVertex();
            });
  }

  @Override
  public Edge addEdge(String label, Vertex inVertex, Object... keyValues) {
    throw Vertex.Exceptions.edgeAdditionsNotSupported();
  }

  @Override
  public void remove() {
    throw Vertex.Exceptions.vertexRemovalNotSupported();
  }

  @Override
  public int hashCode() {
    return ElementHelper.hashCode(this);
  }

  @Override
  @SuppressWarnings("EqualsWhichDoesntCheckParameterClass") // areEqual does
  public boolean equals(Object other) {
    boolean isOfSame =
        other instanceof ComputedVertex that && that.graph.numbers() == graph.numbers();
    return isOfSame
        ? ((ComputedVertex) other).number == number
        : ElementHelper.areEqual(this, other);
  }

  @Override
  public String toString() {
    return StringFactory.vertexString(this);
  }
}

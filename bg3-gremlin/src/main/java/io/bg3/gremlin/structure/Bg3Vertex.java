package io.bg3.gremlin.structure;

import io.bg3.core.graph.Cardinality;
import io.bg3.core.graph.EdgeDirection;
import io.bg3.core.graph.EdgeScan;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.record.PropertyId;
import io.bg3.core.record.PropertyRecord;
import io.bg3.core.record.ValueCodec;
import io.bg3.core.record.VertexId;
import io.bg3.core.record.VertexRecord;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/**
 * A vertex. Its neighbours are read without it: the record with label and properties is read when
 * it is first asked for, and kept for as long as the same transaction changes nothing.
 */
public final class Bg3Vertex extends Bg3Element implements Vertex {
  /** The record that was read, with the transaction and the number of its changes then. */
  private record Known(Object transaction, int changes, VertexRecord record) {}

  private final long vertex;
  private final Object id; // null if it is the number
  private Object numberShown; // null until the id is asked for
  private Known known;
  private String label;

  /**
   * The vertex with an internal id.
   *
   * @param id as the graph shows it; null if the internal id is the one that is shown
   */
  Bg3Vertex(Bg3Graph graph, long vertex, Object id) {
    super(graph);
    this.vertex = vertex;
    this.id = id;
  }

  /** The internal id. */
  long vertex() {
    return vertex;
  }

  /** Takes over a record that was just read in this transaction. */
  Bg3Vertex with(GraphTransaction transaction, VertexRecord record) {
    known = new Known(transaction.identity(), transaction.changes(), record);
    return this;
  }

  /** The record as this thread's transaction sees it, null if the vertex is not there. */
  VertexRecord record(GraphTransaction transaction) {
    Known last = known;
    int changes = transaction.changes();
    if (last == null || last.transaction != transaction.identity() || last.changes != changes) {
      last = new Known(transaction.identity(), changes, transaction.vertex(vertex));
      known = last;
    }
    return last.record;
  }

  @Override
  void forgetRecord() {
    known = null;
  }

  @Override
  public Object id() {
    if (id != null) {
      return id;
    }
    Object shown = numberShown;
    if (shown == null) {
      shown = graph().ids().shown(vertex);
      numberShown = shown;
    }
    return shown;
  }

  @Override
  public int hashCode() {
    return VertexId.isReserved(vertex) ? super.hashCode() : graph().ids().hashCode(vertex);
  }

  /** As the ids are equal, which no other vertex of the graph has if it is a number. */
  @Override
  @SuppressWarnings("EqualsWhichDoesntCheckParameterClass") // super does
  public boolean equals(Object other) {
    if (other instanceof Bg3Vertex that
        && that.graph() == graph()
        && !VertexId.isReserved(vertex)
        && !VertexId.isReserved(that.vertex)) {
      return vertex == that.vertex;
    }
    return super.equals(other);
  }

  /**
   * The first label. It is still known after the vertex is gone, if it was read before or this
   * transaction has removed the vertex.
   */
  @Override
  public String label() {
    if (label == null) {
      GraphTransaction transaction = transaction();
      VertexRecord record = record(transaction);
      if (record == null) {
        label = transaction.removedLabel(vertex);
        return label == null ? Vertex.DEFAULT_LABEL : label;
      }
      label = graph().store().graph().vertexLabel(record.label(0));
    }
    return label;
  }

  @Override
  public Edge addEdge(String label, Vertex inVertex, Object... keyValues) {
    if (inVertex == null) {
      throw Graph.Exceptions.argumentCanNotBeNull("vertex");
    }
    return Bg3Edge.add(this, label, inVertex, keyValues);
  }

  @Override
  public <V> VertexProperty<V> property(String key) {
    Iterator<VertexProperty<V>> found = properties(key);
    if (!found.hasNext()) {
      return VertexProperty.empty();
    }
    VertexProperty<V> property = found.next();
    if (found.hasNext()) {
      throw Vertex.Exceptions.multiplePropertiesExistForProvidedKey(key);
    }
    return property;
  }

  @Override
  public <V> VertexProperty<V> property(String key, V value) {
    return property(graph().features().vertex().getCardinality(key), key, value);
  }

  @Override
  public <V> VertexProperty<V> property(
      VertexProperty.Cardinality cardinality, String key, V value, Object... keyValues) {
    ElementHelper.legalPropertyKeyValueArray(keyValues);
    ElementHelper.validateProperty(key, value);
    Object id = ElementHelper.getIdValue(keyValues).orElse(null);
    if (id != null && !PropertyId.allows(id)) {
      throw VertexProperty.Exceptions.userSuppliedIdsOfThisTypeNotSupported();
    }
    VertexProperty.Cardinality chosen =
        cardinality == null ? graph().features().vertex().getCardinality(key) : cardinality;
    GraphTransaction transaction = transaction();
    if (value == null) { // nulls are not stored: in single cardinality one stands for nothing
      if (chosen == VertexProperty.Cardinality.single) {
        properties(key).forEachRemaining(Property::remove);
      }
      return VertexProperty.empty();
    }
    requireStorable(keyValues);
    int number = change(value, () -> transaction.setProperty(vertex, kept(chosen), key, value, id));
    Object userId = record(transaction).property(number).userId();
    VertexProperty<V> property = new Bg3VertexProperty<>(this, number, userId, key, value);
    ElementHelper.attachProperties(property, keyValues);
    return property;
  }

  /** Throws before anything is changed if a meta-property cannot be stored. */
  private void requireStorable(Object... keyValues) {
    for (int i = 0; i < keyValues.length; i += 2) {
      if (keyValues[i] instanceof String metaKey) {
        Object value = keyValues[i + 1];
        ElementHelper.validateProperty(metaKey, value);
        change(value, () -> value == null ? null : ValueCodec.encode(value));
      }
    }
  }

  private static Cardinality kept(VertexProperty.Cardinality cardinality) {
    return switch (cardinality) {
      case single -> Cardinality.SINGLE;
      case list -> Cardinality.LIST;
      case set -> Cardinality.SET;
    };
  }

  @Override
  public Set<String> keys() {
    Set<String> keys = new LinkedHashSet<>();
    VertexRecord record = record(transaction());
    if (record != null) {
      for (PropertyRecord property : record.properties()) {
        keys.add(keyText(property.key()));
      }
    }
    return keys;
  }

  @Override
  public <V> Iterator<VertexProperty<V>> properties(String... keys) {
    GraphTransaction transaction = transaction();
    return RecordedProperties.properties(this, transaction, record(transaction), keys);
  }

  /** The values of properties, without an object for each property. */
  @Override
  public <V> Iterator<V> values(String... keys) {
    GraphTransaction transaction = transaction();
    return RecordedProperties.values(this, transaction, record(transaction), keys);
  }

  @Override
  public Iterator<Edge> edges(Direction direction, String... edgeLabels) {
    OpenTransaction transaction = graph().transaction();
    EdgeScan scan = transaction.graph().edges(vertex, directionOf(direction), true, edgeLabels);
    return new EdgeIterator(graph(), transaction, scan, edge -> true);
  }

  /**
   * Removes the edges that {@link #edges} gives. An interrupt or another exception leaves some of
   * them removed.
   */
  void removeEdges(Direction direction, String... edgeLabels) {
    transaction().removeEdges(vertex, directionOf(direction), Interrupts::check, edgeLabels);
  }

  @Override
  public Iterator<Vertex> vertices(Direction direction, String... edgeLabels) {
    OpenTransaction transaction = graph().transaction();
    EdgeScan scan = transaction.graph().edges(vertex, directionOf(direction), false, edgeLabels);
    return new NeighbourIterator(
        transaction, scan, neighbour -> graph().vertex(transaction.graph(), neighbour));
  }

  /** The direction as the store names it. */
  static EdgeDirection directionOf(Direction direction) {
    return switch (direction) {
      case OUT -> EdgeDirection.OUT;
      case IN -> EdgeDirection.IN;
      case BOTH -> EdgeDirection.BOTH;
    };
  }

  /**
   * Removes the vertex with its edges; does nothing if it is gone already. An interrupt ends it;
   * the transaction can only be rolled back then, if some edges were removed.
   */
  @Override
  public void remove() {
    GraphTransaction transaction = transaction();
    transaction.removeVertexIfPresent(vertex, seenIn(transaction), Interrupts::check);
  }

  /** The record that a transaction has read last, null if it has read none. */
  private VertexRecord seenIn(GraphTransaction transaction) {
    Known last = known;
    return last != null && last.transaction == transaction.identity() ? last.record : null;
  }

  /** Removes vertices of a graph, as {@link #remove} does one after the other. */
  static void removeAll(Bg3Graph graph, List<Vertex> vertices) {
    if (vertices.size() < 2
        || !vertices.stream().allMatch(v -> v instanceof Bg3Vertex own && own.graph() == graph)) {
      vertices.forEach(Vertex::remove);
      return;
    }
    GraphTransaction transaction = graph.transaction().graph();
    long[] group = new long[vertices.size()];
    VertexRecord[] seen = new VertexRecord[group.length];
    for (int i = 0; i < group.length; i++) {
      Bg3Vertex own = (Bg3Vertex) vertices.get(i);
      group[i] = own.vertex;
      seen[i] = own.seenIn(transaction);
    }
    transaction.removeVertices(group, seen, Interrupts::check);
  }

  @Override
  public String toString() {
    return StringFactory.vertexString(this);
  }

  /** Adds a vertex as {@link Graph#addVertex(Object...)} has it. */
  static Bg3Vertex add(Bg3Graph graph, Object... keyValues) {
    ElementHelper.legalPropertyKeyValueArray(keyValues);
    Optional<Object> given = ElementHelper.getIdValue(keyValues);
    if (given.isPresent() && !graph.features().vertex().willAllowId(given.get())) {
      throw Vertex.Exceptions.userSuppliedIdsOfThisTypeNotSupported();
    }
    String label = ElementHelper.getLabelValue(keyValues).orElse(Vertex.DEFAULT_LABEL);
    ElementHelper.validateLabel(label);
    GraphTransaction transaction = graph.transaction().graph();
    Object id = given.orElse(null);
    if (id != null && transaction.findVertex(id) != null) {
      throw Graph.Exceptions.vertexWithIdAlreadyExists(id);
    }
    long vertex = transaction.addVertex(id, label);
    Bg3Vertex added = graph.vertex(transaction, vertex);
    added.label = label;
    try {
      ElementHelper.attachProperties(added, VertexProperty.Cardinality.list, keyValues);
    } catch (RuntimeException e) {
      transaction.removeVertex(vertex); // all of it or nothing, also for a caller that catches this
      throw e;
    }
    return added;
  }
}

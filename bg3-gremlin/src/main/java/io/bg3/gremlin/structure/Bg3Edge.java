package io.bg3.gremlin.structure;

import io.bg3.core.graph.EdgeLabel;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.PropertyCell;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;

/**
 * An edge. Its id is the one that the user gave, else the text of its {@link EdgeId}. Ends and
 * label are part of what it is; properties are read when they are first asked for.
 */
public final class Bg3Edge extends Bg3Element implements Edge {
  /** The record that was read, with the transaction and the number of its changes then. */
  private record Known(Object transaction, int changes, EdgeRecord record) {}

  private final EdgeId edge;
  private Object userId; // null if the user gave none
  private String text; // of the edge's own id, once it is asked for
  private Object seenIn; // the identity of a transaction that has read the edge, null if none
  private int seenAt; // the number of its changes when the edge was there; -1 if not known
  private Known known;

  /** An edge whose user's id is known, or which has none. */
  Bg3Edge(Bg3Graph graph, EdgeId edge, Object userId) {
    super(graph);
    this.edge = edge;
    this.userId = userId;
  }

  /** Takes note that this transaction has read that the edge exists, and the user's id. */
  Bg3Edge seenIn(GraphTransaction transaction) {
    seenIn = transaction.identity();
    seenAt = transaction.changes();
    return this;
  }

  /** Takes note that this transaction has read the edge, and may have removed it since. */
  Bg3Edge onceSeenIn(GraphTransaction transaction) {
    seenIn = transaction.identity();
    seenAt = -1;
    return this;
  }

  /** Whether this transaction has removed the edge. */
  private boolean isRemoved(GraphTransaction transaction) {
    int changes = transaction.changes();
    boolean isThere = changes == 0 || (changes == seenAt && transaction.identity() == seenIn);
    return !isThere && transaction.removesEdge(edge);
  }

  /** Takes over a record that was just read in this transaction. */
  Bg3Edge with(GraphTransaction transaction, EdgeRecord record) {
    known = new Known(transaction.identity(), transaction.changes(), record);
    if (record.userId() != null) {
      userId = record.userId();
    }
    return seenIn(transaction);
  }

  private EdgeRecord record(GraphTransaction transaction) {
    Known last = known;
    int changes = transaction.changes();
    if (last == null || last.transaction != transaction.identity() || last.changes != changes) {
      last = new Known(transaction.identity(), changes, transaction.edge(edge));
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
    if (userId != null) {
      return userId;
    }
    if (text == null) {
      text = edge.text();
    }
    return text;
  }

  @Override
  public String label() {
    return graph().store().graph().edgeLabel(edge.label());
  }

  @Override
  public Vertex outVertex() {
    return outVertex(transaction());
  }

  private Vertex outVertex(GraphTransaction transaction) {
    return graph().vertex(transaction, edge.source());
  }

  @Override
  public Vertex inVertex() {
    return inVertex(transaction());
  }

  private Vertex inVertex(GraphTransaction transaction) {
    return graph().vertex(transaction, edge.target());
  }

  /** Whether the edge is there now. */
  boolean exists() {
    return transaction().edgeExists(edge);
  }

  /** The internal ids of the ends, whether these are there or not. */
  LongStream ends(Direction direction) {
    return switch (direction) {
      case OUT -> LongStream.of(edge.source());
      case IN -> LongStream.of(edge.target());
      case BOTH -> LongStream.of(edge.source(), edge.target());
    };
  }

  /**
   * The ends, without those of a loose edge that are not there; none once this transaction has
   * removed the edge.
   */
  @Override
  public Iterator<Vertex> vertices(Direction direction) {
    GraphTransaction transaction = transaction();
    if (isRemoved(transaction)) {
      return Collections.emptyIterator();
    }
    Iterator<Vertex> ends =
        switch (direction) {
          case OUT -> IteratorUtils.of(outVertex(transaction));
          case IN -> IteratorUtils.of(inVertex(transaction));
          case BOTH -> IteratorUtils.of(outVertex(transaction), inVertex(transaction));
        };
    EdgeLabel declared = graph().store().graph().declaredEdgeLabel(edge.label());
    if (declared == null || !declared.form().loose()) {
      return ends;
    }
    return IteratorUtils.filter(ends, end -> transaction.vertexExists(((Bg3Vertex) end).vertex()));
  }

  @Override
  public <V> Property<V> property(String key) {
    Iterator<Property<V>> found = properties(key);
    return found.hasNext() ? found.next() : Property.empty();
  }

  @Override
  public <V> Property<V> property(String key, V value) {
    ElementHelper.validateProperty(key, value);
    GraphTransaction transaction = transaction();
    if (value == null) { // nulls are not stored: one stands for nothing
      transaction.removeEdgeProperty(edge, key);
      return Property.empty();
    }
    change(
        value,
        () -> {
          transaction.setEdgeProperty(edge, key, value);
          return null;
        });
    return property(key, value, edge);
  }

  private <V> Property<V> property(String key, V value, EdgeId of) {
    return new Bg3Property<>(this, key, value, () -> transaction().removeEdgeProperty(of, key));
  }

  @Override
  public Set<String> keys() {
    Set<String> keys = new LinkedHashSet<>();
    EdgeRecord record = record(transaction());
    if (record != null) {
      for (PropertyCell property : record.properties()) {
        keys.add(keyText(property.key()));
      }
    }
    return keys;
  }

  @Override
  @SuppressWarnings("unchecked") // the caller chooses V, as the interface has it
  public <V> Iterator<Property<V>> properties(String... keys) {
    GraphTransaction transaction = transaction();
    EdgeRecord record = record(transaction);
    List<Property<V>> found = new ArrayList<>();
    if (record != null && keys.length == 1) {
      PropertyCell property = record.property(keyCode(transaction, keys[0]));
      if (property != null) {
        found.add(property(keys[0], (V) record.value(property), edge));
      }
    } else if (record != null) {
      for (PropertyCell property : record.properties()) {
        String key = keyText(property.key());
        if (ElementHelper.keyExists(key, keys)) {
          found.add(property(key, (V) record.value(property), edge));
        }
      }
    }
    return found.iterator();
  }

  /** The values of properties, without an object for each property where one key is named. */
  @Override
  @SuppressWarnings("unchecked") // the caller chooses V, as the interface has it
  public <V> Iterator<V> values(String... keys) {
    if (keys.length != 1) {
      return Edge.super.values(keys);
    }
    GraphTransaction transaction = transaction();
    EdgeRecord record = record(transaction);
    PropertyCell property = record == null ? null : record.property(keyCode(transaction, keys[0]));
    return property == null
        ? Collections.emptyIterator()
        : IteratorUtils.of((V) record.value(property));
  }

  /** Removes the edge; does nothing if it is gone already. */
  @Override
  public void remove() {
    GraphTransaction transaction = transaction();
    if (seenIn == transaction.identity()) {
      transaction.removeSeenEdge(edge, userId);
    } else {
      transaction.removeEdgeIfPresent(edge);
    }
  }

  @Override
  public String toString() {
    return StringFactory.edgeString(this);
  }

  /** Adds an edge as {@link Vertex#addEdge} has it. */
  static Bg3Edge add(Bg3Vertex source, String label, Vertex target, Object... keyValues) {
    ElementHelper.validateLabel(label);
    ElementHelper.legalPropertyKeyValueArray(keyValues);
    Bg3Graph graph = source.graph();
    Optional<Object> given = ElementHelper.getIdValue(keyValues);
    if (given.isPresent() && !Bg3Features.allowsEdgeId(given.get())) {
      throw Edge.Exceptions.userSuppliedIdsOfThisTypeNotSupported();
    }
    Object userId = given.orElse(null);
    GraphTransaction transaction = graph.transaction().graph();
    if (userId != null && transaction.findEdge(userId) != null) {
      throw Graph.Exceptions.edgeWithIdAlreadyExists(userId);
    }
    Map<String, Object> properties = properties(keyValues);
    long end = graph.internal(transaction, target);
    EdgeId edge =
        source.change(
            properties, () -> transaction.addEdge(source.vertex(), label, end, userId, properties));
    return new Bg3Edge(graph, edge, userId);
  }

  private static Map<String, Object> properties(Object... keyValues) {
    Map<String, Object> properties = new LinkedHashMap<>();
    for (int i = 0; i < keyValues.length; i += 2) {
      if (keyValues[i] instanceof T) {
        continue;
      }
      String key = (String) keyValues[i];
      Object value = keyValues[i + 1];
      ElementHelper.validateProperty(key, value);
      if (value == null) {
        properties.remove(key);
      } else {
        properties.put(key, value);
      }
    }
    return properties;
  }
}

package io.bg3.gremlin.process.computer;

import java.util.Iterator;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;

/** An edge of a {@link ComputedGraph}: the edge under it, between vertices of this graph. */
final class ComputedEdge implements Edge {
  private final ComputedGraph graph;
  private final Edge under;

  ComputedEdge(ComputedGraph graph, Edge under) {
    this.graph = graph;
    this.under = under;
  }

  /** Edges as a graph shows them, instead of those that lie under it. */
  static Iterator<Edge> seen(ComputedGraph graph, Iterator<Edge> under) {
    Iterator<Edge> all = IteratorUtils.map(under, edge -> new ComputedEdge(graph, edge));
    return graph.computes()
        ? all
        : IteratorUtils.filter(all, edge -> ((ComputedEdge) edge).isSeen());
  }

  /** Whether the graph of a result shows it: it has both ends, and its source sees the edge. */
  private boolean isSeen() {
    int source = graph.number(under.outVertex());
    return source >= 0
        && graph.number(under.inVertex()) >= 0
        && (!graph.filter().hasEdgeFilter()
            || graph.vertex(source).legalEdges().contains(under.id()));
  }

  @Override
  public Object id() {
    return under.id();
  }

  @Override
  public String label() {
    return under.label();
  }

  @Override
  public ComputedGraph graph() {
    return graph;
  }

  @Override
  public Vertex outVertex() {
    return graph.seen(under.outVertex());
  }

  @Override
  public Vertex inVertex() {
    return graph.seen(under.inVertex());
  }

  @Override
  public Iterator<Vertex> vertices(Direction direction) {
    return switch (direction) {
      case OUT -> IteratorUtils.of(outVertex());
      case IN -> IteratorUtils.of(inVertex());
      case BOTH -> IteratorUtils.of(outVertex(), inVertex());
    };
  }

  @Override
  public <V> Iterator<Property<V>> properties(String... keys) {
    return IteratorUtils.map(
        under.<V>properties(keys),
        property -> new ComputedProperty<>(this, property.key(), property.value()));
  }

  @Override
  public <V> Property<V> property(String key, V value) {
    throw Element.Exceptions.propertyAdditionNotSupported();
  }

  @Override
  public void remove() {
    throw Edge.Exceptions.edgeRemovalNotSupported();
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
    return StringFactory.edgeString(this);
  }
}

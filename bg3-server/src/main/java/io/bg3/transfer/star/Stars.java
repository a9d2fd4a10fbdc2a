package io.bg3.transfer.star;

import io.bg3.transfer.EdgeData;
import io.bg3.transfer.PropertyData;
import io.bg3.transfer.StarData;
import io.bg3.transfer.VertexData;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.star.StarGraph;

/** Converts vertices with their edges from and to TinkerPop's star graphs. */
final class Stars {
  private Stars() {}

  static Vertex star(StarData data) {
    StarGraph graph = StarGraph.build().internStrings(false).create();
    VertexData vertex = data.vertex();
    Vertex star = graph.addVertex(T.id, vertex.id(), T.label, vertex.label());
    for (PropertyData property : vertex.properties()) {
      VertexProperty<Object> added =
          star.property(
              VertexProperty.Cardinality.list,
              property.key(),
              property.value(),
              T.id,
              property.id());
      property.metas().forEach(added::property);
    }
    for (EdgeData edge : data.out()) { // the first list has added loops in both directions
      Vertex other = edge.to().equals(vertex.id()) ? star : graph.addVertex(T.id, edge.to());
      attach(star.addEdge(edge.label(), other, T.id, edge.id()), edge);
    }
    for (EdgeData edge : data.in()) {
      if (!edge.from().equals(vertex.id())) {
        Vertex other = graph.addVertex(T.id, edge.from());
        attach(other.addEdge(edge.label(), star, T.id, edge.id()), edge);
      }
    }
    return star;
  }

  private static void attach(Edge added, EdgeData edge) {
    edge.properties().forEach(added::property);
  }
}

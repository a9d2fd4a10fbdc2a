package io.bg3.bench.gremlin;

import io.bg3.transfer.EdgeData;
import io.bg3.transfer.FilePosition;
import io.bg3.transfer.GraphTarget;
import io.bg3.transfer.PropertyData;
import io.bg3.transfer.VertexData;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/**
 * Adds the rows that BG3's loader has read to TinkerGraph, by its structure API: TinkerPop reads no
 * CSV.
 *
 * <p>Threads: belongs to one.
 */
final class RowsOfTinkerGraph implements GraphTarget {
  private final Graph graph;
  private final Map<Object, Vertex> byId = new HashMap<>();
  private long edges;

  RowsOfTinkerGraph(Graph graph) {
    this.graph = graph;
  }

  @Override
  public void add(VertexData vertex, FilePosition place) {
    List<Object> values = new ArrayList<>();
    values.addAll(List.of(T.id, Long.valueOf(vertex.id().toString()), T.label, vertex.label()));
    for (PropertyData property : vertex.properties()) {
      values.addAll(List.of(property.key(), property.value()));
    }
    byId.put(vertex.id(), graph.addVertex(values.toArray()));
  }

  @Override
  public void add(EdgeData edge, FilePosition place) {
    List<Object> values = new ArrayList<>();
    edge.properties().forEach((key, value) -> values.addAll(List.of(key, value)));
    byId.get(edge.from()).addEdge(edge.label(), byId.get(edge.to()), values.toArray());
    edges++;
  }

  @Override
  public void commit() {
    // TinkerGraph has no transactions
  }

  @Override
  public long vertices() {
    return byId.size();
  }

  @Override
  public long edges() {
    return edges;
  }

  @Override
  public long renamed() {
    return 0;
  }

  @Override
  public long propertyIds() {
    return 0;
  }

  @Override
  public void close() {
    // the graph goes with the process
  }
}

package io.bg3.transfer;

import io.bg3.core.graph.Cardinality;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.PropertyId;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** Loads rows into an open store. */
public final class StoreTarget implements GraphTarget {
  private final GraphStore graph;
  private final int batch;
  private final boolean keepsPropertyIds;
  private final BadRowListener badRows;
  private GraphTransaction transaction;
  private FilePosition last;
  private FilePosition lastCommitted;
  private int pendingVertices;
  private int pendingEdges;
  private int pendingRenamed;
  private int pendingPropertyIds;
  private long vertices;
  private long edges;
  private long renamed;
  private long propertyIds;

  /**
   * Creates a target that adds {@code batch} rows to {@code graph} in each transaction.
   *
   * @param keepsPropertyIds whether properties keep the ids of the file
   */
  public StoreTarget(
      GraphStore graph, int batch, boolean keepsPropertyIds, BadRowListener badRows) {
    this.graph = graph;
    this.batch = batch;
    this.keepsPropertyIds = keepsPropertyIds;
    this.badRows = badRows;
  }

  @Override
  public long vertices() {
    return vertices;
  }

  @Override
  public long edges() {
    return edges;
  }

  @Override
  public Optional<FilePosition> lastCommitted() {
    return Optional.ofNullable(lastCommitted);
  }

  @Override
  public long renamed() {
    return renamed;
  }

  @Override
  public long propertyIds() {
    return propertyIds;
  }

  @Override
  public void add(VertexData vertex, FilePosition place) throws IOException {
    begin();
    try {
      add(vertex);
    } catch (IllegalArgumentException e) {
      badRows.report(new BadRow(place, e.getMessage()));
      return;
    }
    last = place;
    pendingVertices++;
    commitBatch();
  }

  @Override
  public void add(EdgeData edge, FilePosition place) throws IOException {
    begin();
    try {
      add(edge);
    } catch (IllegalArgumentException e) {
      badRows.report(new BadRow(place, e.getMessage()));
      return;
    }
    last = place;
    pendingEdges++;
    commitBatch();
  }

  private void begin() {
    if (transaction == null) {
      transaction = graph.begin();
    }
  }

  private void commitBatch() {
    if (pendingVertices + pendingEdges >= batch) {
      commit();
    }
  }

  @Override
  public void commit() {
    if (transaction != null) {
      transaction.commit();
      transaction = null;
      lastCommitted = last;
      vertices += pendingVertices;
      edges += pendingEdges;
      renamed += pendingRenamed;
      pendingVertices = 0;
      pendingEdges = 0;
      propertyIds += pendingPropertyIds;
      pendingRenamed = 0;
      pendingPropertyIds = 0;
    }
  }

  @Override
  public void close() {
    if (transaction != null) {
      transaction.rollback();
      transaction = null;
    }
  }

  private void add(VertexData data) {
    long vertex = transaction.addVertex(data.id(), data.labels().toArray(String[]::new));
    try {
      for (PropertyData property : data.properties()) {
        add(vertex, property);
      }
    } catch (IllegalArgumentException e) {
      transaction.removeVertex(vertex); // B2
      throw e;
    }
  }

  private void add(long vertex, PropertyData property) {
    Cardinality cardinality = property.cardinality();
    boolean hasId = property.id() != null && !GeneratedIds.isOfProperty(property.id());
    Object id = hasId && keepsPropertyIds ? property.id() : null;
    int number = transaction.setProperty(vertex, cardinality, property.key(), property.value(), id);
    if (hasId && id == null) {
      pendingPropertyIds++;
    }
    for (Map.Entry<String, Object> meta : property.metas().entrySet()) {
      transaction.setMeta(new PropertyId(vertex, number), meta.getKey(), meta.getValue());
    }
  }

  private void add(EdgeData data) {
    long from = vertex("from", data.from());
    long to = vertex("to", data.to());
    boolean isMadeUp = GeneratedIds.isOfEdge(data.id());
    EdgeId edge =
        transaction.addEdge(from, data.label(), to, isMadeUp ? null : data.id(), data.properties());
    if (isMadeUp && !edge.text().equals(data.id())) {
      pendingRenamed++;
    }
  }

  private long vertex(String end, Object id) {
    Long vertex = transaction.findVertex(id);
    if (vertex == null) {
      throw new IllegalArgumentException("no such vertex: " + end + "=" + id);
    }
    return vertex;
  }
}

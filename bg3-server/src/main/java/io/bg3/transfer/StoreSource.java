package io.bg3.transfer;

import io.bg3.core.graph.Cardinality;
import io.bg3.core.graph.EdgeDirection;
import io.bg3.core.graph.EdgeScan;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.VertexScan;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.PropertyCell;
import io.bg3.core.record.PropertyId;
import io.bg3.core.record.PropertyRecord;
import io.bg3.core.record.VertexRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the graph of an open store at one snapshot. */
public final class StoreSource implements GraphSource {
  private final GraphStore store;
  private final GraphTransaction transaction;
  private final Losses losses;

  /**
   * Opens a snapshot of the store.
   *
   * @param losses counts the edges with an end that does not exist, which no format can hold
   */
  public StoreSource(GraphStore store, Losses losses) {
    this.store = store;
    this.transaction = store.beginReadOnly();
    this.losses = losses;
  }

  @Override
  public long vertexCount() {
    return transaction.vertexCount();
  }

  @Override
  public long edgeCount() {
    return transaction.edgeCount();
  }

  @Override
  public void vertices(Visitor<VertexData> visitor) throws IOException {
    try (VertexScan scan = transaction.vertices()) {
      while (scan.next()) {
        visitor.visit(vertex(scan.vertex(), scan.record()));
      }
    }
  }

  @Override
  public void edges(Visitor<EdgeData> visitor) throws IOException {
    try (EdgeScan scan = transaction.edges(true)) {
      while (scan.next()) {
        if (hasEnds(scan)) {
          visitor.visit(edge(scan, scan.record()));
        }
      }
    }
  }

  /** Whether both ends of the current edge exist. The ends of a loose edge may not exist. */
  private boolean hasEnds(EdgeScan scan) throws LossException {
    if (!scan.isLoose()
        || (transaction.vertexExists(scan.owner()) && transaction.vertexExists(scan.other()))) {
      return true;
    }
    losses.meet("formats hold only edges between existing vertices: edge=" + scan.edge());
    return false;
  }

  @Override
  public void stars(Visitor<StarData> visitor) throws IOException {
    try (VertexScan scan = transaction.vertices()) {
      while (scan.next()) {
        long vertex = scan.vertex();
        List<EdgeData> in = edges(vertex, EdgeDirection.IN);
        List<EdgeData> out = edges(vertex, EdgeDirection.OUT);
        visitor.visit(new StarData(vertex(vertex, scan.record()), in, out));
      }
    }
    if (store.declaredEdgeLabels().stream().anyMatch(label -> label.form().loose())) {
      edgesOutOfNothing();
    }
  }

  /** Records the edges that belong to no star because their source vertex does not exist. */
  private void edgesOutOfNothing() throws LossException {
    try (EdgeScan scan = transaction.edges(false)) {
      while (scan.next()) {
        if (scan.isLoose() && !transaction.vertexExists(scan.owner())) {
          losses.meet("formats hold only edges between existing vertices: edge=" + scan.edge());
        }
      }
    }
  }

  private List<EdgeData> edges(long vertex, EdgeDirection way) throws LossException {
    List<EdgeData> edges = new ArrayList<>();
    try (EdgeScan scan = transaction.edges(vertex, way, true)) {
      while (scan.next()) { // the entry under the target does not have the properties
        if (hasEnds(scan)) {
          edges.add(edge(scan, scan.isOut() ? scan.record() : transaction.edge(scan.edge())));
        }
      }
    }
    return edges;
  }

  private VertexData vertex(long vertex, VertexRecord record) throws LossException {
    Object id = transaction.vertexId(vertex);
    List<PropertyData> properties = new ArrayList<>();
    for (PropertyRecord property : record.properties()) {
      properties.add(
          new PropertyData(
              store.propertyKey(property.key()),
              transaction.value(vertex, property),
              Cardinality.LIST,
              property.userId() == null
                  ? new PropertyId(vertex, property.number()).text()
                  : property.userId(),
              metas(vertex, property)));
    }
    List<String> labels = new ArrayList<>();
    for (int i = 0; i < record.labelCount(); i++) {
      labels.add(store.vertexLabel(record.label(i)));
    }
    return new VertexData(id, labels, properties);
  }

  private Map<String, Object> metas(long vertex, PropertyRecord property) {
    Map<String, Object> metas = new LinkedHashMap<>();
    PropertyId id = new PropertyId(vertex, property.number());
    for (PropertyCell meta : property.metas()) {
      metas.put(store.propertyKey(meta.key()), transaction.metaValue(id, meta));
    }
    return metas;
  }

  private EdgeData edge(EdgeScan scan, EdgeRecord record) {
    Map<String, Object> properties = new LinkedHashMap<>();
    for (PropertyCell property : record.properties()) {
      properties.put(store.propertyKey(property.key()), record.value(property));
    }
    Object owner = transaction.vertexId(scan.owner());
    Object other = transaction.vertexId(scan.other());
    return new EdgeData(
        record.userId() == null ? scan.edge().text() : record.userId(),
        store.edgeLabel(scan.label()),
        scan.isOut() ? owner : other,
        scan.isOut() ? other : owner,
        properties);
  }

  @Override
  public void close() {
    transaction.rollback();
  }
}

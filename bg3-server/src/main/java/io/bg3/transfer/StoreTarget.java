package io.bg3.transfer;

import io.bg3.core.graph.Cardinality;
import io.bg3.core.graph.DuplicateValueException;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.SchemaViolationException;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.PropertyId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Loads rows into an open store. If a commit is refused because of a row that breaks a schema or a
 * unique index, the target commits the halves of the batch, and their halves, until it has found
 * the bad rows.
 */
public final class StoreTarget implements GraphTarget {
  private final GraphStore graph;
  private final int batch;
  private final boolean keepsPropertyIds;
  private final BadRowListener badRows;
  private final List<Row> pending = new ArrayList<>();
  private GraphTransaction transaction;
  private FilePosition lastCommitted;
  private int pendingRenamed; // of the rows that are pending
  private int pendingPropertyIds;
  private long vertices;
  private long edges;
  private long renamed;
  private long propertyIds;

  /** A row of the open transaction: a vertex, or else an edge. */
  private record Row(VertexData vertex, EdgeData edge, FilePosition place) {}

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
    add(new Row(vertex, null, place));
    commitBatch();
  }

  @Override
  public void add(EdgeData edge, FilePosition place) throws IOException {
    add(new Row(null, edge, place));
    commitBatch();
  }

  private void add(Row row) throws IOException {
    if (transaction == null) {
      transaction = graph.begin();
    }
    try {
      if (row.edge == null) {
        add(row.vertex);
      } else {
        add(row.edge);
      }
    } catch (IllegalArgumentException e) {
      badRows.report(new BadRow(row.place, e.getMessage()));
      return;
    }
    pending.add(row);
  }

  private void commitBatch() throws IOException {
    if (pending.size() >= batch) {
      commit();
    }
  }

  @Override
  public void commit() throws IOException {
    if (transaction == null) {
      return;
    }
    List<Row> rows = List.copyOf(pending);
    try {
      transaction.commit();
    } catch (SchemaViolationException | DuplicateValueException e) {
      close();
      commitParts(rows, e);
      return;
    }
    count(rows);
    transaction = null;
    forgetPending();
  }

  /**
   * Commits what was refused as a whole, in their order.
   *
   * @param refusal the reason, which is that of the row if there is one alone
   */
  private void commitParts(List<Row> rows, IllegalArgumentException refusal) throws IOException {
    if (rows.isEmpty()) {
      throw refusal;
    }
    if (rows.size() == 1) {
      badRows.report(new BadRow(rows.get(0).place, refusal.getMessage()));
      return;
    }
    int middle = rows.size() / 2;
    for (List<Row> half : List.of(rows.subList(0, middle), rows.subList(middle, rows.size()))) {
      for (Row row : half) {
        add(row);
      }
      commit();
    }
  }

  private void count(List<Row> rows) {
    for (Row row : rows) {
      if (row.edge == null) {
        vertices++;
      } else {
        edges++;
      }
      lastCommitted = row.place;
    }
    renamed += pendingRenamed;
    propertyIds += pendingPropertyIds;
  }

  private void forgetPending() {
    pending.clear();
    pendingRenamed = 0;
    pendingPropertyIds = 0;
  }

  @Override
  public void close() {
    if (transaction != null) {
      transaction.rollback();
      transaction = null;
      forgetPending();
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

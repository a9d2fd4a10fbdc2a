package io.bg3.load;

import io.bg3.core.graph.Cardinality;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns rows into vertices and edges and commits them in batches. Rows that were added since the
 * last {@link #commit} count only after the next. One thread.
 */
final class GraphWriter implements AutoCloseable {
  private static final String VERTEX = "vertex";
  private static final String EDGE = "edge";

  private final GraphStore graph;
  private final int batch;
  private GraphTransaction transaction;
  private int pendingVertices;
  private int pendingEdges;
  private long vertices;
  private long edges;

  GraphWriter(GraphStore graph, int batch) {
    this.graph = graph;
    this.batch = batch;
  }

  long vertices() {
    return vertices;
  }

  long edges() {
    return edges;
  }

  /**
   * Adds a row, and commits if that makes a batch.
   *
   * @throws BadRowException if the row does not fit; nothing of it is added
   */
  void add(Header header, List<String> row) throws BadRowException {
    if (transaction == null) {
      transaction = graph.begin();
    }
    List<List<Object>> values = values(header, row); // all of them, before anything is written
    try {
      if (header.isEdges()) {
        addEdge(header, row, values);
        pendingEdges++;
      } else {
        addVertex(header, row, values);
        pendingVertices++;
      }
    } catch (IllegalArgumentException e) {
      throw new BadRowException(e.getMessage(), e);
    }
    if (pendingVertices + pendingEdges >= batch) {
      commit();
    }
  }

  void commit() {
    if (transaction != null) {
      transaction.commit();
      transaction = null;
      vertices += pendingVertices;
      edges += pendingEdges;
      pendingVertices = 0;
      pendingEdges = 0;
    }
  }

  /** Drops what was not committed. */
  @Override
  public void close() {
    if (transaction != null) {
      transaction.rollback();
      transaction = null;
    }
  }

  private void addVertex(Header header, List<String> row, List<List<Object>> values)
      throws BadRowException {
    String id = header.cell(Column.Role.ID, row);
    if (id.isEmpty()) {
      throw new BadRowException("empty: column=~id");
    }
    long vertex = transaction.addVertex(id, label(header, row, VERTEX));
    try {
      for (int i = 0; i < values.size(); i++) {
        Column column = header.columns().get(i);
        for (Object value : values.get(i)) {
          Cardinality cardinality = column.set() ? Cardinality.SET : Cardinality.SINGLE;
          transaction.setProperty(vertex, cardinality, column.name(), value, null);
        }
      }
    } catch (IllegalArgumentException e) {
      transaction.removeVertex(vertex); // B2
      throw e;
    }
  }

  private void addEdge(Header header, List<String> row, List<List<Object>> values)
      throws BadRowException {
    long from = vertex("~from", header.cell(Column.Role.FROM, row));
    long to = vertex("~to", header.cell(Column.Role.TO, row));
    String id = header.cell(Column.Role.ID, row);
    Map<String, Object> properties = new LinkedHashMap<>();
    for (int i = 0; i < values.size(); i++) {
      for (Object value : values.get(i)) {
        properties.put(header.columns().get(i).name(), value);
      }
    }
    transaction.addEdge(from, label(header, row, EDGE), to, id.isEmpty() ? null : id, properties);
  }

  private static List<List<Object>> values(Header header, List<String> row) throws BadRowException {
    List<List<Object>> values = new ArrayList<>(row.size());
    for (int i = 0; i < row.size(); i++) {
      Column column = header.columns().get(i);
      values.add(column.role() == Column.Role.PROPERTY ? column.values(row.get(i)) : List.of());
    }
    return values;
  }

  private long vertex(String column, String id) throws BadRowException {
    if (id.isEmpty()) {
      throw new BadRowException("empty: column=" + column);
    }
    Long vertex = transaction.findVertex(id);
    if (vertex == null) {
      throw new BadRowException("no such vertex: column=" + column + ", id=" + id);
    }
    return vertex;
  }

  private static String label(Header header, List<String> row, String standard)
      throws BadRowException {
    String label = header.cell(Column.Role.LABEL, row);
    if (label.indexOf(';') >= 0) {
      throw new BadRowException("more than one label: column=~label, value=" + label);
    }
    return label.isEmpty() ? standard : label;
  }
}

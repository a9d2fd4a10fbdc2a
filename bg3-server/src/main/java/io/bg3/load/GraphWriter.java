package io.bg3.load;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;

/**
 * Turns rows into vertices and edges and commits them in batches. Rows that were added since the
 * last {@link #commit} count only after the next. One thread, the one whose transaction it is.
 */
final class GraphWriter {
  private final Graph graph;
  private final int batch;
  private int pendingVertices;
  private int pendingEdges;
  private long vertices;
  private long edges;

  GraphWriter(Graph graph, int batch) {
    this.graph = graph;
    this.batch = batch;
  }

  long vertices() {
    return vertices;
  }

  long edges() {
    return edges;
  }

  void add(Header header, List<String> row) throws BadRowException {
    try {
      if (header.isEdges()) {
        addEdge(header, row);
        pendingEdges++;
      } else {
        addVertex(header, row);
        pendingVertices++;
      }
    } catch (IllegalArgumentException | UnsupportedOperationException e) {
      throw new BadRowException(e.getMessage(), e);
    }
    if (pendingVertices + pendingEdges >= batch) {
      commit();
    }
  }

  void commit() {
    graph.tx().commit();
    vertices += pendingVertices;
    edges += pendingEdges;
    pendingVertices = 0;
    pendingEdges = 0;
  }

  void rollback() {
    graph.tx().rollback();
    pendingVertices = 0;
    pendingEdges = 0;
  }

  private void addVertex(Header header, List<String> row) throws BadRowException {
    Object id = id("~id", header.cell(Column.Role.ID, row));
    List<List<Object>> values = values(header, row); // all of them, before anything is written
    Vertex vertex = graph.addVertex(T.id, id, T.label, label(header, row, Vertex.DEFAULT_LABEL));
    try {
      for (int i = 0; i < values.size(); i++) {
        Column column = header.columns().get(i);
        for (Object value : values.get(i)) {
          vertex.property(
              column.set() ? Cardinality.set : Cardinality.single, column.name(), value);
        }
      }
    } catch (RuntimeException e) {
      vertex.remove(); // B2
      throw e;
    }
  }

  private void addEdge(Header header, List<String> row) throws BadRowException {
    List<List<Object>> values = values(header, row);
    Vertex from = vertex("~from", header.cell(Column.Role.FROM, row));
    Vertex to = vertex("~to", header.cell(Column.Role.TO, row));
    String label = label(header, row, Edge.DEFAULT_LABEL);
    String id = header.cell(Column.Role.ID, row);
    Edge edge = id.isEmpty() ? from.addEdge(label, to) : from.addEdge(label, to, T.id, id);
    try {
      for (int i = 0; i < values.size(); i++) {
        for (Object value : values.get(i)) {
          edge.property(header.columns().get(i).name(), value);
        }
      }
    } catch (RuntimeException e) {
      edge.remove(); // B2
      throw e;
    }
  }

  private static List<List<Object>> values(Header header, List<String> row) throws BadRowException {
    List<List<Object>> values = new ArrayList<>(row.size());
    for (int i = 0; i < row.size(); i++) {
      Column column = header.columns().get(i);
      values.add(column.role() == Column.Role.PROPERTY ? column.values(row.get(i)) : List.of());
    }
    return values;
  }

  private Vertex vertex(String column, String cell) throws BadRowException {
    Iterator<Vertex> found = graph.vertices(id(column, cell));
    try {
      if (!found.hasNext()) {
        throw new BadRowException("no such vertex: column=" + column + ", id=" + cell);
      }
      return found.next();
    } finally {
      CloseableIterator.closeIterator(found);
    }
  }

  private static String label(Header header, List<String> row, String standard)
      throws BadRowException {
    String label = header.cell(Column.Role.LABEL, row);
    if (label.indexOf(';') >= 0) {
      throw new BadRowException("more than one label: column=~label, value=" + label);
    }
    return label.isEmpty() ? standard : label;
  }

  /** What is a whole number is one, as it is for every driver; anything else is text. */
  private static Object id(String column, String cell) throws BadRowException {
    if (cell.isEmpty()) {
      throw new BadRowException("empty: column=" + column);
    }
    try {
      long number = Long.parseLong(cell);
      return Long.toString(number).equals(cell) ? (Object) number : cell;
    } catch (NumberFormatException text) {
      return cell;
    }
  }
}

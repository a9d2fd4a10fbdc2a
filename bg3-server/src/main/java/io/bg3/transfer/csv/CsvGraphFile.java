package io.bg3.transfer.csv;

import io.bg3.core.graph.Cardinality;
import io.bg3.transfer.EdgeData;
import io.bg3.transfer.GraphFile;
import io.bg3.transfer.MadeUpIds;
import io.bg3.transfer.Place;
import io.bg3.transfer.PropertyData;
import io.bg3.transfer.RowSink;
import io.bg3.transfer.VertexData;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/** A file of comma-separated values: of vertices or of edges, as its header says. */
public final class CsvGraphFile implements GraphFile {
  private final Path path;

  /** The file there. */
  public CsvGraphFile(Path path) {
    this.path = path;
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public int passes() {
    return 1;
  }

  @Override
  public void check() throws IOException {
    isEdges();
  }

  private boolean isEdges() throws IOException {
    try (CsvFile file = CsvFile.open(path, count -> {})) {
      return file.header().isEdges();
    }
  }

  @Override
  public void vertices(RowSink sink, LongConsumer progress) throws IOException {
    if (!isEdges()) {
      read(sink, progress);
    }
  }

  @Override
  public void edges(RowSink sink, LongConsumer progress) throws IOException {
    if (isEdges()) {
      read(sink, progress);
    }
  }

  private void read(RowSink sink, LongConsumer progress) throws IOException {
    try (CsvFile file = CsvFile.open(path, progress)) {
      Header header = file.header();
      while (file.next()) {
        Place place = Place.line(path, file.line());
        VertexData vertex = null;
        EdgeData edge = null;
        try {
          if (header.isEdges()) {
            edge = edge(header, file.row());
          } else {
            vertex = vertex(header, file.row());
          }
        } catch (IllegalArgumentException e) {
          sink.bad(place, e.getMessage());
        }
        if (vertex != null) {
          sink.vertex(vertex, place);
        } else if (edge != null) {
          sink.edge(edge, place);
        }
      }
    }
  }

  private static VertexData vertex(Header header, List<String> row) {
    List<PropertyData> properties = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      Column column = header.columns().get(i);
      if (column.role() == Column.Role.PROPERTY) {
        Cardinality cardinality = column.set() ? Cardinality.SET : Cardinality.SINGLE;
        for (Object value : column.values(row.get(i))) {
          properties.add(new PropertyData(column.name(), value, cardinality, null, Map.of()));
        }
      }
    }
    return new VertexData(
        required(header, Column.Role.ID, "~id", row),
        label(header, row, VertexData.STANDARD_LABEL),
        properties);
  }

  private static EdgeData edge(Header header, List<String> row) {
    Map<String, Object> properties = new LinkedHashMap<>();
    for (int i = 0; i < row.size(); i++) {
      Column column = header.columns().get(i);
      if (column.role() == Column.Role.PROPERTY) {
        column.values(row.get(i)).forEach(value -> properties.put(column.name(), value));
      }
    }
    return new EdgeData(
        MadeUpIds.edgeOf(header.cell(Column.Role.ID, row)),
        label(header, row, EdgeData.STANDARD_LABEL),
        required(header, Column.Role.FROM, "~from", row),
        required(header, Column.Role.TO, "~to", row),
        properties);
  }

  private static String required(Header header, Column.Role role, String name, List<String> row) {
    String cell = header.cell(role, row);
    if (cell.isEmpty()) {
      throw new IllegalArgumentException("empty: column=" + name);
    }
    return cell;
  }

  private static String label(Header header, List<String> row, String standard) {
    String label = header.cell(Column.Role.LABEL, row);
    if (label.indexOf(';') >= 0) {
      throw new IllegalArgumentException("more than one label: column=~label, value=" + label);
    }
    return label.isEmpty() ? standard : label;
  }
}

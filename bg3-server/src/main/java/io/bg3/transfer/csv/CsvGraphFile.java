package io.bg3.transfer.csv;

import io.bg3.core.graph.Cardinality;
import io.bg3.transfer.EdgeData;
import io.bg3.transfer.FilePosition;
import io.bg3.transfer.GeneratedIds;
import io.bg3.transfer.GraphFile;
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

/**
 * A file of separated values ({@link CsvFile}) that holds vertices or edges; its header tells
 * which.
 */
public final class CsvGraphFile implements GraphFile {
  private final Path path;

  /** Creates a file with this path. */
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
        FilePosition place = FilePosition.line(path, file.line());
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
      if (column.isProperty()) {
        Cardinality cardinality = column.set() ? Cardinality.SET : Cardinality.SINGLE;
        for (Object value : column.values(row.get(i))) {
          properties.add(new PropertyData(column.name(), value, cardinality, null, Map.of()));
        }
      }
    }
    return new VertexData(
        required(header, Column.Role.ID, row),
        labels(header, row, VertexData.STANDARD_LABEL),
        properties);
  }

  private static EdgeData edge(Header header, List<String> row) {
    Map<String, Object> properties = new LinkedHashMap<>();
    for (int i = 0; i < row.size(); i++) {
      Column column = header.columns().get(i);
      if (column.isProperty()) {
        column.values(row.get(i)).forEach(value -> properties.put(column.name(), value));
      }
    }
    List<String> labels = labels(header, row, EdgeData.STANDARD_LABEL);
    if (labels.size() > 1) {
      throw new IllegalArgumentException(
          "an edge has one label: column=~label, value=" + header.cell(Column.Role.LABEL, row));
    }
    return new EdgeData(
        GeneratedIds.edgeOf(header.id(Column.Role.ID, row)),
        labels.get(0),
        required(header, Column.Role.FROM, row),
        required(header, Column.Role.TO, row),
        properties);
  }

  private static String required(Header header, Column.Role role, List<String> row) {
    String id = header.id(role, row);
    if (id.isEmpty()) {
      throw new IllegalArgumentException("empty: column=" + role.header());
    }
    return id;
  }

  private static List<String> labels(Header header, List<String> row, String standard) {
    List<String> labels =
        Column.split(header.cell(Column.Role.LABEL, row)).stream()
            .map(String::strip)
            .filter(label -> !label.isEmpty())
            .distinct()
            .toList();
    return labels.isEmpty() ? List.of(standard) : labels;
  }
}

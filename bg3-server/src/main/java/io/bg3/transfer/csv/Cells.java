package io.bg3.transfer.csv;

import io.bg3.transfer.EdgeData;
import io.bg3.transfer.GeneratedIds;
import io.bg3.transfer.Losses;
import io.bg3.transfer.PropertyData;
import io.bg3.transfer.Text;
import io.bg3.transfer.ValueType;
import io.bg3.transfer.VertexData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Converts elements to the cells of a file. It collects the columns from all elements first, then
 * creates the rows. A key has one column for each type of its values. If a vertex has several
 * values of the key, all columns of the key hold lists.
 *
 * <p>The format cannot hold types that are not {@link ValueType}s, meta-properties, equal values
 * under one key, empty text, text with an unpaired surrogate, a label with spaces around it, a key
 * that begins with a tilde or has spaces around it, and, among several values and in labels, text
 * that ends with a backslash.
 */
final class Cells {
  private record Cell(ValueType type, String text) {}

  private final Losses losses;
  private final List<String> parts;
  private final Map<String, Set<ValueType>> types;
  private final Set<String> many;

  /** Creates the cells of a file whose first columns are {@code parts}. */
  Cells(Losses losses, List<String> parts) {
    this(losses, parts, new LinkedHashMap<>(), new HashSet<>());
  }

  private Cells(
      Losses losses, List<String> parts, Map<String, Set<ValueType>> types, Set<String> many) {
    this.losses = losses;
    this.parts = parts;
    this.types = types;
    this.many = many;
  }

  /** Returns cells with these columns that record losses in {@code losses}. */
  Cells counting(Losses there) {
    return new Cells(there, parts, types, many);
  }

  void learn(VertexData vertex) throws IOException {
    labels(vertex.labels(), vertex.id());
    cells(vertex).forEach(this::learn);
  }

  void learn(EdgeData edge) throws IOException {
    labels(List.of(edge.label()), edge.id());
    cells(edge).forEach(this::learn);
  }

  private void learn(String key, List<Cell> cells) {
    Set<ValueType> known = types.computeIfAbsent(key, none -> new LinkedHashSet<>());
    cells.forEach(cell -> known.add(cell.type));
    if (cells.size() > 1) {
      many.add(key);
    }
  }

  List<String> header() {
    List<String> header = new ArrayList<>(parts);
    types.forEach(
        (key, known) ->
            known.forEach(
                type -> header.add(key + ":" + type.header() + (many.contains(key) ? "[]" : ""))));
    return header;
  }

  List<String> row(VertexData vertex) throws IOException {
    List<String> row = new ArrayList<>();
    row.add(vertex.id().toString());
    row.add(labels(vertex.labels(), vertex.id()));
    return properties(row, cells(vertex), vertex.id());
  }

  List<String> row(EdgeData edge) throws IOException {
    List<String> row = new ArrayList<>();
    row.add(edge.id().toString());
    row.add(edge.from().toString());
    row.add(edge.to().toString());
    row.add(labels(List.of(edge.label()), edge.id()));
    return properties(row, cells(edge), edge.id());
  }

  private List<String> properties(List<String> row, Map<String, List<Cell>> cells, Object id)
      throws IOException {
    for (Map.Entry<String, Set<ValueType>> column : types.entrySet()) {
      String key = column.getKey();
      List<Cell> values = cells.getOrDefault(key, List.of());
      for (ValueType type : column.getValue()) {
        List<String> texts =
            values.stream().filter(cell -> cell.type == type).map(Cell::text).toList();
        row.add(many.contains(key) ? join(texts, key, id) : String.join("", texts));
      }
    }
    return row;
  }

  private String join(List<String> texts, String key, Object id) throws IOException {
    List<String> held = new ArrayList<>();
    for (String text : texts) {
      if (text.endsWith("\\")) {
        lost("text that ends with a backslash among several values", key, id);
      } else {
        held.add(text);
      }
    }
    return Column.join(held);
  }

  private Map<String, List<Cell>> cells(VertexData vertex) throws IOException {
    Map<String, List<Cell>> cells = new LinkedHashMap<>();
    for (PropertyData property : vertex.properties()) {
      if (!property.metas().isEmpty()) {
        lost("meta-properties", property.key(), vertex.id());
      }
      if (!GeneratedIds.isOfProperty(property.id())) {
        lost("ids of properties", property.key(), vertex.id());
      }
      add(cells, property.key(), property.value(), vertex.id());
    }
    return cells;
  }

  private Map<String, List<Cell>> cells(EdgeData edge) throws IOException {
    Map<String, List<Cell>> cells = new LinkedHashMap<>();
    for (Map.Entry<String, Object> property : edge.properties().entrySet()) {
      add(cells, property.getKey(), property.getValue(), edge.id());
    }
    return cells;
  }

  private void add(Map<String, List<Cell>> cells, String key, Object value, Object id)
      throws IOException {
    if (key.isEmpty() || key.startsWith("~") || !key.strip().equals(key) || !isHeld(key)) {
      lost("this key", key, id);
      return;
    }
    Cell cell = cell(key, value, id);
    if (cell == null) {
      return;
    }
    List<Cell> present = cells.computeIfAbsent(key, none -> new ArrayList<>());
    if (present.contains(cell)) {
      lost("equal values under one key", key, id);
    } else {
      present.add(cell);
    }
  }

  private Cell cell(String key, Object value, Object id) throws IOException {
    ValueType type = ValueType.of(value).orElse(null);
    if (type == null) {
      lost("values of class " + value.getClass().getSimpleName(), key, id);
    }
    String text = value.toString();
    if (text.isEmpty()) {
      lost("empty text", key, id);
      return null;
    }
    if (!isHeld(text)) {
      lost("text with an unpaired surrogate", key, id);
      text = Text.repaired(text);
    }
    return new Cell(type == null ? ValueType.STRING : type, text);
  }

  private String labels(List<String> labels, Object id) throws IOException {
    List<String> held = new ArrayList<>();
    for (String label : labels) {
      if (label.strip().equals(label) && !label.endsWith("\\") && isHeld(label)) {
        held.add(label);
        continue;
      }
      losses.meet("csv does not hold this label: label=" + label + ", id=" + id);
      String kept = Text.repaired(label).strip().replaceAll("\\\\+$", "");
      if (!kept.isEmpty()) {
        held.add(kept);
      }
    }
    return Column.join(held);
  }

  private static boolean isHeld(String text) {
    return Text.isWellFormed(text);
  }

  private void lost(String what, String key, Object id) throws IOException {
    losses.meet("csv does not hold " + what + ": key=" + key + ", id=" + id);
  }
}

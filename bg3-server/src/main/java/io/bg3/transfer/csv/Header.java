package io.bg3.transfer.csv;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The first line of a file: what its columns are, and so whether it holds vertices or edges.
 *
 * <ul>
 *   <li>H1: a file with {@code ~from} or {@code ~to} has both and holds edges; every other holds
 *       vertices and has {@code ~id}.
 *   <li>H2: no column stands twice; columns of one name and different types are two.
 *   <li>H3: an edge's property has one value.
 * </ul>
 */
final class Header {
  private final List<Column> columns;
  private final Map<Column.Role, Integer> places = new EnumMap<>(Column.Role.class);

  private Header(List<Column> columns) {
    this.columns = columns;
    for (int i = 0; i < columns.size(); i++) {
      places.put(columns.get(i).role(), i);
    }
  }

  /**
   * Reads a header.
   *
   * @throws IllegalArgumentException if a field is not a column, or one of H1 to H3 does not hold
   */
  static Header parse(List<String> fields) {
    List<Column> columns = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (String field : fields) {
      Column column = Column.parse(field);
      if (!names.add(column.header())) { // H2
        throw new IllegalArgumentException("column stands twice: column=" + column.name());
      }
      columns.add(column);
    }
    Header header = new Header(columns);
    header.check();
    return header;
  }

  private void check() {
    boolean from = places.containsKey(Column.Role.FROM);
    boolean to = places.containsKey(Column.Role.TO);
    if (from != to) { // H1
      throw new IllegalArgumentException("column is missing: column=" + (from ? "~to" : "~from"));
    }
    if (!from && !places.containsKey(Column.Role.ID)) { // H1
      throw new IllegalArgumentException("column is missing: column=~id");
    }
    for (Column column : columns) {
      if (from && (column.many() || column.set())) { // H3
        throw new IllegalArgumentException(
            "an edge's property has one value: column=" + column.name());
      }
    }
  }

  boolean isEdges() {
    return places.containsKey(Column.Role.FROM);
  }

  List<Column> columns() {
    return columns;
  }

  /** The cell of a row in the column with this role; empty if there is no such column. */
  String cell(Column.Role role, List<String> row) {
    Integer place = places.get(role);
    return place == null ? "" : row.get(place);
  }
}

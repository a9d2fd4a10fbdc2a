package io.bg3.transfer.csv;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The first line of a file. It names the columns and so tells whether the file holds vertices or
 * edges.
 *
 * <ul>
 *   <li>H1: a file with a source or a target has both and holds edges; every other holds vertices
 *       and has an id.
 *   <li>H2: no column occurs twice; columns with one name and different types are different.
 *   <li>H3: an edge's property has one value.
 *   <li>H4: plain names ({@code id}, {@code label}, {@code from} and so on) are parts of the
 *       element if no column of the file is marked ({@code ~id}, {@code :ID}); otherwise they are
 *       properties.
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
   * Parses a header.
   *
   * @throws IllegalArgumentException if a field is not a column, or H1, H2 or H3 does not hold
   */
  static Header parse(List<String> fields) {
    boolean plain = fields.stream().noneMatch(Column::isMarked); // H4
    List<Column> columns = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (String field : fields) {
      Column column = Column.parse(field, plain);
      if (column.role() != Column.Role.IGNORED && !names.add(column.header())) { // H2
        throw new IllegalArgumentException("column occurs twice: column=" + field.trim());
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
      throw new IllegalArgumentException(
          from
              ? "column is missing: column=~to, :END_ID, to, target or dst"
              : "column is missing: column=~from, :START_ID, from, source or src");
    }
    if (!from && !places.containsKey(Column.Role.ID)) { // H1
      throw new IllegalArgumentException(
          "column is missing: column=~id, :ID or id; or, for edges, ~from and ~to, :START_ID and"
              + " :END_ID, from and to");
    }
    for (Column column : columns) {
      if (from && (column.many() || column.set())) { // H3
        throw new IllegalArgumentException(
            "a property of an edge has one value: column=" + column.name());
      }
    }
  }

  boolean isEdges() {
    return places.containsKey(Column.Role.FROM);
  }

  List<Column> columns() {
    return columns;
  }

  /** Returns the cell of a row in the column with a role; empty if there is no such column. */
  String cell(Column.Role role, List<String> row) {
    Integer place = places.get(role);
    return place == null ? "" : row.get(place);
  }

  /** Returns the id of a row in the column with a role; empty if there is none. */
  String id(Column.Role role, List<String> row) {
    Integer place = places.get(role);
    return place == null ? "" : columns.get(place).id(row.get(place));
  }
}

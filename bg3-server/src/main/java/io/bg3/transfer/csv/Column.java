package io.bg3.transfer.csv;

import io.bg3.transfer.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One column of a file: a part of the element or a property. A property is written {@code name},
 * {@code name:type}, {@code name:type(single)}, {@code name:type(set)} or {@code name:type[]}. A
 * part of the element has three spellings:
 *
 * <pre>
 *   ~id     :ID, :ID(space), name:ID(space)   id                       of a vertex or an edge
 *   ~label  :LABEL, :TYPE                     label
 *   ~from   :START_ID, :START_ID(space)       from, source, src
 *   ~to     :END_ID, :END_ID(space)           to, target, dst
 *           :IGNORE, name:IGNORE                                       not read
 * </pre>
 *
 * The second spelling is that of Neo4j's importer. The third applies in files that use neither of
 * the others ({@link Header}).
 *
 * @param role the meaning of the cells
 * @param name the key of the property, or of an id that is also a property; empty for any other
 *     part of the element
 * @param many whether a cell holds several values separated by semicolons ({@code \;} is a
 *     semicolon in a value)
 * @param set whether values are added to the existing values of the key instead of replacing them
 * @param space the name of an id space, within which ids are unique; empty for the common one
 */
record Column(Role role, String name, ValueType type, boolean many, boolean set, String space) {
  enum Role {
    ID("~id"),
    LABEL("~label"),
    FROM("~from"),
    TO("~to"),
    IGNORED(""),
    PROPERTY("");

    private final String header;

    Role(String header) {
      this.header = header;
    }

    /** The spelling in files that BG3 writes. */
    String header() {
      return header;
    }
  }

  private static final Pattern TYPE =
      Pattern.compile("(\\w+)(?:\\((single|set)\\))?(\\[\\])?", Pattern.CASE_INSENSITIVE);

  private static final Pattern IMPORTER =
      Pattern.compile("(.*):(ID|LABEL|TYPE|START_ID|END_ID|IGNORE)(?:\\(([^()]*)\\))?");

  private static final Map<String, Role> PLAIN =
      Map.of(
          "id", Role.ID,
          "label", Role.LABEL,
          "from", Role.FROM,
          "source", Role.FROM,
          "src", Role.FROM,
          "to", Role.TO,
          "target", Role.TO,
          "dst", Role.TO);

  /**
   * Whether a field of a header is marked as a part of the element, in the first or second
   * spelling.
   */
  static boolean isMarked(String field) {
    String header = field.trim();
    return header.startsWith("~") || IMPORTER.matcher(header).matches();
  }

  /**
   * Parses a field of a header.
   *
   * @param plain whether {@code id}, {@code label} and so on are parts of the element
   * @throws IllegalArgumentException if the field has none of the forms above
   */
  static Column parse(String field, boolean plain) {
    String header = field.trim();
    Matcher importer = IMPORTER.matcher(header);
    if (header.startsWith("~")) {
      return switch (header.toLowerCase(Locale.ROOT)) {
        case "~id" -> element(Role.ID);
        case "~label" -> element(Role.LABEL);
        case "~from" -> element(Role.FROM);
        case "~to" -> element(Role.TO);
        default ->
            throw new IllegalArgumentException(
                "unknown column: column=" + header + ", known=~id, ~label, ~from, ~to");
      };
    } else if (importer.matches()) {
      return imported(importer);
    }
    Role named = plain ? PLAIN.get(header.toLowerCase(Locale.ROOT)) : null;
    if (named != null) {
      return element(named);
    }
    int colon = header.lastIndexOf(':');
    String name = colon < 0 ? header : header.substring(0, colon);
    if (name.isEmpty() || name.startsWith("~")) {
      throw new IllegalArgumentException("not a property's name: column=" + header);
    }
    return colon < 0
        ? property(name, ValueType.STRING, false, false)
        : typed(header, name, header.substring(colon + 1));
  }

  private static Column imported(Matcher header) {
    Role role =
        switch (header.group(2)) {
          case "ID" -> Role.ID;
          case "LABEL", "TYPE" -> Role.LABEL;
          case "START_ID" -> Role.FROM;
          case "END_ID" -> Role.TO;
          default -> Role.IGNORED;
        };
    String name = role == Role.ID ? header.group(1) : "";
    String space = header.group(3) == null ? "" : header.group(3);
    return new Column(role, name, ValueType.STRING, false, false, space);
  }

  private static Column element(Role role) {
    return new Column(role, "", ValueType.STRING, false, false, "");
  }

  private static Column property(String name, ValueType type, boolean many, boolean set) {
    return new Column(Role.PROPERTY, name, type, many, set, "");
  }

  private static Column typed(String header, String name, String text) {
    Matcher type = TYPE.matcher(text.trim());
    if (!type.matches()) {
      throw new IllegalArgumentException(
          "not a column's type: column="
              + header
              + ", forms=type, type(single), type(set), type[]");
    }
    ValueType values =
        ValueType.named(type.group(1))
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "unknown type: column=" + header + ", known=" + ValueType.NAMES));
    boolean many = type.group(3) != null;
    boolean set = many || "set".equalsIgnoreCase(type.group(2));
    if (many && "single".equalsIgnoreCase(type.group(2))) {
      throw new IllegalArgumentException(
          "a column of several values cannot be single: column=" + header);
    }
    return property(name, values, many, set);
  }

  /** Whether the cells are values of a property. The cells of an id with a name are, too. */
  boolean isProperty() {
    return role == Role.PROPERTY || (role == Role.ID && !name.isEmpty());
  }

  /** Returns the id in a cell. An id of an id space begins with the name of the space. */
  String id(String cell) {
    return space.isEmpty() || cell.isEmpty() ? cell : space + ":" + cell;
  }

  /**
   * Returns the values in a cell; an empty cell has none.
   *
   * @throws IllegalArgumentException if the text is no value of the column's type
   */
  List<Object> values(String cell) {
    if (cell.isEmpty()) {
      return List.of();
    }
    if (!many) {
      return List.of(value(cell));
    }
    List<Object> values = new ArrayList<>();
    for (String text : split(cell)) {
      if (!text.isEmpty()) {
        values.add(value(text));
      }
    }
    return values;
  }

  private Object value(String text) {
    try {
      return type.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "not a value of the column's type: column="
              + name
              + ", type="
              + type.name().toLowerCase(Locale.ROOT)
              + ", value="
              + text,
          e);
    }
  }

  /** The text of this column in a header. */
  String header() {
    return role == Role.PROPERTY ? name + ":" + type.header() + (many ? "[]" : "") : role.header();
  }

  /**
   * Joins several values to a text that {@link #split} splits again. No value may be empty or end
   * with a backslash.
   */
  static String join(List<String> values) {
    StringBuilder cell = new StringBuilder();
    for (String value : values) {
      cell.append(cell.isEmpty() ? "" : ";").append(value.replace(";", "\\;"));
    }
    return cell.toString();
  }

  /** Splits a cell with several values. */
  static List<String> split(String cell) {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    for (int i = 0; i < cell.length(); i++) {
      char c = cell.charAt(i);
      if (c == '\\' && i + 1 < cell.length() && cell.charAt(i + 1) == ';') {
        part.append(';');
        i++;
      } else if (c == ';') {
        parts.add(part.toString());
        part.setLength(0);
      } else {
        part.append(c);
      }
    }
    parts.add(part.toString());
    return parts;
  }
}

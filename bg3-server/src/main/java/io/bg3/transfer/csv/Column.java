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
 * The second is that of Neo4j's importer. The third is understood in files that use neither of the
 * others ({@link Header}).
 *
 * @param role what the cells are
 * @param name the property's key, also of an id that is kept as a property; empty for a part of the
 *     element that is none
 * @param many whether a cell holds several values separated by semicolons ({@code \;} is a
 *     semicolon in a value)
 * @param set whether values are added to those the key has instead of taking their place
 * @param space the name of a set of ids that are unique within it only; empty for that of all
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

    /** How BG3's own files write it. */
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

  /** Whether a header's field says by itself that it is a part of the element. */
  static boolean isMarked(String field) {
    String header = field.trim();
    return header.startsWith("~") || IMPORTER.matcher(header).matches();
  }

  /**
   * Reads a header's field.
   *
   * @param plain whether {@code id}, {@code label} and so on are parts of the element
   * @throws IllegalArgumentException if it is none of the forms above
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
      throw new IllegalArgumentException("several values are not single: column=" + header);
    }
    return property(name, values, many, set);
  }

  /** Whether its cells are values of a property: those of an id with a name are, too. */
  boolean isProperty() {
    return role == Role.PROPERTY || (role == Role.ID && !name.isEmpty());
  }

  /** The id in a cell: that of a space begins with its name. */
  String id(String cell) {
    return space.isEmpty() || cell.isEmpty() ? cell : space + ":" + cell;
  }

  /**
   * The values in a cell: none in an empty one.
   *
   * @throws IllegalArgumentException if the text is none of the column's type
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

  /** What stands in the header for this column. */
  String header() {
    return role == Role.PROPERTY ? name + ":" + type.header() + (many ? "[]" : "") : role.header();
  }

  /**
   * The text of several values, which {@link #split} takes apart again: none may be empty or end
   * with a backslash.
   */
  static String join(List<String> values) {
    StringBuilder cell = new StringBuilder();
    for (String value : values) {
      cell.append(cell.isEmpty() ? "" : ";").append(value.replace(";", "\\;"));
    }
    return cell.toString();
  }

  /** The texts in a cell of several. */
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

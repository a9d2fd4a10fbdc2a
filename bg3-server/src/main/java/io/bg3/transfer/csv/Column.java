package io.bg3.transfer.csv;

import io.bg3.transfer.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One column of a file: a part of the element ({@code ~id}, {@code ~label}, {@code ~from}, {@code
 * ~to}) or a property, written {@code name}, {@code name:type}, {@code name:type(single)}, {@code
 * name:type(set)} or {@code name:type[]}.
 *
 * @param role what the cells are
 * @param name the property's key, or the header itself
 * @param many whether a cell holds several values separated by semicolons ({@code \;} is a
 *     semicolon in a value)
 * @param set whether values are added to those the key has instead of taking their place
 */
record Column(Role role, String name, ValueType type, boolean many, boolean set) {
  enum Role {
    ID,
    LABEL,
    FROM,
    TO,
    PROPERTY
  }

  private static final Pattern TYPE =
      Pattern.compile("(\\w+)(?:\\((single|set)\\))?(\\[\\])?", Pattern.CASE_INSENSITIVE);

  /**
   * Reads a header's field.
   *
   * @throws IllegalArgumentException if it is none of the forms above
   */
  static Column parse(String field) {
    String header = field.trim();
    if (header.startsWith("~")) {
      return switch (header.toLowerCase(Locale.ROOT)) {
        case "~id" -> element(Role.ID, header);
        case "~label" -> element(Role.LABEL, header);
        case "~from" -> element(Role.FROM, header);
        case "~to" -> element(Role.TO, header);
        default ->
            throw new IllegalArgumentException(
                "unknown column: column=" + header + ", known=~id, ~label, ~from, ~to");
      };
    }
    int colon = header.lastIndexOf(':');
    String name = colon < 0 ? header : header.substring(0, colon);
    if (name.isEmpty() || name.startsWith("~")) {
      throw new IllegalArgumentException("not a property's name: column=" + header);
    }
    return colon < 0
        ? new Column(Role.PROPERTY, name, ValueType.STRING, false, false)
        : typed(header, name, header.substring(colon + 1));
  }

  private static Column element(Role role, String header) {
    return new Column(role, header, ValueType.STRING, false, false);
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
    return new Column(Role.PROPERTY, name, values, many, set);
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
    return role == Role.PROPERTY ? name + ":" + type.header() + (many ? "[]" : "") : name;
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

  private static List<String> split(String cell) {
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

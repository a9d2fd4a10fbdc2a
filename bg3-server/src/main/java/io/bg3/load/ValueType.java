package io.bg3.load;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;

/** The types that a column may have, and how the text of a cell becomes a value of each. */
enum ValueType {
  BOOLEAN,
  BYTE,
  SHORT,
  INT,
  LONG,
  FLOAT,
  DOUBLE,
  STRING,
  DATE;

  /** Every name that {@link #named} knows, for messages. */
  static final String NAMES =
      "bool, boolean, byte, short, int, integer, long, float, double, string, date, datetime";

  /** The type with this name, in any case. */
  static Optional<ValueType> named(String name) {
    return Optional.ofNullable(
        switch (name.toLowerCase(Locale.ROOT)) {
          case "bool", "boolean" -> BOOLEAN;
          case "byte" -> BYTE;
          case "short" -> SHORT;
          case "int", "integer" -> INT;
          case "long" -> LONG;
          case "float" -> FLOAT;
          case "double" -> DOUBLE;
          case "string" -> STRING;
          case "date", "datetime" -> DATE;
          default -> null;
        });
  }

  /**
   * The value that the text of a cell stands for. Text keeps its spaces, everything else may have
   * some around it.
   *
   * @throws BadRowException if it stands for none of this type
   */
  Object parse(String column, String text) throws BadRowException {
    String bare = text.trim();
    try {
      return switch (this) {
        case BOOLEAN -> bool(bare);
        case BYTE -> Byte.valueOf(bare);
        case SHORT -> Short.valueOf(bare);
        case INT -> Integer.valueOf(bare);
        case LONG -> Long.valueOf(bare);
        case FLOAT -> Float.valueOf(bare);
        case DOUBLE -> Double.valueOf(bare);
        case STRING -> text;
        case DATE -> date(bare);
      };
    } catch (IllegalArgumentException | DateTimeParseException e) {
      throw new BadRowException(
          "not a value of the column's type: column="
              + column
              + ", type="
              + name().toLowerCase(Locale.ROOT)
              + ", value="
              + text,
          e);
    }
  }

  private static Boolean bool(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException(text);
    };
  }

  /** A day, a day with a time, or both with an offset; what says no offset is taken as UTC. */
  private static OffsetDateTime date(String text) {
    if (text.indexOf('T') < 0) {
      return LocalDate.parse(text).atStartOfDay().atOffset(ZoneOffset.UTC);
    }
    try {
      return OffsetDateTime.parse(text);
    } catch (DateTimeParseException noOffset) {
      return LocalDateTime.parse(text).atOffset(ZoneOffset.UTC);
    }
  }
}

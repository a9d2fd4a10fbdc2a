package io.bg3.transfer;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The types of property values in text files, with the conversion from text. The text of a value is
 * the result of its {@code toString}.
 */
public enum ValueType {
  BOOLEAN(Boolean.class),
  BYTE(Byte.class),
  SHORT(Short.class),
  INT(Integer.class),
  LONG(Long.class),
  FLOAT(Float.class),
  DOUBLE(Double.class),
  STRING(String.class),
  DATE(OffsetDateTime.class);

  /** All names that {@link #named} accepts, for messages. */
  public static final String NAMES =
      "bool, boolean, byte, short, int, integer, long, float, double, string, char, date, datetime,"
          + " localdatetime";

  /** A space between day and time, as databases print it. */
  private static final Pattern BEFORE_TIME = Pattern.compile("(?<=\\d) +(?=\\d)");

  private final Class<?> java;

  ValueType(Class<?> java) {
    this.java = java;
  }

  /** Returns the type with a name, in upper or lower case. */
  public static Optional<ValueType> named(String name) {
    return Optional.ofNullable(
        switch (name.toLowerCase(Locale.ROOT)) {
          case "bool", "boolean" -> BOOLEAN;
          case "byte" -> BYTE;
          case "short" -> SHORT;
          case "int", "integer" -> INT;
          case "long" -> LONG;
          case "float" -> FLOAT;
          case "double" -> DOUBLE;
          case "string", "char" -> STRING;
          case "date", "datetime", "localdatetime" -> DATE;
          default -> null;
        });
  }

  /** Returns the type whose values have a class, if there is one. */
  public static Optional<ValueType> of(Object value) {
    return Arrays.stream(values()).filter(type -> type.java == value.getClass()).findFirst();
  }

  /** The name of the type in a header. */
  public String header() {
    return this == BOOLEAN ? "bool" : name().toLowerCase(Locale.ROOT);
  }

  /**
   * Converts a text to a value of this type. A string keeps its spaces; for other types the method
   * ignores spaces around the text.
   *
   * @throws IllegalArgumentException if the text is no value of this type
   */
  public Object parse(String text) {
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
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static Boolean bool(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException(text);
    };
  }

  /**
   * Parses a day, a day with a time, or both with an offset. A text without an offset is in UTC.
   */
  private static OffsetDateTime date(String text) {
    String iso = BEFORE_TIME.matcher(text).replaceFirst("T");
    if (iso.indexOf('T') < 0) {
      return LocalDate.parse(iso).atStartOfDay().atOffset(ZoneOffset.UTC);
    }
    try {
      return OffsetDateTime.parse(iso);
    } catch (DateTimeParseException noOffset) {
      return LocalDateTime.parse(iso).atOffset(ZoneOffset.UTC);
    }
  }
}

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
 * The types that a property may have in files of text, and how its text becomes a value of each;
 * the text of a value is what {@code toString} gives.
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

  /** Every name that {@link #named} knows, for messages. */
  public static final String NAMES =
      "bool, boolean, byte, short, int, integer, long, float, double, string, char, date, datetime,"
          + " localdatetime";

  /** What databases print between a day and its time. */
  private static final Pattern BEFORE_TIME = Pattern.compile("(?<=\\d) +(?=\\d)");

  private final Class<?> java;

  ValueType(Class<?> java) {
    this.java = java;
  }

  /** The type with this name, in any case. */
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

  /** The type whose values have this class, if there is one. */
  public static Optional<ValueType> of(Object value) {
    return Arrays.stream(values()).filter(type -> type.java == value.getClass()).findFirst();
  }

  /** The name in a header. */
  public String header() {
    return this == BOOLEAN ? "bool" : name().toLowerCase(Locale.ROOT);
  }

  /**
   * The value that a text stands for. Text keeps its spaces, everything else may have some around
   * it.
   *
   * @throws IllegalArgumentException if it stands for none of this type
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

  /** A day, a day with a time, or both with an offset; what says no offset is taken as UTC. */
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

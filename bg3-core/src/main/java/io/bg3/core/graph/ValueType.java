package io.bg3.core.graph;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The type that a {@link KeyRule} requires of the values of a property key. A value is not
 * converted: it has the type if it is stored as one of its classes.
 */
public enum ValueType {
  /** Every value. */
  ANY(0, Object.class),
  /** True or false. */
  BOOLEAN(1, Boolean.class),
  /** A whole number of 8 bits. */
  BYTE(2, Byte.class),
  /** A whole number of 16 bits. */
  SHORT(3, Short.class),
  /** A whole number of 32 bits. */
  INTEGER(4, Integer.class),
  /** A whole number of 64 bits. */
  LONG(5, Long.class),
  /** A whole number of any size. */
  BIG_INTEGER(6, BigInteger.class),
  /** A floating-point number of 32 bits. */
  FLOAT(7, Float.class),
  /** A floating-point number of 64 bits. */
  DOUBLE(8, Double.class),
  /** A decimal number of any size. */
  BIG_DECIMAL(9, BigDecimal.class),
  /** A whole number of any class. */
  WHOLE_NUMBER(10, Byte.class, Short.class, Integer.class, Long.class, BigInteger.class),
  /** A number of any class. */
  NUMBER(11, Number.class),
  /** A text. */
  STRING(12, String.class),
  /** One char. */
  CHAR(13, Character.class),
  /** A UUID. */
  UUID(14, UUID.class),
  /** A point in time, with or without a zone. */
  DATE_TIME(15, OffsetDateTime.class, ZonedDateTime.class, Instant.class, Date.class),
  /** A date and a time of no zone. */
  LOCAL_DATE_TIME(16, LocalDateTime.class),
  /** A date of no zone. */
  LOCAL_DATE(17, LocalDate.class),
  /** A time of day of no zone. */
  LOCAL_TIME(18, LocalTime.class),
  /** A length of time. */
  DURATION(19, Duration.class),
  /** Bytes. */
  BYTES(20, byte[].class, ByteBuffer.class),
  /** A list. */
  LIST(21, List.class),
  /** A set. */
  SET(22, Set.class),
  /** A map. */
  MAP(23, Map.class);

  private final int code;

  @SuppressWarnings("ImmutableEnumChecker") // a list that nobody can change
  private final List<Class<?>> classes;

  ValueType(int code, Class<?>... classes) {
    this.code = code;
    this.classes = List.of(classes);
  }

  /** Whether a value has this type. */
  public boolean has(Object value) {
    for (Class<?> each : classes) {
      if (each.isInstance(value)) {
        return true;
      }
    }
    return false;
  }

  /** The number that stands for it on disk. */
  int code() {
    return code;
  }

  /** The type with this number; null if there is none. */
  static ValueType of(int code) {
    for (ValueType type : values()) {
      if (type.code == code) {
        return type;
      }
    }
    return null;
  }

  /**
   * The type with this name, in letters of any case.
   *
   * @throws IllegalArgumentException naming the types that there are, if there is none
   */
  public static ValueType named(String name) {
    for (ValueType type : values()) {
      if (type.name().equals(name.toUpperCase(Locale.ROOT))) {
        return type;
      }
    }
    throw new IllegalArgumentException(
        "there is no such type of values: type="
            + name
            + ", known="
            + Arrays.toString(values()).toLowerCase(Locale.ROOT));
  }

  /** The name as services take it and errors show it: in small letters. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}

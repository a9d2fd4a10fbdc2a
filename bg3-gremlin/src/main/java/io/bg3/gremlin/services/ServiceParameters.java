package io.bg3.gremlin.services;

import io.bg3.core.record.VertexId;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The parameters of one call of a service, checked as they are asked for: every refusal names the
 * service and the parameter. Belongs to one thread.
 */
final class ServiceParameters {
  private final String service;
  private final Map<?, ?> values;
  private final Runnable between;

  /**
   * @param known the names that a parameter may have
   * @param between is called by what takes long, and ends it by an exception
   * @throws IllegalArgumentException if there is another
   */
  ServiceParameters(String service, Map<?, ?> values, Set<String> known, Runnable between) {
    this.service = service;
    this.values = values;
    this.between = between;
    for (Object name : values.keySet()) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "service has no such parameter: service="
                + service
                + ", parameter="
                + name
                + ", known="
                + known);
      }
    }
  }

  /** All values by name. */
  Map<?, ?> all() {
    return values;
  }

  /** To be called now and then by what takes long. */
  Runnable between() {
    return between;
  }

  String text(String name) {
    return text(name, required(name));
  }

  String text(String name, Object value) {
    if (value instanceof String text) {
      return text;
    }
    throw refusal(name, "a text", value);
  }

  /** A text, or null where there is none. */
  String optionalText(String name) {
    return values.get(name) == null ? null : text(name);
  }

  /** A number without fraction that fits into 64 bits. */
  long number(String name) {
    return number(name, required(name));
  }

  long number(String name, Object value) {
    if (value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte) {
      return ((Number) value).longValue();
    }
    if (value instanceof BigInteger large && large.bitLength() < Long.SIZE) {
      return large.longValue();
    }
    throw refusal(name, "a number of 64 bits", value);
  }

  long number(String name, long otherwise) {
    return values.get(name) == null ? otherwise : number(name);
  }

  /** The id of a vertex that has a number for an id. */
  long vertex(String name) {
    return vertex(name, required(name));
  }

  long vertex(String name, Object value) {
    long id = number(name, value);
    if (VertexId.isReserved(id)) {
      throw refusal(name, "a number from " + VertexId.RESERVED_END, value);
    }
    return id;
  }

  /** A number from 0 to {@code most}. */
  int count(String name, int otherwise, int most) {
    long number = number(name, (long) otherwise);
    if (number < 0 || number > most) {
      throw refusal(name, "a number from 0 to " + most, number);
    }
    return (int) number;
  }

  boolean flag(String name, boolean otherwise) {
    return values.get(name) == null ? otherwise : flag(name, values.get(name));
  }

  boolean flag(String name, Object value) {
    if (value instanceof Boolean flag) {
      return flag;
    }
    throw refusal(name, "true or false", value);
  }

  /** Bytes, which stay as they are. */
  ByteBuffer bytes(String name) {
    Object value = required(name);
    if (value instanceof ByteBuffer bytes) {
      return bytes;
    }
    throw refusal(name, "bytes", value);
  }

  /** A list of at most {@code most} elements. */
  List<?> list(String name, int most) {
    Object value = required(name);
    if (value instanceof List<?> list && list.size() <= most) {
      return list;
    }
    throw refusal(name, "a list of up to " + most + " elements", value);
  }

  /** One element of a list that has to be a list itself, of so many. */
  List<?> row(String name, Object value, int columns) {
    if (value instanceof List<?> row && row.size() == columns) {
      return row;
    }
    throw refusal(name, "lists of " + columns + " elements", value);
  }

  /** Properties by name. */
  Map<?, ?> properties(String name) {
    return properties(name, required(name));
  }

  /** Properties by name; none if they are absent. */
  Map<?, ?> optionalProperties(String name) {
    return values.get(name) == null ? Map.of() : properties(name);
  }

  Map<?, ?> properties(String name, Object value) {
    if (value instanceof Map<?, ?> map) {
      for (Object key : map.keySet()) {
        text(name, key);
      }
      return map;
    }
    throw refusal(name, "a map", value);
  }

  private Object required(String name) {
    Object value = values.get(name);
    if (value == null) {
      throw refusal(name, "a value", null);
    }
    return value;
  }

  IllegalArgumentException refusal(String name, String wanted, Object value) {
    String shown = String.valueOf(value);
    return new IllegalArgumentException(
        "service cannot take this parameter: service="
            + service
            + ", parameter="
            + name
            + ", wanted="
            + wanted
            + ", given="
            + (shown.length() > 60 ? shown.substring(0, 60) + "..." : shown));
  }

  /** A value as the store keeps it: bytes are an array there. */
  static Object stored(Object value) {
    if (value instanceof ByteBuffer bytes) {
      byte[] array = new byte[bytes.remaining()];
      bytes.duplicate().get(array);
      return array;
    }
    return value;
  }

  /** A value as drivers take it: arrays of bytes have no form in their formats. */
  static Object shown(Object value) {
    return value instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : value;
  }
}

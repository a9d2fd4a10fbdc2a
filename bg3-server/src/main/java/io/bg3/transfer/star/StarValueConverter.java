package io.bg3.transfer.star;

import io.bg3.transfer.EdgeData;
import io.bg3.transfer.Losses;
import io.bg3.transfer.PropertyData;
import io.bg3.transfer.StarData;
import io.bg3.transfer.Text;
import io.bg3.transfer.VertexData;
import java.io.IOException;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Converts values to the classes that a star format can hold. GraphSON has no arrays, so arrays of
 * bytes become buffers in it.
 */
final class StarValueConverter {
  /** The classes that both formats hold unchanged. */
  private static final Set<Class<?>> COMMON =
      Set.of(
          Boolean.class,
          Byte.class,
          Short.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          BigInteger.class,
          BigDecimal.class,
          String.class,
          Character.class,
          UUID.class,
          OffsetDateTime.class,
          ZonedDateTime.class,
          LocalDateTime.class,
          LocalDate.class,
          LocalTime.class,
          OffsetTime.class,
          Instant.class,
          Duration.class,
          Period.class,
          Year.class,
          YearMonth.class,
          MonthDay.class,
          ZoneOffset.class,
          Date.class);

  private static final Set<Class<?>> ARRAYS =
      Set.of(
          byte[].class,
          short[].class,
          char[].class,
          int[].class,
          long[].class,
          float[].class,
          double[].class,
          String[].class);

  private final String format;
  private final boolean isText;
  private final Losses losses;

  /** Creates the converter of a text format, without arrays, or of a binary format, with arrays. */
  StarValueConverter(String format, boolean isText, Losses losses) {
    this.format = format;
    this.isText = isText;
    this.losses = losses;
  }

  /** Returns a copy of a star with converted values. */
  StarData of(StarData star) throws IOException {
    VertexData vertex = star.vertex();
    if (vertex.labels().size() > 1) {
      losses.meet(format + " holds one label of a vertex: id=" + vertex.id());
    }
    List<PropertyData> properties = new ArrayList<>();
    for (PropertyData property : vertex.properties()) {
      String where = "key=" + property.key() + ", id=" + vertex.id();
      properties.add(
          new PropertyData(
              property.key(),
              value(property.value(), where),
              property.cardinality(),
              property.id(),
              values(property.metas(), vertex.id())));
    }
    VertexData held = new VertexData(vertex.id(), vertex.label(), properties);
    return new StarData(held, edges(star.in()), edges(star.out()));
  }

  private List<EdgeData> edges(List<EdgeData> edges) throws IOException {
    List<EdgeData> held = new ArrayList<>(edges.size());
    for (EdgeData edge : edges) {
      Map<String, Object> properties = values(edge.properties(), edge.id());
      held.add(new EdgeData(edge.id(), edge.label(), edge.from(), edge.to(), properties));
    }
    return held;
  }

  private Map<String, Object> values(Map<String, Object> properties, Object id) throws IOException {
    Map<String, Object> held = new LinkedHashMap<>();
    for (Map.Entry<String, Object> property : properties.entrySet()) {
      String where = "key=" + property.getKey() + ", id=" + id;
      held.put(property.getKey(), value(property.getValue(), where));
    }
    return held;
  }

  private Object value(Object value, String where) throws IOException {
    if (value == null) {
      return null;
    } else if (value instanceof String text && isText && !Text.isWellFormed(text)) {
      lost("text with an unpaired surrogate", where);
      return Text.repaired(text);
    } else if (value instanceof Character c && isText && Character.isSurrogate(c)) {
      lost("half a surrogate", where);
      return '?';
    } else if (value instanceof List<?> list) {
      return addAll(new ArrayList<>(), list, where);
    } else if (value instanceof Set<?> set) {
      return addAll(new LinkedHashSet<>(), set, where);
    } else if (value instanceof Map<?, ?> map) {
      Map<Object, Object> held = new LinkedHashMap<>();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        held.put(value(entry.getKey(), where), value(entry.getValue(), where));
      }
      return held;
    } else if (value instanceof byte[] bytes && isText) {
      return ByteBuffer.wrap(bytes);
    } else if (COMMON.contains(value.getClass())
        || (!isText && ARRAYS.contains(value.getClass()))) {
      return value;
    }
    lost("values of class " + value.getClass().getSimpleName(), where);
    return value.getClass().isArray() ? value(listed(value), where) : value.toString();
  }

  private Object addAll(Collection<Object> held, Collection<?> values, String where)
      throws IOException {
    for (Object value : values) {
      held.add(value(value, where));
    }
    return held;
  }

  private static List<Object> listed(Object array) {
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < Array.getLength(array); i++) {
      list.add(Array.get(array, i));
    }
    return list;
  }

  private void lost(String what, String where) throws IOException {
    losses.meet(format + " does not hold " + what + ": " + where);
  }
}

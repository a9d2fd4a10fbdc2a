package io.bg3.batch;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Properties of a link or a node in their order in the message. Values are a Long, an Integer, an
 * array of bytes, a String, a Boolean or a Double.
 *
 * <p>Threads: any, as long as nobody changes the arrays of bytes.
 */
public final class BatchProperties {
  private static final BatchProperties NONE = new BatchProperties(List.of(), List.of());

  private final List<String> keys;
  private final List<?> values; // as many as keys

  BatchProperties(List<String> keys, List<?> values) {
    assert keys.size() == values.size() : keys.size() + " keys, " + values.size() + " values";
    this.keys = keys;
    this.values = values;
  }

  /** No properties. */
  public static BatchProperties none() {
    return NONE;
  }

  /** Properties by their keys. */
  public static BatchProperties of(Map<String, ?> properties) {
    return new BatchProperties(List.copyOf(properties.keySet()), List.copyOf(properties.values()));
  }

  /** The number of properties. */
  public int count() {
    return keys.size();
  }

  /** The key at an index from 0. A message of a foreign client may contain a key twice. */
  public String key(int index) {
    return keys.get(index);
  }

  /** The value at an index from 0. */
  public Object value(int index) {
    return values.get(index);
  }

  /** The value of a key; null if there is none. */
  public Object get(String key) {
    for (int i = 0; i < keys.size(); i++) {
      if (keys.get(i).equals(key)) {
        return values.get(i);
      }
    }
    return null;
  }

  /** A copy as a map, in the same order. */
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      map.put(keys.get(i), values.get(i));
    }
    return map;
  }

  @Override
  public String toString() {
    return toMap().toString();
  }
}

package io.bg3.core.record;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * The properties of a vertex that has many, found by number, key, id and value without a search
 * from the first to the last: n changes of a vertex take time in proportion to n. Each index is
 * made when it is first asked for.
 *
 * <p>Guarded by the record that it belongs to.
 */
final class PropertyIndex {
  /** The values under one key, by their hashes. */
  private static final class Values {
    final Map<Integer, List<PropertyRecord>> byHash = new HashMap<>();
    final List<PropertyRecord> notHashed = new ArrayList<>();
  }

  private final Map<Integer, PropertyRecord> byNumber; // in the order they were set
  private Map<Integer, Map<Integer, PropertyRecord>> byKey; // by number inside
  private Map<Object, PropertyRecord> byId; // of those to which the user gave one, in its one form
  private final Map<Integer, Values> byValue = new HashMap<>(); // by key

  PropertyIndex(Collection<PropertyRecord> properties) {
    byNumber = new LinkedHashMap<>(2 * properties.size());
    for (PropertyRecord property : properties) {
      byNumber.put(property.number(), property);
    }
  }

  int count() {
    return byNumber.size();
  }

  /** All of them in the order they were set, a new list. */
  List<PropertyRecord> inOrder() {
    return List.copyOf(byNumber.values());
  }

  /** The property with this number, null if there is none. */
  PropertyRecord withNumber(int number) {
    return byNumber.get(number);
  }

  /** The properties with this key in the order they were set, a new list. */
  List<PropertyRecord> withKey(int key) {
    return List.copyOf(keys().getOrDefault(key, Map.of()).values());
  }

  /** The property with this id, null if there is none. */
  PropertyRecord withId(Object canonical) {
    if (byId == null) {
      byId = new HashMap<>();
      byNumber.values().forEach(this::noteId);
    }
    return byId.get(canonical);
  }

  /**
   * A property with this key and a value that is equal, null if there is none.
   *
   * @param read gives the value of a property; asked once for each that has the key
   */
  PropertyRecord withValue(int key, Object value, Function<PropertyRecord, Object> read) {
    Values values = byValue.get(key);
    if (values == null) {
      values = new Values();
      values.notHashed.addAll(withKey(key));
      byValue.put(key, values);
    }
    for (PropertyRecord property : values.notHashed) {
      values
          .byHash
          .computeIfAbsent(hash(read.apply(property)), hash -> new ArrayList<>(1))
          .add(property);
    }
    values.notHashed.clear();
    for (PropertyRecord property : values.byHash.getOrDefault(hash(value), List.of())) {
      if (byNumber.get(property.number()) == property // it is not taken out when it is removed
          && Objects.deepEquals(read.apply(property), value)) {
        return property;
      }
    }
    return null;
  }

  void add(PropertyRecord property) {
    byNumber.put(property.number(), property);
    if (byKey != null) {
      noteKey(property);
    }
    if (byId != null) {
      noteId(property);
    }
    Values values = byValue.get(property.key());
    if (values != null) {
      values.notHashed.add(property);
    }
  }

  void remove(PropertyRecord property) {
    byNumber.remove(property.number());
    Map<Integer, PropertyRecord> same = keys().get(property.key());
    if (same != null) {
      same.remove(property.number());
    }
    if (byId != null && property.userId() != null) {
      byId.remove(VertexId.sought(property.userId()));
    }
  }

  private Map<Integer, Map<Integer, PropertyRecord>> keys() {
    if (byKey == null) {
      byKey = new HashMap<>();
      byNumber.values().forEach(this::noteKey);
    }
    return byKey;
  }

  private void noteKey(PropertyRecord property) {
    byKey
        .computeIfAbsent(property.key(), key -> new LinkedHashMap<>(2))
        .put(property.number(), property);
  }

  private void noteId(PropertyRecord property) {
    if (property.userId() != null) {
      byId.put(VertexId.sought(property.userId()), property);
    }
  }

  /** Equal values have equal hashes, arrays too. */
  private static int hash(Object value) {
    return Arrays.deepHashCode(new Object[] {value});
  }
}

package io.bg3.torture;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What one client has written, beside what it is writing: after a crash the store holds the one or
 * the other, as a whole. Every client has keys of its own, so each is judged alone whatever the
 * others did.
 *
 * <p>Threads: one; whoever judges does so when the client has stopped.
 */
final class Model {
  /**
   * Where something is stored.
   *
   * @param space a byte-key tree, 0 for edges, -1 for totals
   */
  record Place(int space, String key) implements Comparable<Place> {
    static Place of(int space, byte[] key) {
      return new Place(space, new String(key, StandardCharsets.ISO_8859_1));
    }

    byte[] bytes() {
      return key.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public int compareTo(Place that) {
      int order = Integer.compare(space, that.space);
      return order != 0 ? order : key.compareTo(that.key);
    }

    @Override
    public String toString() {
      return space + ":" + java.util.HexFormat.of().formatHex(bytes());
    }
  }

  private final TreeMap<Place, byte[]> acknowledged = new TreeMap<>();
  private final TreeMap<Place, byte[]> pending = new TreeMap<>(); // null: removed

  /** What is acknowledged. */
  NavigableMap<Place, byte[]> acknowledged() {
    return acknowledged;
  }

  /** What the client will find: acknowledged and what it writes now. */
  byte[] get(Place place) {
    return pending.containsKey(place) ? pending.get(place) : acknowledged.get(place);
  }

  void put(Place place, byte[] value) {
    pending.put(place, value);
  }

  void remove(Place place) {
    pending.put(place, null);
  }

  /** The commit returned. */
  void acknowledge() {
    merge(acknowledged);
    pending.clear();
  }

  /** Nothing of it was done. */
  void abort() {
    pending.clear();
  }

  /** Whether an outcome is not known yet. */
  boolean isPending() {
    return !pending.isEmpty();
  }

  /** How many places of a kind the store will hold if the commit happens. */
  long countAfter(Predicate<Place> kind) {
    long count = acknowledged.keySet().stream().filter(kind).count();
    for (Map.Entry<Place, byte[]> write : pending.entrySet()) {
      if (kind.test(write.getKey())) {
        boolean before = acknowledged.containsKey(write.getKey());
        boolean after = write.getValue() != null;
        count += (after ? 1 : 0) - (before ? 1 : 0);
      }
    }
    return count;
  }

  private void merge(Map<Place, byte[]> into) {
    pending.forEach(
        (place, value) -> {
          if (value == null) {
            into.remove(place);
          } else {
            into.put(place, value);
          }
        });
  }

  /**
   * Compares what was found after a crash, and goes on from there.
   *
   * @return what is wrong, null if nothing is
   */
  String settle(Map<Place, byte[]> found) {
    List<String> lost = differences(acknowledged, found);
    if (lost.isEmpty()) {
      pending.clear();
      return null;
    }
    if (isPending()) {
      TreeMap<Place, byte[]> whole = new TreeMap<>(acknowledged);
      merge(whole);
      List<String> torn = differences(whole, found);
      if (torn.isEmpty()) {
        acknowledge();
        return null;
      }
      return "neither before the commit in flight: " + lost + "\n  nor after it: " + torn;
    }
    return "not what was acknowledged: " + lost;
  }

  private static List<String> differences(Map<Place, byte[]> expected, Map<Place, byte[]> found) {
    List<String> differences = new ArrayList<>();
    expected.forEach(
        (place, value) -> {
          byte[] other = found.get(place);
          if (other == null) {
            differences.add("missing " + place);
          } else if (!Arrays.equals(value, other)) {
            differences.add("wrong " + place);
          }
        });
    found.forEach(
        (place, value) -> {
          if (!expected.containsKey(place)) {
            differences.add("unexpected " + place);
          }
        });
    return differences.size() <= 20 ? differences : differences.subList(0, 20);
  }
}

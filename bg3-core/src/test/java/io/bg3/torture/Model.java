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

  private static final int SHOWN = 10;

  /** What is sure to be there after a crash. */
  private TreeMap<Place, byte[]> durable = new TreeMap<>();

  /**
   * What was acknowledged since then and may be lost, oldest first; only where commits are not
   * synced.
   */
  private final List<TreeMap<Place, byte[]>> unsure = new ArrayList<>();

  /** Both together: what readers find. */
  private TreeMap<Place, byte[]> acknowledged = new TreeMap<>();

  /** What is being written; null: removed. */
  private TreeMap<Place, byte[]> pending = new TreeMap<>();

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

  /**
   * The commit returned.
   *
   * @param synced whether that says that no crash takes it back
   */
  void acknowledge(boolean synced) {
    apply(pending, acknowledged);
    if (synced) {
      apply(pending, durable);
    } else {
      unsure.add(pending);
    }
    pending = new TreeMap<>();
  }

  /** Nothing of it was done. */
  void abort() {
    pending.clear();
  }

  /** Everything acknowledged is on the disk. */
  void synced() {
    unsure.forEach(batch -> apply(batch, durable));
    unsure.clear();
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

  /**
   * Compares what was found after a crash with every state that it may have left: what was durable,
   * and from there one commit after another to the one in flight. Goes on from the one that it is.
   *
   * @return what is wrong, null if nothing is
   */
  String settle(Map<Place, byte[]> found) {
    List<TreeMap<Place, byte[]>> batches = new ArrayList<>(unsure);
    if (!pending.isEmpty()) {
      batches.add(pending);
    }
    TreeMap<Place, byte[]> state = new TreeMap<>(durable);
    StringBuilder wrong = new StringBuilder();
    for (int i = 0; ; i++) {
      List<String> differences = differences(state, found);
      if (differences.isEmpty()) {
        goOnFrom(state);
        return null;
      }
      wrong.append("\n  not the state ").append(i).append(" of ").append(batches.size());
      wrong.append(" after what is durable: ").append(differences);
      if (i == batches.size()) {
        return wrong.toString();
      }
      apply(batches.get(i), state);
    }
  }

  private void goOnFrom(Map<Place, byte[]> state) {
    durable = new TreeMap<>(state);
    acknowledged = new TreeMap<>(state);
    unsure.clear();
    pending.clear();
  }

  private static void apply(Map<Place, byte[]> batch, Map<Place, byte[]> to) {
    batch.forEach(
        (place, value) -> {
          if (value == null) {
            to.remove(place);
          } else {
            to.put(place, value);
          }
        });
  }

  private static List<String> differences(Map<Place, byte[]> expected, Map<Place, byte[]> found) {
    List<String> differences = new ArrayList<>();
    for (Map.Entry<Place, byte[]> entry : expected.entrySet()) {
      byte[] other = found.get(entry.getKey());
      if (other == null) {
        differences.add("missing " + entry.getKey());
      } else if (!Arrays.equals(entry.getValue(), other)) {
        differences.add("wrong " + entry.getKey());
      }
      if (differences.size() == SHOWN) {
        return differences;
      }
    }
    for (Place place : found.keySet()) {
      if (!expected.containsKey(place)) {
        differences.add("unexpected " + place);
      }
      if (differences.size() == SHOWN) {
        return differences;
      }
    }
    return differences;
  }
}

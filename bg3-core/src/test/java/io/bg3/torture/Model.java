package io.bg3.torture;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * The acknowledged writes of one client, and its pending ones: after a crash the store holds the
 * one or the other, as a whole. Every client has keys of its own, so each is judged alone whatever
 * the others did.
 *
 * <p>Threads: one; the answers are judged when the client has stopped.
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

  /**
   * The writes of one commit, and when the client began it and got its answer, by a clock that all
   * clients share.
   */
  private record Batch(TreeMap<Place, byte[]> writes, long begun, long answered) {}

  private static final int SHOWN = 10;

  /** The writes that every crash leaves. */
  private TreeMap<Place, byte[]> durable = new TreeMap<>();

  /**
   * Batches acknowledged since then that a crash may lose, oldest first; only where commits are not
   * synced.
   */
  private final List<Batch> unsure = new ArrayList<>();

  /** Both together: what readers find. */
  private TreeMap<Place, byte[]> acknowledged = new TreeMap<>();

  /** The pending writes; null: removed. */
  private TreeMap<Place, byte[]> pending = new TreeMap<>();

  private long pendingBegun;
  private final AtomicInteger acknowledgedCount = new AtomicInteger();
  private int unsureFrom; // number of the oldest commit in unsure, as acknowledgedCount counts
  private long keptBegun;
  private long lostAnswered = Long.MAX_VALUE;

  /** The acknowledged writes. */
  NavigableMap<Place, byte[]> acknowledged() {
    return acknowledged;
  }

  /** The value that the client reads: its pending write, or else the acknowledged one. */
  byte[] get(Place place) {
    return pending.containsKey(place) ? pending.get(place) : acknowledged.get(place);
  }

  void put(Place place, byte[] value) {
    pending.put(place, value);
  }

  void remove(Place place) {
    pending.put(place, null);
  }

  /** A transaction begins, at this time. */
  void begin(long now) {
    pendingBegun = now;
  }

  /**
   * The commit returned.
   *
   * @param synced whether that says that no crash takes it back
   */
  void acknowledge(boolean synced, long now) {
    apply(pending, acknowledged);
    if (synced) {
      apply(pending, durable);
      unsureFrom++;
    } else {
      unsure.add(new Batch(pending, pendingBegun, now));
    }
    pending = new TreeMap<>();
    acknowledgedCount.incrementAndGet();
  }

  /** How many commits have returned so far; for any thread. */
  int acknowledgedCount() {
    return acknowledgedCount.get();
  }

  /** Nothing of it was done. */
  void abort() {
    pending.clear();
  }

  /** So many commits, counted from the first, are on the disk. */
  void synced(int count) {
    while (unsureFrom < count && !unsure.isEmpty()) {
      apply(unsure.remove(0).writes(), durable);
      unsureFrom++;
    }
  }

  /** When the newest commit was begun that the last crash may have taken and has not. */
  long keptBegun() {
    return keptBegun;
  }

  /** When the oldest commit had returned that the last crash has taken. */
  long lostAnswered() {
    return lostAnswered;
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
    List<Batch> batches = new ArrayList<>(unsure);
    if (!pending.isEmpty()) {
      batches.add(new Batch(pending, pendingBegun, Long.MAX_VALUE));
    }
    TreeMap<Place, byte[]> state = new TreeMap<>(durable);
    StringBuilder wrong = new StringBuilder();
    for (int i = 0; ; i++) {
      List<String> differences = differences(state, found);
      if (differences.isEmpty()) {
        goOnFrom(state, batches, i);
        return null;
      }
      wrong.append("\n  not the state ").append(i).append(" of ").append(batches.size());
      wrong.append(" after what is durable: ").append(differences);
      if (i == batches.size()) {
        return wrong.toString();
      }
      apply(batches.get(i).writes(), state);
    }
  }

  private void goOnFrom(Map<Place, byte[]> state, List<Batch> batches, int kept) {
    durable = new TreeMap<>(state);
    acknowledged = new TreeMap<>(state);
    keptBegun = kept == 0 ? 0 : batches.get(kept - 1).begun();
    lostAnswered = Long.MAX_VALUE;
    TreeMap<Place, byte[]> next = new TreeMap<>(state);
    for (int i = kept; i < batches.size(); i++) {
      apply(batches.get(i).writes(), next);
      if (differences(state, next).isEmpty()) {
        lostAnswered = Long.MAX_VALUE; // it may be there, and so may all before it
      } else {
        lostAnswered = Math.min(lostAnswered, batches.get(i).answered());
      }
    }
    unsureFrom = acknowledgedCount.get();
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

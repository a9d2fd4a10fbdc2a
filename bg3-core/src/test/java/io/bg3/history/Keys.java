package io.bg3.history;

import io.bg3.history.Operation.Kind;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Every key of a history, numbered in ascending order, and how each is read. */
final class Keys {
  private final long[] keys;
  private final Map<Long, Integer> numbers = new HashMap<>();
  private final Kind[] kinds;
  private final boolean[] marks;

  Keys(List<Attempt> attempts) {
    Map<Long, Kind> found = new HashMap<>();
    for (Attempt attempt : attempts) {
      for (Operation operation : attempt.operations()) {
        switch (operation.kind) {
          case APPEND -> found.putIfAbsent(operation.key, Kind.APPEND);
          case READ, SET, COUNT -> readAs(found, operation.key, operation.kind);
          case RANGE, SET_RANGE -> {
            for (long key : operation.keys) {
              readAs(found, key, operation.kind == Kind.RANGE ? Kind.READ : Kind.SET);
            }
          }
        }
      }
    }
    keys = found.keySet().stream().mapToLong(Long::longValue).sorted().toArray();
    kinds = new Kind[keys.length];
    marks = new boolean[keys.length];
    for (int i = 0; i < keys.length; i++) {
      numbers.put(keys[i], i);
      kinds[i] = found.get(keys[i]);
    }
  }

  private static void readAs(Map<Long, Kind> found, long key, Kind kind) {
    Kind before = found.put(key, kind);
    if (before == Kind.READ && kind == Kind.COUNT) {
      found.put(key, Kind.READ);
    } else if (before != null
        && before != kind
        && before != Kind.APPEND
        && !(before == Kind.COUNT && kind == Kind.READ)) {
      throw new IllegalArgumentException(
          "a key is read in two ways: key=" + key + ", kinds=" + before + ", " + kind);
    }
  }

  int count() {
    return keys.length;
  }

  long key(int number) {
    return keys[number];
  }

  int number(long key) {
    return numbers.get(key);
  }

  /** READ for a list, SET, COUNT for a list of which only counts are known. */
  Kind kind(int number) {
    return kinds[number] == Kind.APPEND ? Kind.READ : kinds[number];
  }

  /** Whether a range of lists (or of sets) covers this key. */
  boolean isReadAs(int number, Kind kind) {
    return kinds[number] == Kind.APPEND || kinds[number] == kind;
  }

  int firstAtOrAbove(long low) {
    int at = Arrays.binarySearch(keys, low);
    return at >= 0 ? at : -at - 1;
  }

  /** A mark for each key, all of them false; who sets some clears them. */
  boolean[] marks() {
    return marks;
  }
}

package io.bg3.history;

import io.bg3.history.Operation.Kind;
import java.util.List;

/**
 * The values of one key that one transaction saw, without its own writes.
 *
 * @param key dense number of the key
 * @param values all values seen, its own among them; null for a count
 * @param seen how many of them (or how many a count said) are not its own
 * @param absent whether a range did not return the key
 */
record Observation(int key, Kind kind, Values values, int seen, boolean absent) {
  private static final Values NONE = new Values(new int[0]);

  /** Wraps an array, so that nobody compares two of them by identity. */
  static final class Values {
    final int[] array;

    Values(int[] array) {
      this.array = array;
    }
  }

  /** Gets every observation of a transaction, in order. */
  interface Visitor {
    void visit(Observation observation);
  }

  /** Marks an observation that contradicts the transaction's own writes. */
  static final int INTERNAL = -1;

  int[] array() {
    return values.array;
  }

  static void each(Attempt attempt, Keys keys, Visitor visitor) {
    List<Operation> operations = attempt.operations();
    boolean writes = operations.stream().anyMatch(o -> o.kind == Kind.APPEND);
    for (int i = 0; i < operations.size(); i++) {
      Operation operation = operations.get(i);
      switch (operation.kind) {
        case APPEND -> {}
        case READ, SET -> {
          int[] own = writes ? own(operations, i, operation.key) : NONE.array;
          visitor.visit(of(keys.number(operation.key), operation.kind, operation.values, own));
        }
        case COUNT -> {
          int own = writes ? own(operations, i, operation.key).length : 0;
          int seen = operation.values[0] < own ? INTERNAL : operation.values[0] - own;
          visitor.visit(new Observation(keys.number(operation.key), Kind.COUNT, null, seen, false));
        }
        case RANGE, SET_RANGE -> range(operations, writes ? i : 0, operation, keys, visitor);
      }
    }
  }

  private static void range(
      List<Operation> operations, int at, Operation range, Keys keys, Visitor visitor) {
    Kind kind = range.kind == Kind.RANGE ? Kind.READ : Kind.SET;
    for (int i = 0; i < range.keys.length; i++) {
      int[] own = own(operations, at, range.keys[i]);
      visitor.visit(of(keys.number(range.keys[i]), kind, range.rows[i], own));
    }
    boolean[] returned = keys.marks();
    for (long key : range.keys) {
      returned[keys.number(key)] = true;
    }
    for (int key = keys.firstAtOrAbove(range.key); key < keys.count(); key++) {
      if (keys.key(key) >= range.high) {
        break;
      }
      if (!returned[key] && keys.isReadAs(key, kind)) {
        int seen = own(operations, at, keys.key(key)).length > 0 ? INTERNAL : 0;
        visitor.visit(new Observation(key, kind, NONE, seen, true));
      }
    }
    for (long key : range.keys) {
      returned[keys.number(key)] = false;
    }
  }

  private static Observation of(int key, Kind kind, int[] values, int[] own) {
    int seen = values.length - own.length;
    if (seen < 0) {
      seen = INTERNAL;
    } else if (kind == Kind.READ) {
      for (int i = 0; i < own.length; i++) {
        if (values[seen + i] != own[i]) {
          seen = INTERNAL;
          break;
        }
      }
    } else {
      for (int value : own) {
        if (!contains(values, value)) {
          seen = INTERNAL;
          break;
        }
      }
    }
    return new Observation(key, kind, new Values(values), seen, false);
  }

  private static boolean contains(int[] values, int wanted) {
    for (int value : values) {
      if (value == wanted) {
        return true;
      }
    }
    return false;
  }

  /**
   * The values that the transaction had appended to the key before its operation {@code before}.
   */
  private static int[] own(List<Operation> operations, int before, long key) {
    int count = 0;
    for (int i = 0; i < before; i++) {
      Operation operation = operations.get(i);
      if (operation.kind == Kind.APPEND && operation.key == key) {
        count++;
      }
    }
    if (count == 0) {
      return NONE.array;
    }
    int[] own = new int[count];
    for (int i = 0, to = 0; i < before; i++) {
      Operation operation = operations.get(i);
      if (operation.kind == Kind.APPEND && operation.key == key) {
        own[to++] = operation.values[0];
      }
    }
    return own;
  }
}

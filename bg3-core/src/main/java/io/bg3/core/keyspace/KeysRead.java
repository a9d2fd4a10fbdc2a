package io.bg3.core.keyspace;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Keys of 8 bytes, each once, in an open hash table without an object for each. Clients choose ids
 * of vertices, which these keys are, so the hash has a part that they do not know.
 *
 * <p>Belongs to one thread.
 */
final class KeysRead {
  private static final int FIRST_ROOM = 16;
  private static final long SECRET = new SplittableRandom().nextLong() | 1;
  private static final long SCATTER = 0x9E3779B97F4A7C15L;
  private static final long[] NONE = {};

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private long[] places = NONE; // 0 for a free one
  private int used;
  private boolean hasZero;

  /** The number of keys. */
  int count() {
    return used + (hasZero ? 1 : 0);
  }

  /** Adds a key; false if it is there. */
  boolean add(byte[] key) {
    assert key.length == Long.BYTES : key.length;
    return add((long) LONGS.get(key, 0));
  }

  /** Adds the key whose bytes are a number in big-endian order; false if it is there. */
  boolean add(long number) {
    if (number == 0) {
      boolean isNew = !hasZero;
      hasZero = true;
      return isNew;
    }
    if (isFull()) {
      grow(used + 1);
    }
    int at = find(number);
    if (places[at] == number) {
      return false;
    }
    places[at] = number;
    used++;
    return true;
  }

  /** Whether a key was added. */
  boolean contains(byte[] key) {
    assert key.length == Long.BYTES : key.length;
    long number = (long) LONGS.get(key, 0);
    return number == 0 ? hasZero : used > 0 && places[find(number)] == number;
  }

  /** Where a key is, or has its free place. */
  private int find(long number) {
    long product = number * SECRET;
    long hash = (product ^ (product >>> Integer.SIZE)) * SCATTER;
    int at = (int) (hash >>> Integer.SIZE) & (places.length - 1);
    while (places[at] != 0 && places[at] != number) {
      at = (at + 1) & (places.length - 1);
    }
    return at;
  }

  private boolean isFull() {
    return 8 * used >= 5 * places.length;
  }

  /**
   * Makes room at once for keys that are about to be added, if there is none for the next of them:
   * the table would else grow again and again.
   */
  void expect(int more) {
    if (isFull()) {
      grow(used + more);
    }
  }

  /** Makes the table twice as large, or larger if so many keys need more. */
  private void grow(int keys) {
    long[] old = places;
    int room = Math.max(FIRST_ROOM, 2 * old.length);
    while (8L * keys > 5L * room) {
      room *= 2;
    }
    places = new long[room];
    for (long number : old) {
      if (number != 0) {
        places[find(number)] = number;
      }
    }
  }

  /** Shows each key, ascending as unsigned bytes. */
  void each(Consumer<byte[]> visitor) {
    long[] sorted = new long[count()];
    int next = 0;
    for (long number : places) {
      if (number != 0) {
        sorted[next++] = number ^ Long.MIN_VALUE; // in the order of signed numbers
      }
    }
    if (hasZero) {
      sorted[next] = Long.MIN_VALUE;
    }
    Arrays.sort(sorted);
    for (long number : sorted) {
      byte[] key = new byte[Long.BYTES];
      LONGS.set(key, 0, number ^ Long.MIN_VALUE);
      visitor.accept(key);
    }
  }

  /** Forgets all keys. */
  void clear() {
    places = NONE;
    used = 0;
    hasZero = false;
  }
}

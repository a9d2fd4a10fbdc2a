package io.bg3.gremlin.process.traversal.step.util;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The vertices that {@code dedup()} has seen: those of the step's graph by their internal ids, in
 * open hash tables without an object for each. Belongs to one thread.
 *
 * <pre>
 *   hash of an id    first bits: its table                 other bits: its place
 *
 *   directory        00     01     10     11               twice as long when a table is divided
 *                     |      |      |      |               whose bits are all of the directory's
 *   tables          [000    001]  [10]   [11]              each grows and is divided alone
 * </pre>
 *
 * <p>A table never takes more than 256 KiB, so the set grows in small steps: whoever watches the
 * heap notices that it fills before it is full. Clients choose ids, so the hash has a part that
 * they do not know.
 */
public final class SeenVertices {
  private static final int FIRST_ROOM = 64;
  private static final int MOST_ROOM = 1 << 15;
  private static final int MOST_EXPECTED = 1 << 11; // places
  private static final long SECRET = new SplittableRandom().nextLong();
  private static final long SCATTER = 0x9E3779B97F4A7C15L;

  private final long secret;
  private Table[] directory = {new Table(FIRST_ROOM, 0)};
  private int bits; // of a hash that the directory tells apart
  private boolean hasZero;
  private Set<Object> others = Set.of();

  /** An empty set. */
  public SeenVertices() {
    this(SECRET);
  }

  /** An empty set whose hash is known. */
  SeenVertices(long secret) {
    this.secret = secret | 1; // so that no two ids have one hash
  }

  /** Ids whose hashes begin with the same bits. */
  private static final class Table {
    private final int bits;
    private long[] places; // 0 for a free one
    private int count;

    Table(int room, int bits) {
      this.places = new long[room];
      this.bits = bits;
    }

    boolean add(long vertex, long hash) {
      int at = home(hash, places.length);
      while (places[at] != 0) {
        if (places[at] == vertex) {
          return false;
        }
        at = (at + 1) & (places.length - 1);
      }
      places[at] = vertex;
      count++;
      return true;
    }

    boolean isFull() {
      return 8 * count > 5 * places.length;
    }
  }

  /**
   * Makes room for vertices that are about to be added, as far as that takes a few KiB: so a small
   * set does not grow in steps.
   */
  public void expect(int more) {
    Table only = directory[0];
    long wanted = Math.min(MOST_EXPECTED, (only.count + (long) more) * 8 / 5 + 1);
    if (directory.length == 1 && wanted > only.places.length) {
      resize(only, 2 * Integer.highestOneBit((int) wanted - 1));
    }
  }

  /** Adds a vertex by its internal id; false if it was seen before. */
  public boolean add(long vertex) {
    if (vertex == 0) {
      boolean isNew = !hasZero;
      hasZero = true;
      return isNew;
    }
    long hash = hash(vertex);
    Table table = directory[index(hash, bits)];
    if (!table.add(vertex, hash)) {
      return false;
    }
    if (table.isFull()) {
      grow(table, hash);
    }
    return true;
  }

  /** Adds a vertex that the graph does not have, by its id; false if it was seen before. */
  public boolean addOther(Object id) {
    if (others.isEmpty()) {
      others = new HashSet<>();
    }
    return others.add(id);
  }

  private long hash(long vertex) {
    long product = vertex * secret;
    return (product ^ (product >>> Integer.SIZE)) * SCATTER;
  }

  /** The first bits of a hash. */
  private static int index(long hash, int bits) {
    return bits == 0 ? 0 : (int) (hash >>> (Long.SIZE - bits));
  }

  /** Where the search for an id begins in a table: other bits than the first ones. */
  private static int home(long hash, int room) {
    return (int) (hash >>> Integer.SIZE) & (room - 1);
  }

  private void grow(Table table, long hash) {
    if (table.places.length == MOST_ROOM) {
      divide(table, hash);
      return;
    }
    resize(table, 2 * table.places.length);
  }

  private void resize(Table table, int room) {
    long[] old = table.places;
    table.places = new long[room];
    table.count = 0;
    for (long vertex : old) {
      if (vertex != 0) {
        table.add(vertex, hash(vertex));
      }
    }
  }

  /** Puts two tables in place of one, to which a hash belongs. */
  private void divide(Table table, long hash) {
    Table low = new Table(MOST_ROOM, table.bits + 1);
    Table high = new Table(MOST_ROOM, table.bits + 1);
    for (long vertex : table.places) {
      if (vertex != 0) {
        long own = hash(vertex);
        ((index(own, low.bits) & 1) == 0 ? low : high).add(vertex, own);
      }
    }
    if (table.bits == bits) {
      Table[] old = directory;
      directory = new Table[2 * old.length];
      Arrays.setAll(directory, i -> old[i / 2]);
      bits++;
    }
    int half = 1 << (bits - low.bits); // entries of the directory that belong to each
    int first = 2 * half * index(hash, table.bits);
    Arrays.fill(directory, first, first + half, low);
    Arrays.fill(directory, first + half, first + 2 * half, high);
  }

  /** The most places that are looked at to find an id, for tests. */
  int longestSearch() {
    int longest = 0;
    for (Table table : directory) {
      for (int at = 0; at < table.places.length; at++) {
        if (table.places[at] != 0) {
          int home = home(hash(table.places[at]), table.places.length);
          longest = Math.max(longest, 1 + ((at - home) & (table.places.length - 1)));
        }
      }
    }
    return longest;
  }

  /** Bytes of all places and of the largest table, for tests. */
  long[] bytes() {
    long[] bytes = new long[2];
    Arrays.stream(directory)
        .distinct()
        .mapToLong(table -> (long) Long.BYTES * table.places.length)
        .forEach(
            size -> {
              bytes[0] += size;
              bytes[1] = Math.max(bytes[1], size);
            });
    return bytes;
  }
}

package io.bg3.core.transaction;

import static io.bg3.core.forest.TreeIds.EXTERNAL_IDS;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Scans committed entries and a transaction's own in both directions, while the transaction goes on
 * writing, and compares every step with two sorted maps, also where a step goes past several
 * entries. Other transactions commit meanwhile and must not show.
 */
class ScanModelTest {
  private static final int KEYS = 300;
  private static final int LABEL = EdgeKey.tagLabel(EdgeKey.OUT, 3);

  /** An own write: null removes; born when the key was first put. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Own(byte[] value, int born) {}

  static java.util.stream.LongStream seeds() {
    return Seeds.of(6);
  }

  private final TreeMap<Integer, byte[]> base = new TreeMap<>();
  private final TreeMap<Integer, Own> own = new TreeMap<>();
  private int now;

  @ParameterizedTest
  @MethodSource("seeds")
  void aScanShowsWhatWasThereWhenItWasOpenedLessWhatWasRemoved(long seed) throws IOException {
    Random random = new Random(seed);
    try (TestStore store = TestStore.create()) {
      boolean edges = random.nextBoolean();
      fill(store, random, edges);
      Transaction transaction = store.begin();
      for (int i = random.nextInt(3) * 20; i > 0; i--) {
        write(transaction, random, edges);
      }
      for (int scan = 0; scan < 30; scan++) {
        String at = Seeds.say(seed) + ", scan " + scan;
        scan(transaction, random, edges, at);
        if (random.nextInt(3) == 0) {
          disturb(store, random, edges);
        }
      }
      transaction.rollback();
    }
  }

  /** A steady scan that is open, and the numbers that it has yet to show. */
  private record Open(Shown shown, NavigableSet<Integer> left) {}

  @ParameterizedTest
  @MethodSource("seeds")
  void aSteadyScanShowsWhatWasThereWhenItWasOpened(long seed) throws IOException {
    Random random = new Random(seed);
    try (TestStore store = TestStore.create()) {
      boolean edges = random.nextBoolean();
      fill(store, random, edges);
      Transaction transaction = store.begin();
      List<Open> open = new ArrayList<>();
      for (int step = 0; step < 5_000; step++) {
        String at = Seeds.say(seed) + ", step " + step;
        int what = random.nextInt(200);
        if (what == 0) {
          long moment = transaction.steadyNow();
          Shown shown =
              edges
                  ? new ShownEdges(transaction.steadyEdges(7, LABEL, LABEL, true, moment))
                  : new ShownBytes(transaction.steadyScan(EXTERNAL_IDS));
          open.add(new Open(shown, there()));
        } else if (what == 1 && !open.isEmpty()) {
          open.remove(random.nextInt(open.size())).shown.close();
        } else if (what < 80) {
          write(transaction, random, edges);
        } else if (!open.isEmpty()) {
          goOn(open.get(random.nextInt(open.size())), at);
        }
      }
      for (Open each : open) {
        while (goOn(each, Seeds.say(seed) + ", at the end")) {
          // compares
        }
      }
      transaction.rollback();
    }
  }

  /** Has a steady scan go to its next entry, and compares it; false if there is none. */
  private boolean goOn(Open scan, String at) {
    Integer expected = scan.left.pollFirst();
    assertEquals(expected != null, scan.shown.next(), at);
    if (expected == null) {
      return false;
    }
    assertEquals(expected, scan.shown.number(), at);
    boolean isRemoved = !there().contains(expected);
    assertEquals(isRemoved, scan.shown.isRemoved(), at + ", key " + expected);
    byte[] value = scan.shown.value();
    if (!isRemoved) {
      assertArrayEquals(current(expected), value, at + ", key " + expected);
    }
    return true;
  }

  /** The numbers of the keys that are there now. */
  private NavigableSet<Integer> there() {
    NavigableSet<Integer> there = new TreeSet<>(base.keySet());
    own.forEach((k, mine) -> change(there, k, mine.value != null));
    return there;
  }

  private static void change(NavigableSet<Integer> keys, Integer key, boolean isThere) {
    if (isThere) {
      keys.add(key);
    } else {
      keys.remove(key);
    }
  }

  private void fill(TestStore store, Random random, boolean edges) {
    Transaction filler = store.begin();
    for (int i = 0; i < KEYS; i++) {
      if (random.nextInt(3) > 0) {
        byte[] value = value(random);
        base.put(i, value);
        put(filler, i, value, edges);
      }
    }
    filler.commit();
  }

  private static byte[] value(Random random) {
    byte[] value = new byte[random.nextInt(20) == 0 ? 1_500 : random.nextInt(20)];
    random.nextBytes(value);
    return value;
  }

  private static byte[] key(int number) {
    return new byte[] {'k', (byte) (number >> 8), (byte) number};
  }

  private static void put(Transaction transaction, int number, byte[] value, boolean edges) {
    if (edges) {
      transaction.putEdge(7, LABEL, number, 0, value);
    } else {
      transaction.put(EXTERNAL_IDS, key(number), value);
    }
  }

  private static void remove(Transaction transaction, int number, boolean edges) {
    if (edges) {
      transaction.deleteEdge(7, LABEL, number, 0);
    } else {
      transaction.delete(EXTERNAL_IDS, key(number));
    }
  }

  private void write(Transaction transaction, Random random, boolean edges) {
    int number = random.nextInt(KEYS);
    now++;
    if (random.nextInt(3) == 0) {
      remove(transaction, number, edges);
      own.put(number, new Own(null, now));
    } else {
      byte[] value = value(random);
      put(transaction, number, value, edges);
      Own earlier = own.get(number);
      boolean stays = earlier != null && earlier.value != null;
      own.put(number, new Own(value, stays ? earlier.born : now));
    }
  }

  private static void disturb(TestStore store, Random random, boolean edges) {
    Transaction other = store.begin();
    for (int i = 0; i < 10; i++) {
      int number = random.nextInt(KEYS);
      if (random.nextBoolean()) {
        put(other, number, value(random), edges);
      } else {
        remove(other, number, edges);
      }
    }
    other.commit();
  }

  private void scan(Transaction transaction, Random random, boolean edges, String at) {
    ScanOrder order = random.nextBoolean() ? ScanOrder.FORWARD : ScanOrder.BACKWARD;
    int low = edges ? 0 : random.nextInt(KEYS);
    int high = edges ? KEYS : low + random.nextInt(KEYS);
    int opened = now;
    int stop = random.nextInt(3) == 0 ? random.nextInt(50) : Integer.MAX_VALUE;
    Integer last = null;
    int passed = 0;
    try (Shown shown = open(transaction, edges, low, high, order)) {
      while (passed++ < stop) {
        if (random.nextInt(20) == 0) {
          write(transaction, random, edges);
        }
        int most = random.nextInt(10) == 0 ? random.nextInt(60) : 0;
        int there = 0;
        for (Integer on; there < most; there++) {
          on = next(last, low, high, order, opened);
          if (on == null) {
            break;
          }
          last = on;
        }
        assertEquals(there, shown.skip(most), at);
        if (there > 0 && there == most) {
          assertEquals(last, shown.number(), at);
        }
        Integer expected = next(last, low, high, order, opened);
        assertEquals(expected != null, shown.next(), at);
        if (expected == null) {
          assertFalse(shown.next(), at);
          return;
        }
        assertEquals(expected, shown.number(), at);
        if (random.nextBoolean()) {
          assertArrayEquals(current(expected), shown.value(), at + ", key " + expected);
        }
        last = expected;
      }
    }
  }

  private byte[] current(int number) {
    Own mine = own.get(number);
    return mine == null ? base.get(number) : mine.value;
  }

  private Integer next(Integer last, int low, int high, ScanOrder order, int opened) {
    NavigableMap<Integer, Boolean> keys = new TreeMap<>();
    base.keySet().forEach(k -> keys.put(k, true));
    own.forEach(
        (k, mine) -> {
          if (mine.value == null) {
            keys.remove(k);
          } else if (mine.born <= opened) {
            keys.put(k, true);
          }
        });
    NavigableMap<Integer, Boolean> inside = keys.subMap(low, true, high, false);
    if (order == ScanOrder.BACKWARD) {
      inside = inside.descendingMap();
    }
    return last == null ? (inside.isEmpty() ? null : inside.firstKey()) : inside.higherKey(last);
  }

  /** A cursor of either kind. */
  private interface Shown extends AutoCloseable {
    boolean next();

    int skip(int most);

    Integer number();

    byte[] value();

    boolean isRemoved();

    @Override
    void close();
  }

  private static Shown open(
      Transaction transaction, boolean edges, int low, int high, ScanOrder order) {
    if (edges) {
      return new ShownEdges(transaction.edges(7, LABEL, LABEL, true, order));
    }
    return new ShownBytes(transaction.scan(EXTERNAL_IDS, key(low), key(high), order));
  }

  private record ShownEdges(EdgeCursor cursor) implements Shown {
    @Override
    public boolean next() {
      return cursor.next();
    }

    @Override
    public int skip(int most) {
      return cursor.skip(most);
    }

    @Override
    public Integer number() {
      assertTrue(cursor.owner() == 7 && cursor.tagLabel() == LABEL && cursor.sequence() == 0);
      return (int) cursor.other();
    }

    @Override
    public byte[] value() {
      ValueView view = new ValueView();
      cursor.value(view);
      byte[] value = cursor.value();
      byte[] viewed = Arrays.copyOfRange(view.array(), view.start(), view.start() + view.length());
      assertArrayEquals(value, viewed);
      return value;
    }

    @Override
    public boolean isRemoved() {
      return cursor.isRemoved();
    }

    @Override
    public void close() {
      cursor.close();
    }
  }

  private record ShownBytes(ByteCursor cursor) implements Shown {
    @Override
    public boolean next() {
      return cursor.next();
    }

    @Override
    public int skip(int most) {
      int skipped = 0;
      while (skipped < most && cursor.next()) {
        skipped++;
      }
      return skipped;
    }

    @Override
    public Integer number() {
      return (cursor.key()[1] & 0xFF) << 8 | (cursor.key()[2] & 0xFF);
    }

    @Override
    public byte[] value() {
      return cursor.value();
    }

    @Override
    public boolean isRemoved() {
      return cursor.isRemoved();
    }

    @Override
    public void close() {
      cursor.close();
    }
  }
}

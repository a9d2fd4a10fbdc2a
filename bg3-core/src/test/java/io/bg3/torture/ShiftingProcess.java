package io.bg3.torture;

import io.bg3.Settings;
import io.bg3.StoreOnDisk;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.storage.file.RealDisk;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * The process that {@link HeldMemoryIT} looks at: a store whose values are replaced by values of
 * other sizes, all over its keys, again and again.
 *
 * <p>It prints a line for each round and waits for one of input before it ends, so that what it
 * takes can be read while it is there. After each round it takes a checkpoint, evicts what can be,
 * and compares each value with what was written.
 */
public final class ShiftingProcess {
  private static final int IN_COMMIT = 64;

  /** Keys that are replaced together: a few leaves. */
  private static final int RANGE = 256;

  private final StoreOnDisk store;
  private final Random random;
  private final int keys;

  private ShiftingProcess(StoreOnDisk store, Random random, int keys) {
    this.store = store;
    this.random = random;
    this.keys = keys;
  }

  /**
   * Takes the directory, bytes of the budget, the number of keys, a seed, the size above which
   * values are apart from the leaves, and sizes of values.
   */
  public static void main(String[] arguments) throws Exception {
    Settings settings =
        Settings.defaults()
            .with("bg3.memory.budget", arguments[1])
            .with("bg3.durability", "none")
            .with("bg3.page.capacity", "16k")
            .with("bg3.value.threshold", arguments[4])
            .with("bg3.log.limit", "32m");
    int[] sizes = Stream.of(arguments).skip(5).mapToInt(Integer::parseInt).toArray();
    try (StoreOnDisk store = StoreOnDisk.open(settings, RealDisk.open(Path.of(arguments[0])))) {
      ShiftingProcess process =
          new ShiftingProcess(
              store, new Random(Long.parseLong(arguments[3])), Integer.parseInt(arguments[2]));
      for (int round = 0; round < sizes.length; round++) {
        process.replaceAll(round, sizes[round]);
        store.checkpoint();
        store.evict();
        process.expect(round, sizes[round]);
        System.out.println("round=" + round + ", direct=" + direct() + ", " + store.stats());
      }
      System.out.println("done");
      System.in.read();
    }
  }

  /** Bytes of all direct buffers of the JVM. */
  private static long direct() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  /** Replaces all values, range by range in any order. */
  private void replaceAll(int round, int size) {
    List<Integer> ranges = new ArrayList<>();
    for (int first = 0; first < keys; first += RANGE) {
      ranges.add(first);
    }
    if (round > 0) {
      Collections.shuffle(ranges, random);
    }
    for (int first : ranges) {
      for (int from = first; from < Math.min(first + RANGE, keys); from += IN_COMMIT) {
        replace(from, Math.min(from + IN_COMMIT, keys), round, size);
      }
    }
  }

  private void replace(int from, int to, int round, int size) {
    try (Transaction transaction = store.transactions().begin(Isolation.SNAPSHOT, false)) {
      for (int key = from; key < to; key++) {
        transaction.put(TreeIds.VERTICES, key(key), value(key, round, size));
      }
      transaction.commit();
    }
  }

  private void expect(int round, int size) {
    for (int from = 0; from < keys; from += IN_COMMIT) {
      try (Transaction transaction = store.transactions().begin(Isolation.SNAPSHOT, true)) {
        for (int key = from; key < Math.min(from + IN_COMMIT, keys); key++) {
          byte[] found = transaction.get(TreeIds.VERTICES, key(key));
          if (!Arrays.equals(value(key, round, size), found)) {
            throw new AssertionError("key " + key + ": " + Arrays.toString(found));
          }
        }
      }
    }
  }

  private static byte[] key(int i) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(i).array();
  }

  /** Half of the bytes are random, so that compressing them does not take all of the time. */
  private static byte[] value(int key, int round, int size) {
    byte[] value = new byte[size];
    Random bytes = new Random(31L * key + round);
    for (int i = 0; i < size; i += 2 * Long.BYTES) {
      long word = bytes.nextLong();
      for (int b = 0; b < Long.BYTES && i + b < size; b++) {
        value[i + b] = (byte) (word >>> (b * Byte.SIZE));
      }
    }
    return value;
  }
}

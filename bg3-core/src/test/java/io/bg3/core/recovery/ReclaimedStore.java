package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.bg3.core.commit.Durability;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.storage.extent.ExtentUsage;
import io.bg3.storage.extent.NoSuchExtentException;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.format.UnreadableException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** A store with small extents that keeps its space to a bound, and what it should hold. */
final class ReclaimedStore {
  static final int EXTENT = 1 << 12;
  private static final int KEYS_OF_A_COMMIT = 20;
  private static final int NONE = -1;

  /** Bytes of a value that lies in its page. */
  static final int SMALL = 40;

  /** Bytes of a value that lies outside of its page. */
  static final int LARGE = 400;

  /** Steps of a store whose extents are small. */
  private static final class Steps extends CheckpointedStore.Steps {
    private final ReclaimSettings settings;
    private boolean keepsSpace;

    Steps(ReclaimSettings settings) {
      this.settings = settings;
    }

    @Override
    ReclaimSettings reclaim() {
      return settings;
    }

    @Override
    int extentSize() {
      return EXTENT;
    }

    @Override
    boolean keepsSpace() {
      return keepsSpace;
    }
  }

  final CheckpointedStore store;

  /** Values of keys; they consist of one byte. */
  final Map<Integer, Integer> model;

  /** The writes of the commit that has not returned. */
  private final Map<Integer, Integer> unacknowledged = new TreeMap<>();

  /** Bytes of each value. */
  private final int length;

  private final Steps steps;

  private ReclaimedStore(
      CheckpointedStore store, Steps steps, Map<Integer, Integer> model, int length) {
    this.store = store;
    this.steps = steps;
    this.model = model;
    this.length = length;
  }

  static ReclaimedStore open(CrashingDisk disk, double bound, Map<Integer, Integer> model)
      throws IOException {
    return open(disk, new ReclaimSettings(ReclaimPolicy.COST_BENEFIT, bound), model);
  }

  static ReclaimedStore open(
      CrashingDisk disk, ReclaimSettings settings, Map<Integer, Integer> model) throws IOException {
    return open(disk, settings, model, SMALL);
  }

  static ReclaimedStore open(
      CrashingDisk disk, ReclaimSettings settings, Map<Integer, Integer> model, int length)
      throws IOException {
    Steps steps = new Steps(settings);
    return new ReclaimedStore(
        new CheckpointedStore(disk, Durability.SYNC, steps, CheckpointedStore.Replay.FLUSHING),
        steps,
        new TreeMap<>(model),
        length);
  }

  /** Has checkpoints keep to the bound while they write; they do not before. */
  void keepSpaceInCheckpoints() {
    steps.keepsSpace = true;
  }

  /** The store that a crash left of this one. */
  ReclaimedStore reopened(CrashingDisk disk) throws IOException {
    return open(disk, new ReclaimSettings(ReclaimPolicy.COST_BENEFIT, 1.1), model, length);
  }

  /**
   * A store of which a round of reclaiming is due, with nothing but the last manifest's images:
   * each fifth leaf was written anew, or of large values each third.
   */
  static ReclaimedStore fragmented(CrashingDisk disk, int keys) throws IOException {
    return fragmented(disk, keys, SMALL);
  }

  static ReclaimedStore fragmented(CrashingDisk disk, int keys, int length) throws IOException {
    ReclaimedStore filled =
        open(disk, new ReclaimSettings(ReclaimPolicy.COST_BENEFIT, 1.1), Map.of(), length);
    filled.put(0, keys, 1, k -> true);
    filled.store.checkpoint();
    filled.put(0, keys, 2, k -> length == SMALL ? k / 10 % 5 == 0 : k % 3 == 0);
    filled.store.checkpoint();
    return filled;
  }

  /** Writes some of the keys in a range. */
  void put(int from, int to, int value, IntPredicate which) {
    commit(from, to, value, which);
  }

  /** Removes some of the keys in a range. */
  void delete(int from, int to, IntPredicate which) {
    commit(from, to, NONE, which);
  }

  private void commit(int from, int to, int value, IntPredicate which) {
    int[] keys = IntStream.range(from, to).filter(which).toArray();
    for (int i = 0; i < keys.length; i += KEYS_OF_A_COMMIT) {
      int[] some = Arrays.copyOfRange(keys, i, Math.min(i + KEYS_OF_A_COMMIT, keys.length));
      unacknowledged.clear();
      Arrays.stream(some).forEach(key -> unacknowledged.put(key, value));
      try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
        for (int key : some) {
          if (value == NONE) {
            transaction.delete(TreeIds.VERTICES, key(key));
          } else {
            transaction.put(TreeIds.VERTICES, key(key), value(value));
          }
        }
        transaction.commit();
      }
      acknowledge();
    }
  }

  private void acknowledge() {
    unacknowledged.forEach(
        (key, value) -> {
          if (value == NONE) {
            model.remove(key);
          } else {
            model.put(key, value);
          }
        });
    unacknowledged.clear();
  }

  /** Takes the last commit of an earlier life for one that succeeded, if the store holds it. */
  void settleLastCommit(ReclaimedStore before) {
    unacknowledged.putAll(before.unacknowledged);
    boolean there = true;
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, true)) {
      for (Map.Entry<Integer, Integer> entry : unacknowledged.entrySet()) {
        byte[] value = transaction.get(TreeIds.VERTICES, key(entry.getKey()));
        there &= value != null && value[0] == entry.getValue();
      }
    }
    if (there) {
      acknowledge();
    }
    unacknowledged.clear();
  }

  /** Reads a key, and so its page. */
  void read(int key) {
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, true)) {
      assertArrayEquals(value(model.get(key)), transaction.get(TreeIds.VERTICES, key(key)));
    }
  }

  static byte[] key(int i) {
    return new byte[] {7, (byte) (i >>> 16), (byte) (i >>> 8), (byte) i};
  }

  private byte[] value(int value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  /** Copies everything that a round has to, and nothing after it. */
  void reclaimRound() throws IOException {
    boolean more = true;
    while (more) {
      more = store.reclaim();
    }
  }

  /** Does what the thread does that keeps the rows, until it has nothing to do. */
  void settle() throws IOException {
    for (int rounds = 0; rounds < 100; rounds++) {
      reclaimRound();
      if (!store.freesSpace()) {
        return;
      }
      if (!store.nameRows()) {
        store.checkpoint();
      }
    }
    throw new AssertionError("reclaiming comes to no end: " + usage());
  }

  /**
   * Compares all keys up to one with the model, and the accounting of the extents with the rows.
   */
  void check(int keys, String at) {
    assertNull(RowRulesTest.wrongUsage(store), at);
    try {
      compare(keys, at);
    } catch (UnreadableException | NoSuchExtentException e) {
      throw new AssertionError("lost: " + at, e);
    }
    assertEquals(List.of(), store.check(), at);
  }

  private void compare(int keys, String at) {
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, true)) {
      for (int key = 0; key < keys; key++) {
        Integer value = model.get(key);
        assertArrayEquals(
            value == null ? null : value(value),
            transaction.get(TreeIds.VERTICES, key(key)),
            at + ", key " + key);
      }
    }
  }

  /** Bytes of the extents of images. */
  long written() {
    return usage().stream().mapToLong(ExtentUsage::written).sum();
  }

  /** Live bytes of them. */
  long live() {
    return usage().stream().mapToLong(ExtentUsage::liveInFile).sum();
  }

  List<ExtentUsage> usage() {
    return ReclaimChoice.images(store.opened().extents().usage());
  }

  /** The extents of large values. */
  List<ExtentUsage> values() {
    return ReclaimChoice.values(store.opened().extents().usage());
  }

  /** The number of large values that count as wanted. */
  long liveValues() {
    return values().stream().mapToLong(ExtentUsage::liveRecords).sum();
  }
}

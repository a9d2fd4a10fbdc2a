package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.Durability;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.transaction.ByteCursor;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.PowerCut;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Commits, flushes some leaves, takes checkpoints and cuts the power, in random order and each as
 * often as not between the others, and compares the store with a sorted map. After each step the
 * extents have to count as live what the page table or the last manifest names, and nothing else.
 *
 * <p>Replay flushes and evicts all leaves before each one that it writes to, in some lives it takes
 * checkpoints of its own, and the power is cut while it runs.
 *
 * <p>Images and large values are moved out of extents with garbage between the other steps. In some
 * runs a snapshot stays open for ten steps, and reads at their end what it did at their beginning.
 *
 * <p>In most runs all leaves that can be evicted are, after each step.
 *
 * <p>How often keys are removed is drawn for each run, so that in some of them pages come and go
 * between a flush and the manifest.
 */
class RowsModelTest {
  private static final int STEPS = 400;
  private static final AtomicInteger MOVES = new AtomicInteger();
  private static final AtomicLong MOVED_VALUES = new AtomicLong();

  static LongStream seeds() {
    return Seeds.of(12);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void flushesAreWhatTheNextManifestNames(long seed) throws IOException {
    Random random = new Random(seed);
    int keys = 20 + random.nextInt(400);
    int removals = random.nextInt(101);
    NavigableMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
    CrashingDisk disk = new CrashingDisk();
    CheckpointedStore store = open(disk);
    OldReader old = new OldReader();
    boolean evicting = random.nextInt(4) > 0;
    int flushed = 0;
    int moves = 0;
    long moved = 0;
    int evicted = 0;
    CheckpointedStore.Replay[] replays = {
      CheckpointedStore.Replay.FLUSHING, CheckpointedStore.Replay.CHECKPOINTING
    };
    try {
      for (int step = 0; step < STEPS; step++) {
        String at = "-Dbg3.seed=" + seed + ", step " + step;
        switch (random.nextInt(9)) {
          case 0, 1 -> flushed += store.flush(1 + random.nextInt(20));
          case 2 -> store.checkpoint();
          case 8 -> moves += moved(store, random);
          case 3 -> {
            if (random.nextInt(4) == 0) {
              disk = disk.crash(random);
              old.abandon();
              store.abandon();
              store = null;
              while (store == null) {
                disk.cutAtWrite(1 + random.nextInt(200));
                try {
                  store = open(disk, replays[random.nextInt(replays.length)]);
                  disk.heal();
                } catch (PowerCut e) {
                  disk = disk.crash(random);
                }
              }
              compare(model, store, at);
            }
          }
          default -> write(store, random, keys, removals, model);
        }
        if (step % 10 == 0) {
          old.endAsItBegan(at);
          if (random.nextBoolean()) {
            old.begin(store, model);
          }
        }
        moved += store.move();
        evicted += evicting ? store.evict() : 0;
        assertNull(RowRulesTest.wrongUsage(store), at);
        if (random.nextInt(20) == 0) {
          compare(model, store, at);
        }
      }
      old.endAsItBegan("-Dbg3.seed=" + seed + ", at the end");
      store.checkpoint();
      assertEquals(0, store.named().count());
      assertTrue(flushed > 0, "nothing was flushed");
      MOVES.addAndGet(moves);
      assertTrue(moved > 0, "no leaf was moved in memory");
      assertEquals(evicting, evicted > 0, "evicted: " + evicted);
    } finally {
      if (store != null) {
        store.abandon();
      }
    }
  }

  @AfterAll
  static void imagesWereMoved() {
    assertTrue(MOVES.get() > 0, "no image was moved in any run");
    assertTrue(MOVED_VALUES.get() > 0, "no value was moved in any run");
  }

  /** Copies images out of some extents, not always of all that a round begins with. */
  private static int moved(CheckpointedStore store, Random random) throws IOException {
    long before = store.opened().extents().movedBytes(Stream.BASE);
    long values = store.opened().extents().movedBytes(Stream.VALUE);
    boolean more = true;
    for (int slices = random.nextInt(8); more && slices >= 0; slices--) {
      more = store.reclaim();
    }
    MOVED_VALUES.addAndGet(store.opened().extents().movedBytes(Stream.VALUE) - values);
    if (store.freesSpace() && random.nextBoolean() && !store.nameRows()) {
      store.checkpoint();
    }
    return store.opened().extents().movedBytes(Stream.BASE) > before ? 1 : 0;
  }

  /** Small extents, so that there is something to move. */
  private static final class Moving extends CheckpointedStore.Steps {
    @Override
    ReclaimSettings reclaim() {
      return new ReclaimSettings(ReclaimPolicy.COST_BENEFIT, ReclaimSettings.LEAST);
    }

    @Override
    int extentSize() {
      return 1 << 11;
    }
  }

  private static CheckpointedStore open(CrashingDisk disk) throws IOException {
    return open(disk, CheckpointedStore.Replay.FLUSHING);
  }

  private static CheckpointedStore open(CrashingDisk disk, CheckpointedStore.Replay replay)
      throws IOException {
    return new CheckpointedStore(disk, Durability.SYNC, new Moving(), replay);
  }

  /** A snapshot that stays open for a while, so that older versions do. */
  private static final class OldReader {
    private Transaction transaction;
    private NavigableMap<byte[], byte[]> seen;

    void begin(CheckpointedStore store, NavigableMap<byte[], byte[]> model) {
      transaction = store.transactions().begin(Isolation.STRICT, true);
      seen = new TreeMap<>(model);
    }

    void endAsItBegan(String at) {
      if (transaction != null) {
        compare(seen, transaction, at + ", a snapshot");
        abandon();
      }
    }

    void abandon() {
      if (transaction != null) {
        transaction.close();
        transaction = null;
      }
    }
  }

  private static void write(
      CheckpointedStore store, Random random, int keys, int removals, Map<byte[], byte[]> model) {
    int base = random.nextInt(keys);
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
      for (int i = random.nextInt(12); i >= 0; i--) {
        byte[] key = String.format("k%05d", (base + i) % keys).getBytes(StandardCharsets.US_ASCII);
        if (random.nextInt(100) < removals) {
          transaction.delete(TreeIds.VERTICES, key);
          model.remove(key);
        } else {
          byte[] value = new byte[valueLength(random)];
          random.nextBytes(value);
          transaction.put(TreeIds.VERTICES, key, value);
          model.put(key, value);
        }
      }
      transaction.commit();
    }
  }

  /** Of a value in its page, one of several in an extent, or one in an extent of its own. */
  private static int valueLength(Random random) {
    return switch (random.nextInt(10)) {
      case 0 -> 2_000;
      case 1, 2, 3 -> 110 + random.nextInt(300);
      default -> random.nextInt(60);
    };
  }

  private static void compare(
      NavigableMap<byte[], byte[]> model, CheckpointedStore store, String at) {
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, true)) {
      compare(model, transaction, at);
    }
    assertEquals(List.of(), store.check(), at);
  }

  private static void compare(
      NavigableMap<byte[], byte[]> model, Transaction transaction, String at) {
    TreeMap<byte[], byte[]> left = new TreeMap<>(model);
    try (ByteCursor cursor = transaction.scan(TreeIds.VERTICES, null, null, ScanOrder.FORWARD)) {
      while (cursor.next()) {
        assertArrayEquals(left.remove(cursor.key()), cursor.value(), at);
      }
    }
    assertEquals(0, left.size(), () -> "keys are lost, " + at);
  }
}

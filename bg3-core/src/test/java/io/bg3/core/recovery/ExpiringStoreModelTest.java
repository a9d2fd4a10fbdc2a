package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.transaction.Transaction;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Edges that expire get large values and small ones in turn, in leaves with edges that stay. Leaves
 * are flushed, evicted as a whole or without their values, and split; large values move; snapshots
 * stay open; the power is cut. Behind each checkpoint the extents have to count as live what leaves
 * refer to. How often each step is made is drawn for each run.
 */
class ExpiringStoreModelTest {
  private static final int STEPS = 300;
  private static final int OWNERS = 12;
  private static final int OTHERS = 10;

  private Random random;
  private CrashingDisk disk;
  private ExpiringStore store;
  private Transaction snapshot;
  private NavigableMap<byte[], ExpiringStore.Edge> seen;
  private boolean hasSnapshots;

  static LongStream seeds() {
    return Seeds.of(12);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsLiveIsWhatLeavesReferTo(long seed) throws IOException {
    random = Seeds.random(seed);
    disk = new CrashingDisk();
    store = ExpiringStore.open(disk);
    hasSnapshots = random.nextBoolean();
    int large = 1 + random.nextInt(60);
    int evicting = random.nextInt(4);
    int[] often = random.ints(10, 0, 10).toArray();
    try {
      for (int step = 0; step < STEPS; step++) {
        String at = "-Dbg3.seed=" + seed + ", step " + step;
        write(large);
        step(drawn(often), at);
        if (random.nextInt(8) < evicting) {
          store.store.evict();
        }
        assertNull(RowRulesTest.wrongUsage(store.store), at);
      }
      endSnapshot("-Dbg3.seed=" + seed);
      store.pass(ExpiringStore.TTL);
      checkpoint("-Dbg3.seed=" + seed + ", at the end");
    } catch (RuntimeException | Error e) {
      throw new AssertionError("-Dbg3.seed=" + seed, e);
    } finally {
      store.close();
    }
  }

  private int drawn(int... often) {
    int at = random.nextInt(1 + Arrays.stream(often).sum());
    for (int i = 0; i < often.length; i++) {
      at -= often[i];
      if (at < 0) {
        return i;
      }
    }
    return often.length;
  }

  private void step(int what, String at) throws IOException {
    switch (what) {
      case 0, 1 -> store.store.flush(1 + random.nextInt(8));
      case 2, 3 -> checkpoint(at);
      case 4 -> store.pass(random.nextInt((int) ExpiringStore.TTL));
      case 5 -> store.pass(ExpiringStore.TTL);
      case 6 -> store.store.evictValues();
      case 7 -> reclaim();
      case 8 -> crash(at);
      case 9 -> turnSnapshot(at);
      default -> store.compare(at);
    }
  }

  private void write(int large) {
    long owner = random.nextInt(OWNERS);
    int label = random.nextInt(3) == 0 ? ExpiringStore.STAYS : ExpiringStore.EXPIRES;
    int first = random.nextInt(OTHERS);
    if (random.nextInt(6) == 0) {
      store.remove(owner, label, first);
      return;
    }
    int most = random.nextInt(10) == 0 ? OTHERS : 2;
    int end = first + 1 + random.nextInt(Math.min(most, OTHERS - first));
    boolean isLarge = random.nextInt(100) < large;
    int length = isLarge ? ExpiringStore.LARGE : random.nextInt(ExpiringStore.SMALL);
    store.put(owner, label, first, end, length, random.nextInt(100));
  }

  private void checkpoint(String at) throws IOException {
    store.store.checkpoint();
    long live = store.liveValues();
    long wanted = store.wantedValues();
    assertTrue(
        hasSnapshots ? live >= wanted : live == wanted,
        () -> at + ": live values: " + live + ", wanted: " + wanted);
  }

  private void reclaim() throws IOException {
    boolean more = true;
    while (more) {
      more = store.store.reclaim();
    }
    if (store.store.freesSpace() && random.nextBoolean() && !store.store.nameRows()) {
      store.store.checkpoint();
    }
  }

  private void crash(String at) throws IOException {
    endSnapshot(at);
    disk = disk.crash(random);
    store = store.reopened(disk);
    store.compare(at);
  }

  private void turnSnapshot(String at) {
    if (snapshot != null) {
      endSnapshot(at);
    } else if (hasSnapshots) {
      snapshot = store.reader();
      seen = store.shown();
    }
  }

  private void endSnapshot(String at) {
    if (snapshot != null) {
      ExpiringStore.compare(seen, snapshot, at + ", a snapshot");
      snapshot.close();
      snapshot = null;
    }
  }
}

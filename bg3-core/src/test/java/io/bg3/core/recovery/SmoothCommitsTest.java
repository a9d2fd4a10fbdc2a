package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.Durability;
import io.bg3.core.commit.SteppedPace;
import io.bg3.core.recovery.CheckpointedStore.Replay;
import io.bg3.core.tree.DirtyPages;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.memory.MemoryExceededException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Commits beside flushes and checkpoints on a disk that takes the time of a simulated clock, in a
 * store that is larger than memory. Real commits change real leaves as fast as they may, which is
 * five times as fast as the disk takes leaves. The clock says when each may begin, how long it has
 * waited, and how many there are in each second.
 */
class SmoothCommitsTest {
  private static final long SEED = 17;
  private static final long BUDGET = 2 << 20;
  private static final int KEYS = 60_000;
  private static final int VALUE = 60;
  private static final int WRITERS = 8;
  private static final int FLUSHED = 16;

  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long SECOND = 1_000 * MILLI;
  private static final long COMMIT = MILLI / 5;
  private static final long WRITE = MILLI;
  private static final long SYNC = SECOND / 8;
  private static final long LOOK = 5 * MILLI;
  private static final long IDLE = 5 * MILLI;
  private static final long CHECKPOINT_EVERY = 3 * SECOND;
  private static final long END = 6 * SECOND;

  /** No commit waits longer: as long as one sync takes of the several of a checkpoint. */
  private static final long LONGEST_WAIT = SYNC;

  /** So few are synced. */
  private static final class LargeExtents extends CheckpointedStore.Steps {
    @Override
    int extentSize() {
      return 4 << 20;
    }
  }

  private final Random random = new Random(SEED);
  private CheckpointedStore store;
  private SteppedDisk disk;
  private SteppedPace pace;
  private DirtyPages dirty;
  private long nextCheckpoint = CHECKPOINT_EVERY;

  @RuleTest(
      rule = 35,
      twins =
          @Twin(
              name = "commits are not slowed by dirty pages",
              in = "io.bg3.core.commit.DirtyPace",
              method = "delay"))
  void commitsSlowDownAndNeverStopWhileADiskIsSlow() throws Exception {
    disk = new SteppedDisk(new MemoryDisk(), WRITE, SYNC, this::keepRows);
    store =
        new CheckpointedStore(
            disk,
            Durability.NONE,
            new LargeExtents(),
            new Replay(BUDGET, BUDGET / 16, BUDGET / 8, BUDGET / 64));
    try {
      fill();
      dirty = store.opened().space().dirtyPages();
      pace = new SteppedPace(dirty);
      disk.start();
      int[] commits = run();
      disk.end();
      int[] sorted = Arrays.stream(commits, 1, commits.length).sorted().toArray();
      assertTrue(
          2 * sorted[0] >= sorted[sorted.length / 2],
          () -> "commits in each second: " + Arrays.toString(commits));
      assertEquals(List.of(), store.check());
    } finally {
      store.abandon();
    }
  }

  private void fill() throws IOException {
    store.relieveBudget();
    for (int i = 0; i < KEYS; i += 500) {
      store.putRange(i, i + 500, new byte[VALUE]);
      store.flush(Integer.MAX_VALUE);
    }
    store.checkpoint();
  }

  /** Does the next work of the thread that keeps the rows. */
  private void keepRows() throws IOException {
    if (disk.now() >= nextCheckpoint || store.checkpointer().hasManyChangedRows()) {
      pace.workBegins(disk.now());
      store.checkpoint();
      pace.workEnds(disk.now());
      nextCheckpoint = disk.now() + CHECKPOINT_EVERY;
    } else if (dirty.isMany()) {
      pace.workBegins(disk.now());
      store.flush(FLUSHED);
      pace.workEnds(disk.now());
    } else {
      disk.pause(IDLE);
    }
  }

  /** Commits of writers that take turns; says how many there were in each second. */
  private int[] run() {
    int[] commits = new int[(int) (END / SECOND)];
    Deque<Long> arrivals = new ArrayDeque<>();
    for (int i = 0; i < WRITERS; i++) {
      arrivals.add(0L);
    }
    long ready = 0;
    while (disk.now() < END) {
      if (disk.wakesAt() <= Math.max(ready, disk.now())) {
        disk.proceed();
        continue;
      }
      disk.pass(Math.max(0, ready - disk.now()));
      long delay = pace.delay(disk.now());
      if (delay > 0) {
        ready = disk.now() + Math.min(delay, LOOK);
        continue;
      }
      long waited = disk.now() - arrivals.remove();
      assertTrue(waited <= LONGEST_WAIT, () -> "waited " + waited + " ns, at " + disk.now());
      commit();
      commits[(int) Math.min(commits.length - 1, disk.now() / SECOND)]++;
      arrivals.add(disk.now());
      ready = disk.now() + COMMIT;
    }
    return commits;
  }

  /** No other thread runs meanwhile, so it must not need what a flush would have to give it. */
  private void commit() {
    try {
      store.put(CheckpointedStore.key(random.nextInt(KEYS)), new byte[VALUE]);
    } catch (MemoryExceededException e) {
      throw new AssertionError("no leaf was left to be evicted", e);
    }
  }
}

package io.bg3.core.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.CommitListener;
import io.bg3.core.commit.CommitSettings;
import io.bg3.core.commit.CommitSync;
import io.bg3.core.commit.DurableLog;
import io.bg3.core.commit.OutcomeUnknownException;
import io.bg3.core.commit.PendingCommit;
import io.bg3.core.commit.StoreFailedException;
import io.bg3.core.commit.Totals;
import io.bg3.core.commit.Visibility;
import io.bg3.core.forest.TreeIds;
import io.bg3.storage.Waiting;
import io.bg3.storage.WouldWaitException;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.PowerCut;
import io.bg3.testing.Seeds;
import io.bg3.testing.Together;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Threads commit without waiting for the disk, beside one that waits, until the power is cut or the
 * disk fails. What their listeners were told is compared with what is in the store afterwards.
 */
class UnawaitedCommitsTest {
  private static final int THREADS = 3;
  private static final int TRIES = 20;

  /** A thread with this number syncs for several commits at once, or by itself, as a loop does. */
  private static final int GATHERS = 2;

  private static final int MOST_OF_A_TURN = 4;
  private static final byte[] VALUE = {9};

  private final long seed = Seeds.one();

  /** What the listeners were told of the commits of one store. */
  private static final class Told {
    private final Set<Integer> visible = ConcurrentHashMap.newKeySet();
    private final Set<Integer> unknown = ConcurrentHashMap.newKeySet();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger twice = new AtomicInteger();

    /** Commits; a commit that is visible when it returns has nothing more to say. */
    void commit(Transaction transaction, int number, Turn turn) {
      boolean[] waits = new boolean[1];
      Waiting.forbid();
      try {
        transaction.commitUnawaited(listener(number, waits, turn));
      } finally {
        Waiting.allow();
      }
      if (!waits[0]) {
        visible.add(number);
      }
    }

    private CommitListener listener(int number, boolean[] waits, Turn turn) {
      return new CommitListener() {
        @Override
        public void waits() {
          waits[0] = true;
          waiting.incrementAndGet();
        }

        @Override
        public void needs(CommitSync sync) {
          turn.add(sync);
        }

        @Override
        public void visible() {
          add(visible);
        }

        @Override
        public void unknown(OutcomeUnknownException failure) {
          add(unknown);
        }

        private void add(Set<Integer> to) {
          if (!to.add(number) || visible.contains(number) == unknown.contains(number)) {
            twice.incrementAndGet();
          }
          waiting.decrementAndGet();
        }
      };
    }

    /** Waits until all are told. */
    void await() throws InterruptedException {
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
      while (waiting.get() > 0) {
        assertTrue(System.nanoTime() < end, () -> "not told: count=" + waiting.get());
        TimeUnit.MILLISECONDS.sleep(1);
      }
      assertEquals(0, twice.get());
    }
  }

  /** The commits of a thread that share a sync. */
  private static final class Turn {
    private final int most;
    private int commits;
    private CommitSync sync; // null if none is to be asked for

    Turn(int thread) {
      this.most = thread == GATHERS ? MOST_OF_A_TURN : 1;
    }

    void add(CommitSync asked) {
      sync = asked;
    }

    /** A commit is over; some are the only ones of their turn. */
    void next(int number) {
      commits++;
      if (commits == most || number % 7 <= 1) {
        end();
      }
    }

    void end() {
      boolean isAlone = most > 1 && commits == 1;
      if (sync != null && !(isAlone && sync.syncIfShort())) {
        sync.request();
      }
      sync = null;
      commits = 0;
    }
  }

  private static byte[] key(int number) {
    return new byte[] {(byte) (number >> 16), (byte) (number >> 8), (byte) number};
  }

  /** Commits until the store has failed, or so many times. */
  private static void commit(TestStore store, Told told, int thread, int times) {
    Turn turn = new Turn(thread);
    boolean goesOn = true;
    for (int i = 0; i < times && goesOn; i++) {
      int number = thread << 16 | i;
      goesOn = commit(store, told, number, turn);
      turn.next(number);
    }
    turn.end();
  }

  /** Commits; false if the store has failed. */
  private static boolean commit(TestStore store, Told told, int number, Turn turn) {
    Transaction transaction = store.begin();
    transaction.put(TreeIds.VERTICES, key(number), VALUE);
    try {
      if (number >> 16 == 0) {
        transaction.commit();
        told.visible.add(number);
      } else {
        told.commit(transaction, number, turn);
      }
      return true;
    } catch (WouldWaitException e) { // nothing has happened; as in a server, a thread waits
      transaction.rollback();
      return commitWaiting(store, told, number);
    } catch (StoreFailedException | OutcomeUnknownException | PowerCut e) { // it makes a segment
      return false;
    } finally {
      transaction.rollback();
    }
  }

  /**
   * Commits as a thread does that may wait: for a segment of the log, which it makes, or memory.
   */
  private static boolean commitWaiting(TestStore store, Told told, int number) {
    Transaction transaction = store.begin();
    transaction.put(TreeIds.VERTICES, key(number), VALUE);
    try {
      transaction.commit();
      told.visible.add(number);
      return true;
    } catch (StoreFailedException | OutcomeUnknownException | PowerCut e) { // it makes a segment
      return false;
    } finally {
      transaction.rollback();
    }
  }

  private static boolean isThere(TestStore store, int number) {
    try (Transaction transaction = store.read()) {
      return transaction.get(TreeIds.VERTICES, key(number)) != null;
    }
  }

  @Test
  void eachIsToldOnceAndSeenThen() throws Exception {
    Told told = new Told();
    try (TestStore store = TestStore.open(new CrashingDisk())) {
      Together.run(THREADS, thread -> commit(store, told, thread, 500));
      told.await();
      assertEquals(THREADS * 500, told.visible.size());
      told.visible.forEach(number -> assertTrue(isThere(store, number)));
    }
  }

  /** Closing the store makes durable what nobody waits for. */
  @Test
  void eachIsToldWhenTheStoreCloses() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    Told told = new Told();
    TestStore store = TestStore.open(disk);
    commit(store, told, 1, 200);
    store.close();
    told.await();
    assertEquals(200, told.visible.size());
    try (TestStore again = TestStore.open(disk)) {
      told.visible.forEach(number -> assertTrue(isThere(again, number)));
    }
  }

  @Test
  void whatIsToldVisibleSurvivesAPowerCut() throws Exception {
    for (int i = 0; i < TRIES; i++) {
      assertEquals(0, lost(new ComponentFactory(), i), () -> Seeds.say(seed));
    }
  }

  @Test
  void oneThatIsToldVisibleBeforeItIsDurableIsFound() throws Exception {
    ComponentFactory hasty =
        new ComponentFactory() {
          @Override
          Visibility visibility(PendingCommit origin, Totals totals, DurableLog log) {
            return new Visibility(origin, totals, log) {
              @Override
              public void awaitBy(CommitListener listener, PendingCommit commit) {
                listener.waits();
                listener.visible();
              }
            };
          }
        };
    int lost = 0;
    for (int i = 0; i < TRIES && lost == 0; i++) {
      lost = lost(hasty, i);
    }
    assertTrue(lost > 0, () -> Seeds.say(seed));
  }

  /** Cuts the power at work; the number of commits that are lost though they were told visible. */
  private int lost(ComponentFactory parts, int number) throws Exception {
    Random random = new Random(seed + number);
    CrashingDisk disk = new CrashingDisk();
    Told told = new Told();
    TestStore store = TestStore.open(disk, CommitSettings.DEFAULT, parts);
    disk.cutAtWrite(1 + random.nextInt(100));
    Together.run(THREADS, thread -> commit(store, told, thread, 10_000));
    told.await();
    CrashingDisk rest = disk.crash(random);
    store.kill();
    try (TestStore again = TestStore.open(rest)) {
      return (int) told.visible.stream().filter(one -> !isThere(again, one)).count();
    }
  }

  /** The sync fails: the outcome of what it was to make durable is not known. */
  @Test
  void eachIsToldThatTheDiskHasFailed() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    Told told = new Told();
    TestStore store = TestStore.open(disk);
    commit(store, told, 1, 50);
    told.await();
    disk.failAt(2, CrashingDisk.Fault.EIO, false); // a write succeeds, the sync does not
    commit(store, told, 2, 10_000);
    told.await();
    assertEquals(50, told.visible.stream().filter(one -> one >> 16 == 1).count());
    assertTrue(!told.unknown.isEmpty());
    assertTrue(told.visible.stream().noneMatch(told.unknown::contains));
    store.kill();
  }
}

package io.bg3.core.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.log.LogSettings;
import io.bg3.storage.log.WriteAheadLog;
import io.bg3.testing.Together;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Committers who write and sync the log for one another, and nobody else does. */
class GroupSyncTest {
  private static final int COMMITTERS = 5;
  private static final int COMMITS = 600;
  private static final int RECORD = 20;

  private final CrashingDisk disk = new CrashingDisk();
  private final PendingCommit origin = PendingCommit.origin(0, 0);
  private PendingCommit tail = origin;

  private WriteAheadLog log() throws IOException {
    return WriteAheadLog.create(disk, new LogSettings(1, 8192, 1 << 16, 1 << 20, 4096), 0);
  }

  private synchronized PendingCommit issue(WriteAheadLog log) {
    PendingCommit commit = new PendingCommit(null);
    commit.stamp = tail.stamp + 1;
    commit.end = log.append(ByteBuffer.allocate(RECORD));
    tail.next = commit;
    tail = commit;
    return commit;
  }

  /** A question that comes while the writer takes the one before is not lost. */
  @Test
  void everyQuestionIsTaken() throws Exception {
    GroupSync group = new GroupSync(log());
    AtomicInteger taken = new AtomicInteger();
    AtomicBoolean isEnded = new AtomicBoolean();
    Thread writer =
        new Thread(
            () -> {
              while (!isEnded.get()) {
                taken.addAndGet(group.awaitRequest(1) ? 1 : 0);
              }
            });
    writer.start();
    try {
      for (int asked = 0; asked < 20_000; asked++) {
        int before = taken.get();
        group.request();
        long until = System.nanoTime() + 10_000_000_000L;
        while (taken.get() == before) {
          assertTrue(System.nanoTime() < until, "nobody has taken question " + asked);
          Thread.onSpinWait();
        }
      }
    } finally {
      isEnded.set(true);
      writer.join();
    }
  }

  /** Runs committers; returns those that nobody has woken when all stand still. */
  private int run(WriteAheadLog log, Visibility visibility) throws InterruptedException {
    AtomicInteger done = new AtomicInteger();
    AtomicInteger failed = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < COMMITTERS; i++) {
      Random random = new Random(i);
      Thread thread =
          new Thread(
              () -> {
                try {
                  for (int commits = 0; commits < COMMITS; commits++) {
                    log.reserve(RECORD);
                    PendingCommit commit = issue(log);
                    visibility.markApplied(commit);
                    if (random.nextInt(5) == 0) {
                      visibility.syncIfShort(); // as a loop does, which others may find at it
                    }
                    if (random.nextInt(20) == 0) {
                      visibility.awaitVisible(commit.stamp);
                    } else if (random.nextInt(20) == 0) {
                      Thread.currentThread().interrupt();
                    }
                    visibility.await(commit);
                    Thread.interrupted();
                    if (log.durable() < commit.end || visibility.visible() < commit.stamp) {
                      failed.incrementAndGet();
                    }
                    done.incrementAndGet();
                  }
                } catch (OutcomeUnknownException e) {
                  // The test has given up waiting.
                } catch (IOException | RuntimeException | Error e) {
                  failed.incrementAndGet();
                }
              });
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
    int asleep = asleep(threads, done);
    visibility.fail(new IOException("over"));
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(0, failed.get());
    return asleep;
  }

  private static int asleep(List<Thread> threads, AtomicInteger done) throws InterruptedException {
    int before = -1;
    int same = 0;
    while (same < 1_000) { // 20 s in which nothing happens and all who are left are parked
      if (threads.stream().noneMatch(Thread::isAlive)) {
        return 0;
      }
      Thread.sleep(20);
      boolean parked =
          threads.stream()
              .allMatch(
                  t ->
                      t.getState() == Thread.State.WAITING
                          || t.getState() == Thread.State.TERMINATED);
      same = parked && done.get() == before ? same + 1 : 0;
      before = done.get();
    }
    return (int) threads.stream().filter(Thread::isAlive).count();
  }

  @Test
  void everyCommitterIsServedThoughNoOtherThreadWritesTheLog() throws Exception {
    try (WriteAheadLog log = log()) {
      Visibility visibility = new Visibility(origin, new Totals(), new GroupSync(log));
      assertEquals(0, run(log, visibility));
      assertEquals((long) COMMITTERS * COMMITS, visibility.visible());
    }
  }

  /** A log whose first leader syncs until a committer has come too late and sleeps. */
  private static final class SlowLog implements DurableLog {
    private final AtomicBoolean led = new AtomicBoolean();
    private final Thread late;
    private volatile long durable;

    SlowLog(Thread late) {
      this.late = late;
    }

    @Override
    public long durable() {
      return durable;
    }

    @Override
    public boolean lead(long position) {
      if (!led.compareAndSet(false, true)) {
        return false;
      }
      if (late.getState() == Thread.State.NEW) {
        late.start();
        while (late.getState() != Thread.State.WAITING) {
          LockSupport.parkNanos(100_000);
        }
      }
      durable = position;
      led.set(false);
      return true;
    }

    @Override
    public boolean leadIfShort() {
      return lead(1);
    }
  }

  /** Whether a committer is served who came when the log of another's commit was being synced. */
  private boolean isServed(boolean wakesLeader, boolean isUnawaited) throws InterruptedException {
    PendingCommit first = new PendingCommit(null);
    PendingCommit second = new PendingCommit(null);
    origin.next = first;
    first.next = second;
    first.stamp = 1;
    first.end = 1;
    second.stamp = 2;
    second.end = 2;
    Visibility[] visibility = new Visibility[1];
    Thread late =
        new Thread(
            () -> {
              try {
                visibility[0].await(second);
              } catch (OutcomeUnknownException e) {
                // the test has given up waiting
              }
            });
    visibility[0] =
        new Visibility(origin, new Totals(), new SlowLog(late)) {
          @Override
          void wakeLeader() {
            if (wakesLeader) {
              super.wakeLeader();
            }
          }
        };
    visibility[0].markApplied(first);
    visibility[0].markApplied(second);
    if (isUnawaited) {
      assertTrue(visibility[0].syncIfShort());
    } else {
      visibility[0].await(first);
    }
    late.join(wakesLeader ? 0 : 500);
    boolean served = visibility[0].visible() == second.stamp;
    visibility[0].fail(new IOException("over"));
    late.join();
    return served;
  }

  @Test
  void whoFoundAnotherAtItIsWokenToLead() throws Exception {
    assertTrue(isServed(true, false));
  }

  /** One that waits finds a thread at it that syncs for a commit for which no thread waits. */
  @Test
  void whoFoundAThreadAtItThatDoesNotWaitIsWokenToLead() throws Exception {
    assertTrue(isServed(true, true));
  }

  @Test
  void aLeaderWhoStepsBackAndWakesNobodyIsFound() throws Exception {
    assertFalse(isServed(false, false));
  }

  @Test
  void aThreadThatDoesNotWaitAndStepsBackAndWakesNobodyIsFound() throws Exception {
    assertFalse(isServed(false, true));
  }

  @Test
  void whoLeadsWhenTheSyncFailsTellsAllAndNothingIsShown() throws Exception {
    WriteAheadLog log = log();
    Visibility visibility = new Visibility(origin, new Totals(), new GroupSync(log));
    List<PendingCommit> commits = new ArrayList<>();
    for (int i = 0; i < COMMITTERS; i++) {
      log.reserve(RECORD);
      commits.add(issue(log));
      visibility.markApplied(commits.get(i));
    }
    disk.failAt(2, CrashingDisk.Fault.EIO, false); // the write succeeds, the sync does not
    AtomicInteger unknown = new AtomicInteger();
    Together.run(
        COMMITTERS,
        thread -> {
          var e =
              assertThrows(
                  OutcomeUnknownException.class, () -> visibility.await(commits.get(thread)));
          assertTrue(e.getCause().getMessage().contains("Input/output error"), e.toString());
          unknown.incrementAndGet();
        });
    assertEquals(COMMITTERS, unknown.get());
    assertEquals(0, visibility.visible());
    assertEquals(0, log.durable());
    assertThrows(StoreFailedException.class, () -> visibility.awaitVisible(1));
  }

  @Test
  void oneLeadsAtATimeAndWhoFindsAnotherAtItIsTold() throws Exception {
    try (WriteAheadLog log = log()) {
      GroupSync sync = new GroupSync(log);
      log.reserve(RECORD);
      long end = log.append(ByteBuffer.allocate(RECORD));
      assertEquals(0, sync.durable());
      synchronized (log) { // the leader waits here
        Thread leader =
            new Thread(
                () -> {
                  try {
                    assertTrue(sync.lead(end));
                  } catch (IOException e) {
                    throw new AssertionError(e);
                  }
                });
        leader.start();
        while (leader.getState() != Thread.State.BLOCKED) {
          LockSupport.parkNanos(100_000);
        }
        assertFalse(sync.lead(end));
      }
      sync.settle();
      assertEquals(end, sync.durable());
    }
  }
}

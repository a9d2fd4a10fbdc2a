package io.bg3.core.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.testing.Together;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * Moves the marks along a chain of commits that a test applies and makes durable in its own order.
 */
class VisibilityTest {
  private final AtomicLong durable = new AtomicLong();
  private final Totals totals = new Totals();
  private final PendingCommit origin = PendingCommit.origin(0, 0);
  private final Visibility visibility = new Visibility(origin, totals, durable::get);
  private PendingCommit tail = origin;

  private synchronized PendingCommit issue() {
    TotalIncrements increments = new TotalIncrements();
    increments.add(0, 1);
    PendingCommit commit = new PendingCommit(increments);
    commit.stamp = tail.stamp + 1;
    commit.end = tail.end + 10;
    tail.next = commit;
    tail = commit;
    return commit;
  }

  @Test
  void visibleIsWhatIsAppliedAndDurableWithoutGap() {
    PendingCommit first = issue();
    PendingCommit second = issue();
    PendingCommit third = issue();
    visibility.markApplied(second);
    assertEquals(0, visibility.applied().stamp);
    durable.set(20);
    visibility.advance();
    assertEquals(0, visibility.visible());
    visibility.markApplied(first);
    assertEquals(2, visibility.applied().stamp);
    assertEquals(2, visibility.visible());
    visibility.markApplied(third);
    assertEquals(3, visibility.applied().stamp);
    assertEquals(2, visibility.visible(), "applied and not durable");
    assertEquals(2, totals.read(0, Long.MAX_VALUE));
    durable.set(30);
    visibility.advance();
    assertEquals(3, visibility.visible());
    assertEquals(3, totals.read(0, Long.MAX_VALUE));
  }

  @Test
  void whoWaitsWhenTheLogFailsLearnsThatTheOutcomeIsUnknown() throws InterruptedException {
    PendingCommit first = issue();
    PendingCommit second = issue();
    visibility.markApplied(first);
    visibility.markApplied(second);
    durable.set(10);
    visibility.advance();
    visibility.await(first);
    AtomicInteger unknown = new AtomicInteger();
    Together.run(
        3,
        thread -> {
          if (thread == 0) {
            Thread.sleep(20);
            visibility.fail(new IOException("first"));
            visibility.fail(new IOException("second"));
          } else if (thread == 1) {
            var e = assertThrows(OutcomeUnknownException.class, () -> visibility.await(second));
            assertEquals("first", e.getCause().getMessage());
            unknown.incrementAndGet();
          } else {
            var e = assertThrows(StoreFailedException.class, () -> visibility.awaitVisible(2));
            assertEquals("first", e.getCause().getMessage());
            unknown.incrementAndGet();
          }
        });
    assertEquals(2, unknown.get());
    visibility.await(first);
  }

  @Test
  void whatGoesWrongWhileTheMarksMoveStopsTheStoreAndHoldsUpNobody() {
    Visibility breaks =
        new Visibility(
            origin,
            totals,
            () -> {
              throw new IllegalStateException("broken");
            });
    PendingCommit first = issue();
    PendingCommit second = issue();
    breaks.markApplied(first);
    breaks.markApplied(second);
    assertEquals("broken", breaks.failure().getMessage());
    assertEquals(0, breaks.visible());
    assertThrows(StoreFailedException.class, () -> breaks.awaitVisible(1));
  }

  @Test
  void everyWaiterIsWokenHoweverTheThreadsMeet() throws InterruptedException {
    int committers = 4;
    int each = 5_000;
    AtomicInteger running = new AtomicInteger(committers);
    Together.run(
        committers + 1,
        thread -> {
          Random random = new Random(thread);
          if (thread == committers) {
            while (running.get() > 0) {
              synchronized (this) {
                durable.set(tail.end);
              }
              visibility.advance();
              if (random.nextInt(3) == 0) {
                LockSupport.parkNanos(1);
              }
            }
            return;
          }
          try {
            for (int i = 0; i < each; i++) {
              PendingCommit commit = issue();
              if (random.nextInt(50) == 0) {
                LockSupport.parkNanos(1);
              }
              visibility.markApplied(commit);
              if (random.nextInt(5) == 0) {
                visibility.awaitVisible(commit.stamp);
              }
              visibility.await(commit);
              assertTrue(visibility.visible() >= commit.stamp);
              assertTrue(totals.read(0, Long.MAX_VALUE) >= commit.stamp);
            }
          } finally {
            running.decrementAndGet();
          }
        });
    assertEquals((long) committers * each, visibility.visible());
    assertEquals((long) committers * each, totals.read(0, Long.MAX_VALUE));
  }

  @Test
  void anInterruptDoesNotEndTheWaitAndTheFlagStays() throws InterruptedException {
    PendingCommit commit = issue();
    visibility.markApplied(commit);
    AtomicInteger flags = new AtomicInteger();
    Together.run(
        2,
        thread -> {
          if (thread == 0) {
            Thread.sleep(20);
            durable.set(commit.end);
            visibility.advance();
          } else {
            Thread.currentThread().interrupt();
            visibility.await(commit);
            flags.set(Thread.interrupted() ? 1 : 0);
          }
        });
    assertEquals(1, flags.get());
  }
}

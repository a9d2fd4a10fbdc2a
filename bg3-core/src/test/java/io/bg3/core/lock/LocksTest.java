package io.bg3.core.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.testing.Seeds;
import io.bg3.testing.Together;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Locks gate and stripes from many threads. A thread that holds a stripe counts itself in beside
 * it: an exclusive holder must be alone, a shared one must find no exclusive one. Few stripes, so
 * that they collide.
 */
class LocksTest {
  private static final int EXCLUSIVE = 1 << 20;

  static java.util.stream.LongStream seeds() {
    return Seeds.of(3);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void holdersOfAStripeOrTheGateExcludeEachOther(long seed) throws InterruptedException {
    int stripes = 8;
    Locks locks = new Locks(stripes);
    AtomicIntegerArray holders = new AtomicIntegerArray(stripes);
    AtomicInteger gateHolders = new AtomicInteger();
    Together.run(
        6,
        thread -> {
          Random random = new Random(seed + thread);
          for (int i = 0; i < 5_000; i++) {
            LockSet lockSet = lockSet(random, stripes);
            HeldLocks held = new HeldLocks(locks, lockSet);
            if (lockSet.isGate()) {
              assertEquals(1, gateHolders.incrementAndGet(), Seeds.say(seed));
              for (int s = 0; s < stripes; s++) {
                assertEquals(0, holders.get(s), Seeds.say(seed));
              }
              gateHolders.decrementAndGet();
            } else {
              assertEquals(0, gateHolders.get(), Seeds.say(seed));
              enter(lockSet, holders, seed);
            }
            held.release();
          }
        });
    assertTrue(locks.isIdle());
  }

  private static LockSet lockSet(Random random, int stripes) {
    LockSet lockSet = new LockSet();
    if (random.nextInt(200) == 0) {
      lockSet.addGate();
    }
    for (int i = random.nextInt(3); i >= 0; i--) {
      lockSet.add(random.nextInt(stripes), random.nextInt(3) == 0);
    }
    return lockSet.seal();
  }

  private static void enter(LockSet lockSet, AtomicIntegerArray holders, long seed) {
    for (int i = 0; i < lockSet.count(); i++) {
      boolean exclusive = lockSet.isExclusive(i);
      int before = holders.getAndAdd(lockSet.stripe(i), exclusive ? EXCLUSIVE : 1);
      assertTrue(exclusive ? before == 0 : before < EXCLUSIVE, Seeds.say(seed));
    }
    if (ThreadLocalRandom.current().nextInt(16) == 0) {
      LockSupport.parkNanos(1);
    }
    for (int i = 0; i < lockSet.count(); i++) {
      holders.getAndAdd(lockSet.stripe(i), lockSet.isExclusive(i) ? -EXCLUSIVE : -1);
    }
  }

  @Test
  void anInterruptDoesNotEndTheWaitAndTheFlagStays() throws InterruptedException {
    Locks locks = new Locks(1);
    LockSet one = new LockSet();
    one.add(0, true);
    one.seal();
    HeldLocks mine = new HeldLocks(locks, one);
    CountDownLatch waiting = new CountDownLatch(1);
    AtomicInteger got = new AtomicInteger();
    Thread other =
        new Thread(
            () -> {
              waiting.countDown();
              HeldLocks theirs = new HeldLocks(locks, one);
              got.set(Thread.interrupted() ? 2 : 1);
              theirs.release();
            });
    other.start();
    waiting.await();
    for (int i = 0; i < 5; i++) {
      other.interrupt();
      Thread.sleep(5);
    }
    assertEquals(0, got.get());
    mine.release();
    other.join();
    assertEquals(2, got.get());
    assertTrue(locks.isIdle());
  }

  @Test
  void anExclusiveWaiterIsNotStarvedByAStreamOfSharedHolders() throws InterruptedException {
    Stripes stripes = new Stripes(1);
    AtomicInteger done = new AtomicInteger();
    Together.run(
        4,
        thread -> {
          if (thread == 0) {
            Thread.sleep(20);
            for (int i = 0; i < 20; i++) {
              stripes.lock(0, true);
              stripes.unlock(0, true);
            }
            done.set(1);
            return;
          }
          while (done.get() == 0) { // the holds of three threads overlap
            stripes.lock(0, false);
            LockSupport.parkNanos(1_000);
            stripes.unlock(0, false);
          }
        });
    assertTrue(stripes.isIdle());
  }

  @Test
  void heldLocksAreGivenBackOnce() {
    Locks locks = new Locks(4);
    LockSet lockSet = new LockSet();
    lockSet.add(1, true);
    HeldLocks held = new HeldLocks(locks, lockSet.seal());
    held.expire();
    assertFalse(held.claim(), "expired locks cannot be claimed");
    held.release();
    assertTrue(locks.isIdle());
    HeldLocks again = new HeldLocks(locks, lockSet);
    assertTrue(again.claim());
    again.expire();
    assertFalse(locks.isIdle(), "a commit's locks do not expire");
    again.release();
    again.release();
    assertTrue(locks.isIdle());
  }

  @Test
  void theNumberOfStripesIsAPowerOfTwo() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> new Stripes(12));
    assertEquals("stripes must be a power of two: count=12", e.getMessage());
  }
}

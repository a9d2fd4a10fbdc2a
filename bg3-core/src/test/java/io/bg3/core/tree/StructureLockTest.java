package io.bg3.core.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;

/** Takes a structure lock that is free, that is the thread's own, and that is another thread's. */
class StructureLockTest {
  @Test
  void onlyALockOfAnotherThreadIsWaitedForAndCounted() throws InterruptedException {
    TreeShape shape = new TreeShape();
    Thread other = new Thread(() -> shape.note(new NotedPages()));
    shape.note(new NotedPages());
    shape.lock.lock();
    try {
      shape.note(new NotedPages()); // the lock is its own
      assertEquals(0, shape.waits());
      other.start();
      while (shape.waits() == 0) {
        Thread.onSpinWait();
      }
    } finally {
      shape.lock.unlock();
    }
    other.join();
    assertFalse(shape.lock.isLocked());
    assertEquals(1, shape.waits());
  }
}

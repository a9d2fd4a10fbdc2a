package io.bg3.storage.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Requests that are granted, refused, and waited for. */
class MemoryBudgetTest {
  private final MemoryBudget budget = new MemoryBudget(1000, "bg3.memory.budget");

  @Test
  void grantsUpToTheLimitAndNotAByteMore() {
    budget.request(600);
    assertTrue(budget.tryReserve(400));
    assertFalse(budget.tryReserve(1));
    assertEquals(1000, budget.used());
    budget.release(1);
    assertTrue(budget.tryReserve(1));
  }

  @Test
  void namesTheBudgetTheSettingAndTheNumbers() {
    budget.request(600);
    MemoryExceededException e =
        assertThrows(MemoryExceededException.class, () -> budget.request(500));
    assertEquals(
        "memory budget exceeded: asked=500 bytes, used=600 bytes, limit=1000 bytes,"
            + " setting=bg3.memory.budget",
        e.getMessage());
    assertEquals(500, e.asked());
    assertEquals(600, e.used());
    assertEquals(1000, e.limit());
    assertEquals("bg3.memory.budget", e.setting());
    assertEquals(600, budget.used());
  }

  @Test
  void anOverdrawnBudgetGrantsNothingUntilItIsRepaid() throws InterruptedException {
    budget.setPatience(600_000);
    budget.reserve(1500);
    assertFalse(budget.tryReserve(1));
    Thread thread = new Thread(() -> budget.request(100));
    thread.start();
    thread.join(30);
    budget.release(500);
    thread.join(30);
    assertEquals(1000, budget.used());
    budget.release(100);
    thread.join();
    assertEquals(1000, budget.used());
  }

  @Test
  void requestsAreGrantedInTheOrderOfTheirArrival() throws InterruptedException {
    budget.setPatience(600_000);
    budget.reserve(1000);
    List<Integer> granted = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    int[] bytes = {400, 10, 300, 20};
    for (int i = 0; i < bytes.length; i++) {
      int number = i;
      Thread thread =
          new Thread(
              () -> {
                budget.request(bytes[number]);
                granted.add(number);
                budget.release(bytes[number]);
              });
      threads.add(thread);
      thread.start();
      while (thread.getState() != Thread.State.TIMED_WAITING && thread.isAlive()) {
        Thread.onSpinWait();
      }
    }
    budget.release(30);
    assertFalse(budget.tryReserve(1), "nobody overtakes those who wait");
    assertEquals(List.of(), granted);
    budget.release(400 - 30);
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(0, granted.get(0));
    assertEquals(4, granted.size());
    assertEquals(600, budget.used());
  }

  @Test
  void aRequestThatGivesUpLetsTheNextOneThrough() throws InterruptedException {
    budget.reserve(500);
    Thread hopeless =
        new Thread(() -> assertThrows(MemoryExceededException.class, () -> budget.request(900)));
    hopeless.start();
    while (hopeless.getState() != Thread.State.TIMED_WAITING && hopeless.isAlive()) {
      Thread.onSpinWait();
    }
    budget.request(400);
    assertEquals(900, budget.used());
    hopeless.join();
  }

  @Test
  void anInterruptIsKeptAndDoesNotEndTheWait() {
    budget.reserve(1000);
    Thread.currentThread().interrupt();
    long start = System.nanoTime();
    assertThrows(MemoryExceededException.class, () -> budget.request(1));
    assertTrue(System.nanoTime() - start >= MemoryBudget.PATIENCE_MILLIS * 900_000);
    assertTrue(Thread.interrupted());
  }

  @Test
  void whatCannotFitIsRefusedAtOnce() {
    AtomicInteger reliefs = new AtomicInteger();
    budget.addRelief(bytes -> reliefs.incrementAndGet());
    assertThrows(MemoryExceededException.class, () -> budget.request(1001));
    assertEquals(0, reliefs.get(), "who waits asks for relief first");
  }

  @Test
  void refusesNumbersThatMakeNoSense() {
    assertThrows(IllegalArgumentException.class, () -> new MemoryBudget(0, "x"));
    assertThrows(IllegalArgumentException.class, () -> budget.reserve(-1));
    assertThrows(IllegalArgumentException.class, () -> budget.release(-1));
  }
}

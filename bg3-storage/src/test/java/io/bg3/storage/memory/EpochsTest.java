package io.bg3.storage.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** One thread stands inside, another retires; what is freed when. */
class EpochsTest {
  private final MemoryBudget budget = new MemoryBudget(16 << 20, "bg3.memory.budget");
  private final BlockMemory memory = new BlockMemory(budget);
  private final Epochs epochs = new Epochs();

  @Test
  void aBlockRetiredWhileNobodyIsInsideIsFreedAtOnce() {
    epochs.retire(memory.allocate(1024), memory);
    assertEquals(1024, epochs.pending());
    epochs.reclaim();
    assertEquals(0, epochs.pending());
    assertEquals(0, budget.used());
  }

  @Test
  void aBlockRetiredTwiceIsReportedOnce() {
    long address = memory.allocate(1024);
    epochs.retire(address, memory);
    epochs.retire(address, memory);
    assertThrows(AssertionError.class, epochs::reclaim);
    epochs.retire(memory.allocate(64), memory);
    epochs.reclaim();
  }

  @Test
  void aStalledReaderOnlyDelaysFreeing() throws Exception {
    Reader reader = new Reader();
    for (int i = 0; i < 1000; i++) {
      epochs.retire(memory.allocate(1024), memory);
    }
    epochs.reclaim();
    assertEquals(1000 * 1024, epochs.pending());
    assertEquals(1000 * 1024, budget.used());
    reader.leave();
    epochs.reclaim();
    assertEquals(0, epochs.pending());
    assertEquals(0, budget.used());
  }

  @Test
  void aReaderThatEnteredAfterTheRetirementDelaysNothing() throws Exception {
    epochs.retire(memory.allocate(1024), memory);
    epochs.reclaim();
    Reader reader = new Reader();
    assertEquals(0, epochs.pending());
    reader.leave();
  }

  @Test
  void theOutermostExitLeaves() {
    int outer = epochs.enter();
    int inner = epochs.enter();
    epochs.retire(memory.allocate(64), memory);
    epochs.exit(inner);
    assertTrue(epochs.inside());
    epochs.reclaim();
    assertEquals(64, epochs.pending());
    epochs.exit(outer);
    assertFalse(epochs.inside());
    epochs.reclaim();
    assertEquals(0, epochs.pending());
  }

  @Test
  void retiringAloneReclaimsFromTimeToTime() {
    for (int i = 0; i < 10_000; i++) {
      int ticket = epochs.enter();
      epochs.retire(memory.allocate(4096), memory);
      epochs.exit(ticket);
    }
    assertTrue(epochs.pending() <= 128 * 4096, "pending=" + epochs.pending());
  }

  @Test
  void actionsRunOnceAfterTheReadersLeft() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    Reader reader = new Reader();
    epochs.retire(runs::incrementAndGet);
    epochs.reclaim();
    assertEquals(0, runs.get());
    reader.leave();
    epochs.reclaim();
    epochs.reclaim();
    assertEquals(1, runs.get());
  }

  @Test
  void aDeadThreadHandsBackItsSlotAndWhatItRetired() throws Exception {
    for (int i = 0; i < 50; i++) {
      Thread thread =
          new Thread(
              () -> {
                epochs.enter(); // dies inside
                epochs.retire(memory.allocate(1024), memory);
              });
      thread.start();
      thread.join();
    }
    assertEquals(0, epochs.enter(), "slots are used again");
    epochs.exit(0);
    epochs.reclaim();
    assertEquals(0, epochs.pending());
    assertEquals(0, budget.used());
  }

  @Test
  void quiescenceWaitsForReadersThatWereInsideAndNoOthers() throws Exception {
    Reader before = new Reader();
    AtomicBoolean quiet = new AtomicBoolean();
    Thread waiter =
        new Thread(
            () -> {
              epochs.awaitQuiescence();
              quiet.set(true);
            });
    waiter.start();
    waiter.join(50);
    assertFalse(quiet.get());
    waiter.interrupt();
    Reader after = new Reader();
    waiter.join(20);
    assertFalse(quiet.get(), "an interrupt does not end the wait");
    before.leave();
    waiter.join();
    assertTrue(quiet.get());
    after.leave();
  }

  @Test
  void quiescenceInsideIsRefused() {
    int ticket = epochs.enter();
    assertThrows(IllegalStateException.class, epochs::awaitQuiescence);
    epochs.exit(ticket);
  }

  @Test
  void aRequestIsNotRefusedForWhatIsOnlyRetired() throws Exception {
    Epochs relieving = Epochs.relieving(budget);
    long all = budget.limit();
    for (int i = 0; i < 16; i++) {
      relieving.retire(memory.allocate((int) all / 16), memory);
    }
    budget.request(all);
    budget.release(all);
    CountDownLatch told = new CountDownLatch(1);
    Thread reader =
        new Thread(
            () -> {
              int ticket = relieving.enter();
              relieving.retire(memory.allocate((int) all), memory);
              while (told.getCount() > 0) {
                Thread.onSpinWait();
              }
              relieving.exit(ticket);
            });
    reader.start();
    while (relieving.pending() == 0) {
      Thread.onSpinWait();
    }
    budget.addRelief(
        bytes -> { // after that of the epochs, so that a round of it was in vain
          told.countDown();
          while (reader.isAlive()) {
            Thread.onSpinWait();
          }
        });
    budget.request(all);
    assertEquals(all, budget.used());
    reader.join();
  }

  @Test
  void closingFreesEverything() {
    epochs.retire(memory.allocate(64), memory);
    epochs.close();
    assertEquals(0, budget.used());
  }

  /** A thread that is inside from the constructor on until it is told to leave. */
  private final class Reader {
    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch told = new CountDownLatch(1);
    private final Thread thread = new Thread(this::stay);

    Reader() throws InterruptedException {
      thread.start();
      inside.await();
    }

    private void stay() {
      int ticket = epochs.enter();
      inside.countDown();
      try {
        told.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      epochs.exit(ticket);
    }

    void leave() throws InterruptedException {
      told.countDown();
      thread.join();
    }
  }
}

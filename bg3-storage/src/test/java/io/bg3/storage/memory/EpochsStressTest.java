package io.bg3.storage.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Readers load blocks from a shared array and read them while writers replace, retire and reclaim
 * them as fast as they can. A block that is freed too early shows its poison, its next use shows
 * another block's number. The twins, each with one step left out, must be caught by the same run.
 */
class EpochsStressTest {
  private static final VarHandle POINTERS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int BYTES = 128;

  /**
   * Without R3: the slot's store may wait in the processor's store buffer until after the pointer
   * was loaded. Real processors do so too rarely to rely on in a test (it took between 3 and 60
   * seconds to see), so this twin keeps the store back itself until the reader has its pointer.
   */
  private static final class WithoutFence extends Epochs {
    private final ThreadLocal<Runnable> storeBuffer = ThreadLocal.withInitial(() -> () -> {});

    @Override
    void announce(EpochSlot slot, long now) {
      storeBuffer.set(() -> slot.putEnteredOpaque(now));
    }

    void drainStoreBuffer() {
      storeBuffer.get().run();
    }
  }

  /** Does not say that it is inside: without R2, as if whatever is retired were freed at once. */
  private static final class WithoutSlot extends Epochs {
    @Override
    void announce(EpochSlot slot, long now) {}
  }

  @Test
  void noReaderSeesAFreedBlock() throws InterruptedException {
    assertEquals(0, new Run(new Epochs(), 2, 2).early(1_500, Long.MAX_VALUE));
    assertEquals(0, new Run(new Epochs(), 1, 1).early(1_500, Long.MAX_VALUE));
  }

  @Test
  void theTwinWithoutTheFenceIsCaught() throws InterruptedException {
    assertTrue(new Run(new WithoutFence(), 1, 1).early(600_000, 1) > 0);
  }

  @Test
  void theTwinWithoutTheSlotIsCaught() throws InterruptedException {
    assertTrue(new Run(new WithoutSlot(), 2, 2).early(600_000, 1) > 0);
  }

  /** One run; blocks hold their own address in every word. */
  private static final class Run {
    private final Epochs epochs;
    private final MemoryBudget budget = new MemoryBudget(16 << 20, "bg3.memory.budget");
    private final BlockMemory memory = new BlockMemory(budget);
    private final long[] pointers = new long[4];
    private final int readers;
    private final int writers;
    private final AtomicLong early = new AtomicLong();
    private volatile boolean stop;

    Run(Epochs epochs, int readers, int writers) {
      this.epochs = epochs;
      this.readers = readers;
      this.writers = writers;
    }

    /** Reads that met a freed block within this time, or until there were that many. */
    long early(long millis, long enough) throws InterruptedException {
      for (int i = 0; i < pointers.length; i++) {
        POINTERS.setVolatile(pointers, i, block());
      }
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < readers; i++) {
        threads.add(new Thread(this::read));
      }
      for (int i = 0; i < writers; i++) {
        threads.add(new Thread(this::write));
      }
      threads.forEach(Thread::start);
      long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
      while (System.nanoTime() < deadline && early.get() < enough) {
        Thread.sleep(5);
      }
      stop = true;
      for (Thread thread : threads) {
        thread.join();
      }
      if (enough == Long.MAX_VALUE) {
        epochs.close();
        assertEquals(0, epochs.pending());
        assertEquals((long) pointers.length * BYTES, budget.used(), "nothing leaked");
      }
      return early.get();
    }

    private long block() {
      long address = memory.allocate(BYTES);
      ByteBuffer slab = memory.slab(address);
      for (int at = 0; at < BYTES; at += Long.BYTES) {
        slab.putLong(BlockMemory.offset(address) + at, address);
      }
      return address;
    }

    private void read() {
      for (int i = 0; !stop; i++) {
        int ticket = epochs.enter();
        long address = (long) POINTERS.getAcquire(pointers, i % pointers.length);
        if (epochs instanceof WithoutFence twin) {
          twin.drainStoreBuffer();
        }
        try {
          ByteBuffer slab = memory.slab(address);
          for (int at = 0; at < BYTES; at += Long.BYTES) {
            if (slab.getLong(BlockMemory.offset(address) + at) != address) {
              early.incrementAndGet();
              break;
            }
          }
        } catch (AssertionError e) { // the audit found it first
          early.incrementAndGet();
        }
        epochs.exit(ticket);
      }
    }

    private void write() {
      for (int i = 0; !stop; i++) {
        long old = (long) POINTERS.getAndSet(pointers, i % pointers.length, block());
        epochs.retire(old, memory);
        epochs.reclaim();
      }
    }
  }
}

package io.bg3.storage.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Threads read, write, sync, create and rename real files while another interrupts them as fast as
 * it can. No call may fail, no byte may be wrong, and no interrupt may be swallowed.
 */
class InterruptStormTest {
  private static final int WORKERS = 4;
  private static final int REGION = 64 * 1024;
  private static final long NANOS = 2_000_000_000L;

  @TempDir Path directory;

  /** The observations of one worker. */
  private record Seen(long calls, long interrupts) {}

  @Test
  void noCallFailsAndNoInterruptIsLost() throws Exception {
    try (RealDisk disk = RealDisk.open(directory);
        DiskFile shared = disk.create("shared")) {
      List<Thread> threads = new ArrayList<>();
      ExecutorService pool =
          Executors.newFixedThreadPool(
              WORKERS,
              task -> {
                Thread thread = new Thread(task);
                threads.add(thread);
                return thread;
              });
      List<Future<Seen>> workers = new ArrayList<>();
      for (int i = 0; i < WORKERS; i++) {
        workers.add(pool.submit(worker(disk, shared, i)));
      }
      while (!workers.stream().allMatch(Future::isDone)) {
        for (Thread thread : threads) {
          thread.interrupt();
        }
        if (ThreadLocalRandom.current().nextInt(20) == 0) {
          Thread.sleep(0, ThreadLocalRandom.current().nextInt(500_000));
        }
      }
      long calls = 0;
      for (Future<Seen> worker : workers) {
        Seen seen = worker.get();
        assertTrue(seen.interrupts > 0, seen.toString());
        calls += seen.calls;
      }
      assertTrue(calls > 100, "calls=" + calls);
      pool.shutdown();
    }
  }

  @Test
  void anInterruptBeforeACallIsStillThereAfterIt() throws Exception {
    try (RealDisk disk = RealDisk.open(directory);
        DiskFile file = disk.create("a")) {
      Thread.currentThread().interrupt();
      file.write(ByteBuffer.allocate(100), 0);
      assertTrue(Thread.interrupted());
      Thread.currentThread().interrupt();
      file.sync();
      assertTrue(Thread.interrupted());
      Thread.currentThread().interrupt();
      assertEquals(100, file.read(ByteBuffer.allocate(200), 0));
      assertTrue(Thread.interrupted());
      Thread.currentThread().interrupt();
      disk.syncDirectory();
      assertTrue(Thread.interrupted());
      assertEquals(100, file.size());
      assertFalse(Thread.interrupted());
    }
  }

  @Test
  void anIoThreadCannotBeInterrupted() throws Exception {
    boolean[] interrupted = {true};
    IoThread thread =
        new IoThread(() -> interrupted[0] = Thread.currentThread().isInterrupted(), "test");
    thread.start();
    thread.interrupt();
    thread.join();
    assertFalse(interrupted[0]);
  }

  private static Callable<Seen> worker(RealDisk disk, DiskFile shared, int index) {
    return () -> {
      Random random = new Random(index);
      byte[] model = new byte[REGION];
      shared.write(ByteBuffer.wrap(model), (long) index * REGION);
      long calls = 0;
      long interrupts = 0;
      long deadline = System.nanoTime() + NANOS;
      while (System.nanoTime() < deadline || interrupts == 0 || calls < 50) {
        switch (random.nextInt(10)) {
          case 0 -> shared.sync();
          case 1 -> replaceOwnFile(disk, index, random);
          case 2, 3, 4, 5 -> {
            int from = random.nextInt(REGION);
            byte[] bytes = new byte[random.nextInt(REGION - from) + 1];
            random.nextBytes(bytes);
            System.arraycopy(bytes, 0, model, from, bytes.length);
            shared.write(ByteBuffer.wrap(bytes), (long) index * REGION + from);
          }
          default -> {
            ByteBuffer read = ByteBuffer.allocateDirect(REGION);
            int count = shared.read(read, (long) index * REGION);
            int wrong = read.flip().mismatch(ByteBuffer.wrap(model));
            assertTrue(wrong < 0 || wrong == count, "wrong byte at " + wrong);
          }
        }
        calls++;
        if (Thread.interrupted()) {
          interrupts++;
        }
      }
      return new Seen(calls, interrupts);
    };
  }

  private static void replaceOwnFile(RealDisk disk, int index, Random random) throws Exception {
    String name = "own-" + index;
    byte[] bytes = new byte[random.nextInt(1000)];
    random.nextBytes(bytes);
    try (DiskFile file = disk.create(name + ".new")) {
      file.write(ByteBuffer.wrap(bytes), 0);
      file.sync();
    }
    disk.rename(name + ".new", name);
    disk.syncDirectory();
    try (DiskFile file = disk.open(name)) {
      ByteBuffer read = ByteBuffer.allocate(1000);
      assertEquals(bytes.length, file.read(read, 0));
      assertEquals(ByteBuffer.wrap(bytes), read.flip());
    }
  }
}

package io.bg3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.NewestReader;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.transaction.TransactionManager;
import io.bg3.core.tree.Neighbours;
import io.bg3.storage.file.MemoryDisk;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Closes stores under threads that read: by questions, by transactions, from pages in memory and
 * from pages that have to be loaded. Each thread is told that the store is closed and nothing else;
 * none finds memory or files gone.
 */
class ClosingStoreTest {
  private static final int KEYS = 3_000;
  private static final int ROUNDS = 12;
  private static final int KEPT_STORES = 16;

  /** Of a closed store. Its hints and its noted counts had four times as much. */
  private static final long KEPT_BYTES = 2L << 20;

  /** Reads one key; false if it is not there. */
  private interface Reading {
    boolean read(int key);
  }

  @Test
  void readersOfAStoreThatIsClosedAreToldSo() throws Exception {
    MemoryDisk disk = new MemoryDisk();
    Settings settings =
        Settings.defaults()
            .with(Setting.DURABILITY, "none")
            .with(Setting.PAGE_CAPACITY, "512")
            .with(Setting.MEMORY_BUDGET, "64m");
    fill(settings, disk);
    Queue<String> strange = new ConcurrentLinkedQueue<>();
    for (int round = 0; round < ROUNDS; round++) {
      Bg3 store = Bg3.open(settings, disk);
      CountDownLatch reading = new CountDownLatch(3);
      List<Thread> threads = new ArrayList<>();
      NewestReader questions = store.transactions().newestReader();
      threads.add(
          start(
              strange,
              reading,
              key -> questions.ask(() -> questions.get(TreeIds.PROPERTIES, key(key))) != null));
      for (int i = 0; i < 2; i++) {
        Transaction transaction = store.transactions().begin(Isolation.SNAPSHOT, true);
        threads.add(
            start(strange, reading, key -> transaction.get(TreeIds.PROPERTIES, key(key)) != null));
      }
      reading.await();
      Thread.sleep(round);
      store.close();
      for (Thread thread : threads) {
        thread.join();
      }
    }
    assertEquals(List.of(), List.copyOf(strange));
  }

  /** A server's threads live on when a graph is dropped; so do those of an application. */
  @Test
  void aClosedStoreIsNotKeptByTheThreadsThatHaveUsedIt() throws Exception {
    MemoryDisk disk = new MemoryDisk();
    List<WeakReference<TransactionManager>> closed = new ArrayList<>();
    for (int i = 0; i < 2; i++) { // the second one replays a log
      closed.add(useAndClose(disk));
    }
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (closed.stream().anyMatch(store -> store.get() != null)) {
      assertTrue(System.nanoTime() < deadline, "a closed store is kept");
      System.gc();
      Thread.sleep(10);
    }
  }

  /** An application may keep a closed graph, and a server's shutdown hook keeps the server. */
  @Test
  void aClosedStoreThatIsKeptHasLittleOfTheHeap() throws Exception {
    Settings settings = Settings.defaults().with(Setting.MEMORY_BUDGET, "256m");
    List<Bg3> kept = new ArrayList<>();
    long before = liveBytes();
    for (int i = 0; i < KEPT_STORES; i++) {
      Bg3 store = Bg3.open(settings, new MemoryDisk());
      kept.add(store);
      store.close();
    }
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (liveBytes() - before > KEPT_STORES * KEPT_BYTES) {
      assertTrue(System.nanoTime() < deadline, "closed stores have much of the heap");
    }
    assertEquals(KEPT_STORES, kept.size());
  }

  private static long liveBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Writes, hops, scans and prefetches on the calling thread. */
  private static WeakReference<TransactionManager> useAndClose(MemoryDisk disk) throws IOException {
    int label = EdgeKey.tagLabel(EdgeKey.OUT, 1);
    long[] owners = LongStream.range(0, 200).toArray();
    try (Bg3 store = Bg3.open(Settings.defaults().with(Setting.MEMORY_BUDGET, "64m"), disk)) {
      try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
        for (long owner : owners) {
          transaction.putEdge(owner, label, owner + 1, 0, new byte[40]);
        }
        transaction.commit();
      }
      store.checkpoint();
      store.evict();
      try (Transaction transaction = store.transactions().begin(Isolation.STRICT, true)) {
        Neighbours found = new Neighbours();
        transaction.neighbours(owners, 0, owners.length, label, 10, found);
        assertEquals(owners.length, found.end(owners.length - 1));
        for (long owner : owners) {
          try (EdgeCursor edge = transaction.edgesBetween(owner, label, owner + 1, true)) {
            assertTrue(edge.next());
          }
        }
      }
      return new WeakReference<>(store.transactions());
    }
  }

  private static Thread start(Queue<String> strange, CountDownLatch reading, Reading work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                for (int i = 0; ; i++) {
                  if (!work.read(i * 7 % KEYS)) {
                    strange.add("key is missing: " + i * 7 % KEYS);
                    return;
                  }
                  if (i == 10) {
                    reading.countDown();
                  }
                }
              } catch (IllegalStateException e) {
                if (!"the store is closed".equals(e.getMessage())) {
                  strange.add(e.toString());
                }
              } catch (RuntimeException | Error e) {
                strange.add(e.toString());
              } finally {
                reading.countDown();
              }
            });
    thread.start();
    return thread;
  }

  private static void fill(Settings settings, MemoryDisk disk) throws IOException {
    try (Bg3 store = Bg3.open(settings, disk)) {
      for (int i = 0; i < KEYS; i += 100) {
        try (Transaction transaction = store.transactions().begin(Isolation.SNAPSHOT, false)) {
          for (int k = i; k < i + 100; k++) {
            transaction.put(TreeIds.PROPERTIES, key(k), new byte[40]);
          }
          transaction.commit();
        }
      }
    }
  }

  private static byte[] key(int key) {
    return ByteBuffer.allocate(8).putLong(key).array();
  }
}

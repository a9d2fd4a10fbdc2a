package io.bg3.torture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Settings;
import io.bg3.StoreOnDisk;
import io.bg3.core.commit.OutcomeUnknownException;
import io.bg3.core.commit.StoreFailedException;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.storage.file.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Committers that are faster than checkpoints. */
@Timeout(1_200)
class SlowCheckpointTest {
  private static final long SEED = 5;
  private static final long LIMIT = 1 << 20;
  private static final int THREADS = 3;
  private static final int COMMITS = 3_500;
  private static final int VALUE = 800;
  private static final long SLOW_MICROS = 700;
  private static final long FOR_EVER_MICROS = TimeUnit.HOURS.toMicros(1);

  private static Settings settings() {
    return Settings.defaults()
        .with("bg3.durability", "none")
        .with("bg3.log.limit", String.valueOf(LIMIT))
        .with("bg3.log.segment.min", "64k")
        .with("bg3.log.segment.max", "64k")
        .with("bg3.extent.size", "1m")
        .with("bg3.memory.budget", "64m");
  }

  @Test
  void theLogStaysBelowTwiceItsLimitAndCommitsGoOn() throws Exception {
    SlowDisk disk = new SlowDisk(new MemoryDisk(), SEED);
    try (StoreOnDisk store = StoreOnDisk.open(settings(), disk)) {
      disk.slowDown(FOR_EVER_MICROS);
      List<Future<?>> writers = writers(store);
      untilDelayed(store, 1);
      disk.slowDown(SLOW_MICROS);
      long most = mostLogOf(disk, writers);
      assertTrue(most < 2 * LIMIT, "most log=" + most + ", seed=" + SEED);

      disk.slowDown(0);
      store.checkpoint();
      long delayed = store.stats().delays().commits();
      for (int i = 0; i < LIMIT / 2 / VALUE; i++) {
        put(store, 0, i);
      }
      assertEquals(delayed, store.stats().delays().commits(), "a checkpoint has freed the log");
      assertEquals(List.of(), store.check());
    }
    try (StoreOnDisk store = StoreOnDisk.open(settings(), disk);
        Transaction reader = store.transactions().begin(Isolation.STRICT, true)) {
      for (int writer = 0; writer < THREADS; writer++) {
        for (int i = 0; i < COMMITS; i++) {
          byte[] found = reader.get(TreeIds.PROPERTIES, key(writer, i));
          assertTrue(found != null, "lost: writer=" + writer + ", i=" + i + ", seed=" + SEED);
        }
      }
    }
  }

  @Test
  void whoWaitsLearnsThatTheStoreHasFailed() throws Exception {
    SlowDisk disk = new SlowDisk(new MemoryDisk(), SEED);
    StoreOnDisk store = StoreOnDisk.open(settings(), disk);
    disk.slowDown(FOR_EVER_MICROS);
    List<Future<?>> writers = writers(store);
    untilDelayed(store, THREADS);
    store.transactions().fail(new IOException("planted"));
    for (Future<?> writer : writers) {
      Throwable cause = assertThrows(ExecutionException.class, writer::get).getCause();
      // unknown to one who had waited for long enough and was just in the log
      assertTrue(
          cause instanceof StoreFailedException || cause instanceof OutcomeUnknownException,
          cause::toString);
    }
    disk.slowDown(0);
    IOException e = assertThrows(IOException.class, store::close);
    assertTrue(e.getMessage().contains("stopped writing"), e.getMessage());
  }

  private static void untilDelayed(StoreOnDisk store, int commits) throws InterruptedException {
    while (store.stats().delays().commits() < commits) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  /** One of them with updates, which take their locks before they read. */
  private static List<Future<?>> writers(StoreOnDisk store) {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    List<Future<?>> futures = new ArrayList<>();
    for (int writer = 0; writer < THREADS; writer++) {
      int number = writer;
      futures.add(
          pool.submit(
              () -> {
                for (int i = 0; i < COMMITS; i++) {
                  put(store, number, i);
                }
                return null;
              }));
    }
    pool.shutdown();
    return futures;
  }

  private static void put(StoreOnDisk store, int writer, int i) {
    byte[] key = key(writer, i);
    byte[] value = new byte[VALUE];
    Arrays.fill(value, (byte) i);
    if (writer == 0) {
      store
          .transactions()
          .update(
              new long[] {owner(writer, i)},
              transaction -> {
                transaction.put(TreeIds.PROPERTIES, key, value);
                return null;
              });
      return;
    }
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
      transaction.put(TreeIds.PROPERTIES, key, value);
      transaction.commit();
    }
  }

  private static byte[] key(int writer, int i) {
    return ByteBuffer.allocate(2 * Long.BYTES)
        .putLong(owner(writer, i) ^ Long.MIN_VALUE)
        .putLong(1)
        .array();
  }

  private static long owner(int writer, int i) {
    return 1 + (long) i * THREADS + writer;
  }

  private static long mostLogOf(SlowDisk disk, List<Future<?>> writers) throws Exception {
    long most = 0;
    for (Future<?> writer : writers) {
      while (!writer.isDone()) {
        most = Math.max(most, disk.bytes("log-"));
        TimeUnit.MILLISECONDS.sleep(1);
      }
      writer.get();
    }
    return most;
  }
}

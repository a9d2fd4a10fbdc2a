package io.bg3.torture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Settings;
import io.bg3.StoreOnDisk;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.file.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Writes a gigabyte over a few keys and looks at the disk meanwhile: checkpoints have to keep the
 * log within its limit, and what was overwritten has to go.
 */
class LogLimitIT {
  private static final long WRITTEN = 1L << 30;
  private static final long LIMIT = 32 << 20;

  /** The writer is slowed down while a checkpoint is behind. */
  private static final long MOST_LOG = 2 * LIMIT;

  private static final int VALUE = 48 << 10;
  private static final int KEYS = 200;
  private static final int LOOK = 50;

  @Test
  void aGigabyteOfWritesLeavesTheLogWithinItsLimit() throws Exception {
    Settings settings =
        Settings.defaults()
            .with("bg3.durability", "none")
            .with("bg3.log.limit", String.valueOf(LIMIT))
            .with("bg3.log.segment.min", "1m")
            .with("bg3.log.segment.max", "4m")
            .with("bg3.extent.size", "4m")
            .with("bg3.memory.budget", "128m");
    Disk disk = new MemoryDisk();
    long mostLog = 0;
    long mostExtents = 0;
    long written = 0;
    try (StoreOnDisk store = StoreOnDisk.open(settings, disk)) {
      for (long i = 0; written < WRITTEN; i++) {
        put(store, i);
        written += VALUE;
        if (i % LOOK == 0) {
          mostLog = Math.max(mostLog, bytes(disk, "log-"));
          mostExtents = Math.max(mostExtents, bytes(disk, "extent-"));
        }
      }
      awaitLog(disk, LIMIT);
    }
    System.out.printf(
        "log limit: written=%d MiB, limit=%d MiB, most log=%d MiB, most extents=%d MiB, live=%d"
            + " MiB%n",
        written >> 20, LIMIT >> 20, mostLog >> 20, mostExtents >> 20, ((long) KEYS * VALUE) >> 20);
    assertTrue(mostLog <= MOST_LOG, "the log outgrew its checkpoints: bytes=" + mostLog);
    assertTrue(mostExtents <= 8 * LIMIT, "what was overwritten stays: bytes=" + mostExtents);
    try (StoreOnDisk store = StoreOnDisk.open(settings, disk)) {
      assertEquals(List.of(), store.check());
      verify(store, written / VALUE);
    }
  }

  private static void put(StoreOnDisk store, long i) {
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
      transaction.put(TreeIds.PROPERTIES, key(i), value(i));
      transaction.commit();
    }
  }

  private static void verify(StoreOnDisk store, long count) {
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, true)) {
      for (long i = count - KEYS; i < count; i++) {
        assertTrue(Arrays.equals(value(i), transaction.get(TreeIds.PROPERTIES, key(i))));
      }
    }
  }

  private static byte[] key(long i) {
    return ByteBuffer.allocate(Long.BYTES).putLong(i % KEYS).array();
  }

  private static byte[] value(long i) {
    byte[] value = new byte[VALUE];
    for (int at = 0; at < VALUE; at += Long.BYTES) {
      ByteBuffer.wrap(value).putLong(at, i * 31 + at);
    }
    return value;
  }

  /** The checkpoint that the last writes made due may still be running. */
  private static void awaitLog(Disk disk, long limit) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
    while (bytes(disk, "log-") > limit + limit / 2 && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
    assertTrue(bytes(disk, "log-") <= limit + limit / 2, "log=" + bytes(disk, "log-"));
  }

  private static long bytes(Disk disk, String prefix) throws IOException {
    long bytes = 0;
    for (String name : disk.list()) {
      if (name.startsWith(prefix)) {
        bytes += size(disk, name);
      }
    }
    return bytes;
  }

  /** 0 for a file that is gone meanwhile. */
  private static long size(Disk disk, String name) {
    try (DiskFile file = disk.open(name)) {
      return file.size();
    } catch (IOException e) {
      return 0;
    }
  }
}

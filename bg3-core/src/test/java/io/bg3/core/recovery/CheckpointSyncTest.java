package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.Durability;
import io.bg3.core.forest.TreeIds;
import io.bg3.storage.extent.ExtentSettings;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.file.ForwardingDisk;
import io.bg3.storage.file.ForwardingFile;
import io.bg3.storage.file.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/**
 * A checkpoint syncs what it writes by and by. Behind a sync of all of it at its end, the syncs of
 * commits would wait for a second or longer.
 */
class CheckpointSyncTest {
  private static final int KEYS = 300_000;
  private static final int VALUE = 60;
  private static final int IN_COMMIT = 1_000;

  /** Bytes that may be unsynced: the bound of the engine, and a page. */
  private static final long MOST = (8 << 20) + (1 << 20);

  /** A disk that counts the bytes of extents that were written and not synced. */
  private static final class CountingDisk extends ForwardingDisk {
    private final Map<String, Long> unsynced = new ConcurrentHashMap<>();
    private long most;

    CountingDisk(Disk disk) {
      super(disk);
    }

    @Override
    protected DiskFile wrap(DiskFile file) {
      return file.name().startsWith("extent-") ? new CountedFile(file) : file;
    }

    private void wrote(String name, int bytes) {
      unsynced.merge(name, (long) bytes, Long::sum);
      most = Math.max(most, unsynced.values().stream().mapToLong(Long::longValue).sum());
    }

    private final class CountedFile extends ForwardingFile {
      CountedFile(DiskFile file) {
        super(file);
      }

      @Override
      public void write(ByteBuffer from, long position) throws IOException {
        wrote(file.name(), from.remaining());
        file.write(from, position);
      }

      @Override
      public void sync() throws IOException {
        unsynced.remove(file.name());
        file.sync();
      }
    }
  }

  @Test
  void syncsWhenEnoughIsAppended() throws IOException {
    CountingDisk disk = new CountingDisk(new MemoryDisk());
    ExtentSettings settings = ExtentSettings.of(1, 1 << 24);
    try (ExtentStore extents = ExtentStore.open(disk, settings, List.of())) {
      CheckpointSync sync = new CheckpointSync(extents);
      append(extents, CheckpointSync.PACED_BYTES - 1_000);
      sync.bound(CheckpointSync.PACED_BYTES);
      assertFalse(disk.unsynced.isEmpty(), "synced too early");
      append(extents, 1_000);
      sync.bound();
      assertFalse(disk.unsynced.isEmpty(), "synced as if it was paced");
      sync.bound(CheckpointSync.PACED_BYTES);
      assertEquals(Map.of(), disk.unsynced);
      append(extents, CheckpointSync.UNSYNCED_BYTES - 1_000);
      sync.bound();
      assertFalse(disk.unsynced.isEmpty(), "synced before as much was appended again");
      append(extents, 1_000);
      sync.bound();
      assertEquals(Map.of(), disk.unsynced);
    }
  }

  private static void append(ExtentStore extents, int bytes) throws IOException {
    extents.append(Stream.BASE, (byte) 1, 1, ByteBuffer.allocate(bytes));
  }

  @Test
  void aCheckpointLeavesFewBytesToItsLastSync() throws IOException {
    CountingDisk disk = new CountingDisk(new MemoryDisk());
    CheckpointedStore store =
        new CheckpointedStore(disk, Durability.NONE, new CheckpointedStore.Steps());
    try {
      Random random = new Random(1);
      for (int from = 0; from < KEYS; from += IN_COMMIT) {
        int first = from;
        store.commit(
            all -> {
              for (int i = first; i < first + IN_COMMIT; i++) {
                byte[] value = new byte[VALUE];
                random.nextBytes(value);
                all.put(TreeIds.VERTICES, ReclaimedStore.key(i), value);
              }
            });
      }
      long before = store.opened().extents().appendedBytes();
      store.checkpoint();
      long written = store.opened().extents().appendedBytes() - before;
      assertTrue(written > 2 * MOST, () -> "written=" + written);
      assertTrue(disk.most <= MOST, () -> "unsynced=" + disk.most);
    } finally {
      store.abandon();
    }
  }
}

package io.bg3;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.file.ForwardingDisk;
import io.bg3.storage.file.ForwardingFile;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.file.RealDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Opens stores with direct reads and without, and counts which reads of pages pass the cache by.
 */
class StoreDirectReadsTest {
  private static final int KEYS = 2_000;

  @TempDir private Path directory;

  private static Settings settings(boolean direct) {
    return Settings.defaults()
        .with(Setting.MEMORY_BUDGET, "32m")
        .with(Setting.DURABILITY, "none")
        .with(Setting.IO_DIRECT, Boolean.toString(direct));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theSettingDecidesHowPagesAreRead(boolean direct) throws IOException {
    Counter disk = new Counter(new MemoryDisk());
    writeAndRead(disk, direct);
    assertEquals(direct, disk.directReads.get() > 0, "directReads=" + disk.directReads);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aDirectoryIsReadEitherWay(boolean direct) throws IOException {
    Counter disk = new Counter(RealDisk.open(directory));
    writeAndRead(disk, direct);
    assertEquals(direct, disk.directReads.get() > 0, "directReads=" + disk.directReads);
  }

  @Test
  void anotherValueIsRefused() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> Settings.defaults().with(Setting.IO_DIRECT, "yes"));
    assertTrue(refused.getMessage().contains("bg3.io.direct"), refused.getMessage());
  }

  private static void writeAndRead(Disk disk, boolean direct) throws IOException {
    try (Bg3 store = Bg3.open(settings(direct), disk);
        Transaction writer = store.transactions().begin(Isolation.STRICT, false)) {
      for (int i = 0; i < KEYS; i++) {
        writer.put(TreeIds.META, key(i), new byte[i % 7 == 0 ? 3_000 : 50]);
      }
      writer.commit();
    }
    try (Bg3 store = Bg3.open(settings(direct), disk)) {
      try (Transaction reader = store.transactions().begin(Isolation.STRICT, true)) {
        for (int i = 0; i < KEYS; i++) {
          byte[] expected = new byte[i % 7 == 0 ? 3_000 : 50];
          assertArrayEquals(expected, reader.get(TreeIds.META, key(i)));
        }
      }
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  private static byte[] key(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number + 1_000_000).array();
  }

  /** Counts direct reads. */
  private static final class Counter extends ForwardingDisk {
    private final AtomicInteger directReads = new AtomicInteger();

    Counter(Disk disk) {
      super(disk);
    }

    @Override
    protected DiskFile wrap(DiskFile file) {
      return new ForwardingFile(file) {
        @Override
        public int readDirect(ByteBuffer to, long position) throws IOException {
          directReads.incrementAndGet();
          return super.readDirect(to, position);
        }
      };
    }
  }
}

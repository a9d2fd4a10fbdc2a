package io.bg3.storage.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** The contract, and that zeros cost nothing. */
class MemoryDiskTest extends DiskContract {
  @Override
  Disk disk() {
    return new MemoryDisk();
  }

  @Test
  void preallocatedZerosTakeNoMemory() throws Exception {
    try (MemoryDisk disk = new MemoryDisk()) {
      for (int i = 0; i < 100; i++) { // 100 GiB in a heap of one
        try (DiskFile file = disk.create("f" + i)) {
          file.zero(0, 1L << 30);
          assertEquals(1L << 30, file.size());
          ByteBuffer read = ByteBuffer.allocate(100_000);
          assertEquals(100_000, file.read(read, (1L << 30) - 100_000));
          assertTrue(read.flip().mismatch(ByteBuffer.allocate(100_000)) < 0);
        }
      }
    }
  }
}

package io.bg3.storage.file;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reasons that the system gives, in the exceptions that Java makes of them. */
class IoReasonTest {
  private static boolean isFull(IOException e) {
    return IoReason.isFull(e, new MemoryDisk());
  }

  /** A system in another language says it otherwise. */
  @Test
  void aDiskIsAskedWhereTheReasonIsNotKnown() {
    long[] left = {15 << 20};
    Disk disk =
        new ForwardingDisk(new MemoryDisk()) {
          @Override
          protected DiskFile wrap(DiskFile file) {
            return file;
          }

          @Override
          public long usableBytes() throws IOException {
            if (left[0] < 0) {
              throw new IOException("Input/output error");
            }
            return left[0];
          }
        };
    IOException german = new IOException("Kein Speicherplatz mehr");
    assertTrue(IoReason.isFull(german, disk));
    left[0] = 17 << 20;
    assertFalse(IoReason.isFull(german, disk));
    left[0] = -1;
    assertFalse(IoReason.isFull(german, disk));
    assertTrue(IoReason.isFull(new IOException("No space left on device"), disk));
  }

  @Test
  void aRealDiskSaysWhatIsLeft(@TempDir Path directory) throws IOException {
    try (RealDisk disk = RealDisk.open(directory)) {
      assertTrue(disk.usableBytes() > 0);
    }
  }

  @Test
  void aFullDiskIsToldFromAFailingOne() {
    assertTrue(isFull(new IOException("No space left on device")));
    assertTrue(isFull(new FileSystemException("f", null, "Disk quota exceeded")));
    assertFalse(isFull(new IOException("Input/output error")));
    assertFalse(isFull(new FileSystemException("f", null, "Too many open files")));
    assertFalse(isFull(new IOException()));
  }

  /** The name of a file is not a reason. */
  @Test
  void onlyTheReasonCounts() {
    assertFalse(isFull(new FileSystemException("No space left on device")));
    assertFalse(IoReason.isUnsupported(new FileSystemException("Invalid argument", null, "x")));
    assertTrue(IoReason.isUnsupported(new FileSystemException("f", null, "Invalid argument")));
  }
}

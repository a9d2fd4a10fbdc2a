package io.bg3.storage.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract on the file system, and who may look. */
class RealDiskTest extends DiskContract {
  @TempDir Path temporary;
  private int count;

  @Override
  Disk disk() throws IOException {
    return RealDisk.open(temporary.resolve("deep").resolve("store" + count++));
  }

  @Test
  void onlyTheOwnerMayLook() throws IOException {
    assumeTrue(Files.getFileStore(temporary).supportsFileAttributeView("posix"));
    Path directory = temporary.resolve("private");
    try (RealDisk disk = RealDisk.open(directory)) {
      disk.create("a").close();
    }
    assertEquals("rwx------", permissions(directory));
    assertEquals("rw-------", permissions(directory.resolve("a")));
  }

  @Test
  void messagesNameThePath() throws IOException {
    try (RealDisk disk = RealDisk.open(temporary)) {
      assertEquals(temporary.resolve("a").toString(), disk.describe("a"));
    }
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}

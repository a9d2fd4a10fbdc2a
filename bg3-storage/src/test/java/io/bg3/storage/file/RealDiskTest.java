package io.bg3.storage.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
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

  /** A file of which {@code Files.exists} says no although it cannot tell. */
  @Test
  void aFileThatCannotBeLookedAtIsNotAbsent() throws IOException {
    Path directory = temporary.resolve("store");
    try (RealDisk disk = RealDisk.open(directory)) {
      assertFalse(disk.exists("a"));
      assertThrows(IOException.class, () -> disk.exists("a".repeat(300)));
      Files.delete(directory);
      Files.createFile(directory); // below it there is no directory any more
      assertThrows(IOException.class, () -> disk.exists("a"));
      assertThrows(IOException.class, disk::list);
      Path loop = temporary.resolve("loop");
      Files.createSymbolicLink(loop, loop);
      assertThrows(IOException.class, () -> RealDisk.open(loop));
      assertThrows(IOException.class, () -> PathStatus.of(loop));
      assertEquals(PathStatus.OTHER, PathStatus.of(loop, LinkOption.NOFOLLOW_LINKS));
    }
  }

  @Test
  void aFailureNamesTheFile() throws IOException {
    try (RealDisk disk = RealDisk.open(temporary);
        DiskFile full =
            new RealFile("full", Path.of("/dev/full"), true, new DirectReads(Path.of("/dev")))) {
      assumeTrue(Files.exists(Path.of("/dev/full")));
      IOException e = assertThrows(IOException.class, () -> full.write(ByteBuffer.allocate(10), 0));
      assertTrue(e.getMessage().contains("/dev/full"), e.getMessage());
      assertTrue(e.getMessage().contains("No space left"), e.getMessage());
      assertTrue(disk.list().isEmpty());
    }
  }

  @Test
  void aDiskOpenedToReadMakesNoDirectoryAndRefusesWrites() throws IOException {
    Path directory = temporary.resolve("store");
    assertThrows(IOException.class, () -> RealDisk.openToRead(directory));
    assertFalse(Files.exists(directory));
    try (RealDisk disk = RealDisk.open(directory);
        DiskFile file = disk.create("a")) {
      file.write(ByteBuffer.wrap(new byte[] {7}), 0);
    }
    try (RealDisk disk = RealDisk.openToRead(directory);
        DiskFile file = disk.open("a")) {
      ByteBuffer read = ByteBuffer.allocate(10);
      assertEquals(1, file.read(read, 0));
      assertThrows(RuntimeException.class, () -> file.write(read.flip(), 0));
    }
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}

package io.bg3.storage.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.testing.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reads files past the system's cache and compares with what was written. On a file system without
 * direct reads the tests look at what BG3 falls back to.
 */
class DirectReadsTest {
  private static final int LENGTH = 300_001; // not a multiple of a block
  private static final String NAME = "file";

  @TempDir private Path directory;

  static LongStream seeds() {
    return Seeds.of(5);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void anyPartOfAFileIsReadAsItWasWritten(long seed) throws IOException {
    Random random = new Random(seed);
    byte[] bytes = new byte[LENGTH];
    random.nextBytes(bytes);
    try (RealDisk disk = RealDisk.open(directory);
        DiskFile file = disk.create(NAME)) {
      file.write(ByteBuffer.wrap(bytes), 0);
      for (int i = 0; i < 200; i++) {
        if (i == 100) {
          file.sync();
        }
        int at = random.nextInt(LENGTH + 10_000);
        int length = random.nextInt(random.nextInt(10) == 0 ? LENGTH : 20_000);
        int margin = random.nextInt(10);
        ByteBuffer to = buffer(margin + length + margin, random.nextBoolean());
        to.position(margin).limit(margin + length);
        int expected = Math.max(0, Math.min(length, LENGTH - at));
        assertEquals(expected, file.readDirect(to, at), Seeds.say(seed));
        assertEquals(margin + expected, to.position(), Seeds.say(seed));
        byte[] read = new byte[expected];
        to.get(margin, read);
        int from = Math.min(at, LENGTH);
        assertArrayEquals(Arrays.copyOfRange(bytes, from, from + expected), read, Seeds.say(seed));
      }
    }
  }

  @Test
  void whatIsNotSyncedIsSeen() throws IOException {
    try (RealDisk disk = RealDisk.open(directory);
        DiskFile file = disk.create(NAME)) {
      for (int i = 1; i < 50; i++) {
        byte[] bytes = new byte[100];
        Arrays.fill(bytes, (byte) i);
        file.write(ByteBuffer.wrap(bytes), 100L * i);
        ByteBuffer to = ByteBuffer.allocate(100);
        assertEquals(100, file.readDirect(to, 100L * i));
        assertArrayEquals(bytes, to.array());
      }
    }
  }

  @Test
  void anInterruptedThreadReadsToTheEnd() throws IOException {
    try (RealDisk disk = RealDisk.open(directory);
        DiskFile file = disk.create(NAME)) {
      file.write(ByteBuffer.wrap(new byte[LENGTH]), 0);
      for (int i = 0; i < 3; i++) {
        Thread.currentThread().interrupt();
        assertEquals(LENGTH, file.readDirect(ByteBuffer.allocate(LENGTH), 0));
        assertTrue(Thread.interrupted());
      }
    }
  }

  /** A file system without direct reads refuses them for all files of a directory. */
  @Test
  void whereDirectReadsAreRefusedTheCacheIsRead() throws IOException {
    byte[] bytes = new byte[LENGTH];
    new Random(3).nextBytes(bytes);
    Path path = Files.write(directory.resolve(NAME), bytes);
    DirectReads refused = new DirectReads(directory);
    try (RealFile before = new RealFile(NAME, path, false, refused)) {
      assertRead(before, bytes);
      refused.refuse(new IOException("Invalid argument"));
      assertTrue(refused.isRefused());
      assertRead(before, bytes);
      try (RealFile after = new RealFile(NAME, path, false, refused)) {
        assertRead(after, bytes);
      }
    }
  }

  @Test
  void aReadThatFailsDirectlyIsTriedThroughTheCache() throws IOException {
    byte[] bytes = new byte[LENGTH];
    new Random(4).nextBytes(bytes);
    Path path = Files.write(directory.resolve(NAME), bytes);
    DirectReads failing =
        new DirectReads(directory) {
          @Override
          int read(ReopenedChannel channel, ByteBuffer to, long position) throws IOException {
            to.position(to.position() + 1);
            throw new IOException("Invalid argument");
          }
        };
    try (RealFile file = new RealFile(NAME, path, false, failing)) {
      assertRead(file, bytes);
      assertTrue(failing.isRefused());
    }
  }

  /** Descriptors come back, and a device may recover: only this read goes another way. */
  @Test
  void whatOneReadIsRefusedIsNotRefusedToTheNext() throws IOException {
    byte[] bytes = new byte[LENGTH];
    new Random(6).nextBytes(bytes);
    Path path = Files.write(directory.resolve(NAME), bytes);
    for (String reason : new String[] {"Too many open files", "Input/output error"}) {
      int[] opened = new int[1];
      int[] read = new int[1];
      DirectReads reads =
          new DirectReads(directory) {
            @Override
            ReopenedChannel open(Path file) throws IOException {
              if (opened[0]++ == 0) {
                throw new FileSystemException(file.toString(), null, reason);
              }
              return super.open(file);
            }

            @Override
            int read(ReopenedChannel channel, ByteBuffer to, long position) throws IOException {
              if (read[0]++ == 0) {
                throw new IOException(reason);
              }
              return super.read(channel, to, position);
            }
          };
      for (int i = 0; i < 3; i++) {
        try (RealFile file = new RealFile(NAME, path, false, reads)) {
          assertRead(file, bytes);
        }
      }
      assertEquals(3, opened[0], reason);
    }
  }

  /** In another language than English, no text says that the file system has no direct reads. */
  @Test
  void whatAlwaysFailsDirectlyAndNeverThroughTheCacheIsRefusedInTheEnd() throws IOException {
    byte[] bytes = new byte[LENGTH];
    new Random(7).nextBytes(bytes);
    Path path = Files.write(directory.resolve(NAME), bytes);
    for (boolean opens : new boolean[] {false, true}) {
      int[] tried = new int[1];
      DirectReads failing =
          new DirectReads(directory) {
            @Override
            ReopenedChannel open(Path file) throws IOException {
              if (!opens) {
                tried[0]++;
                throw new FileSystemException(
                    file.toString(), null, "Das Argument ist ung\u00fcltig");
              }
              return new ReopenedChannel(file, Set.of(StandardOpenOption.READ));
            }

            @Override
            int read(ReopenedChannel channel, ByteBuffer to, long position) throws IOException {
              tried[0]++;
              throw new IOException("Das Argument ist ung\u00fcltig");
            }
          };
      try (RealFile file = new RealFile(NAME, path, false, failing)) {
        for (int i = 0; i < 2 * DirectReads.MOST_FAILURES; i++) {
          assertRead(file, bytes);
        }
      }
      assertTrue(failing.isRefused());
      assertEquals(DirectReads.MOST_FAILURES, tried[0]);
    }
  }

  /** A file that is deleted, or without descriptors, says nothing of the file system. */
  @Test
  void aFileThatCannotBeOpenedAtAllIsNoReason() throws IOException {
    byte[] bytes = new byte[LENGTH];
    Path path = Files.write(directory.resolve(NAME), bytes);
    DirectReads reads = new DirectReads(directory);
    try (RealFile file = new RealFile(NAME, path, false, reads)) {
      Files.delete(path);
      for (int i = 0; i < 2 * DirectReads.MOST_FAILURES; i++) {
        assertRead(file, bytes);
      }
      assertFalse(reads.isRefused());
    }
  }

  @Test
  void aClosedFileKeepsNoDescriptorAndReadsNoMore() throws IOException {
    Path path = Files.write(directory.resolve(NAME), new byte[LENGTH]);
    Path descriptors = Path.of("/proc/self/fd");
    try (RealDisk disk = RealDisk.open(directory)) {
      DiskFile file = disk.open(NAME);
      file.readDirect(ByteBuffer.allocate(100), 50);
      file.close();
      file.close();
      assertThrows(
          ClosedChannelException.class, () -> file.readDirect(ByteBuffer.allocate(100), 50));
      DiskFile unread = disk.open(NAME);
      unread.close();
      assertThrows(
          ClosedChannelException.class, () -> unread.readDirect(ByteBuffer.allocate(100), 50));
    }
    Assumptions.assumeTrue(Files.isDirectory(descriptors));
    try (Stream<Path> open = Files.list(descriptors)) {
      List<Path> left = open.filter(descriptor -> isLinkTo(descriptor, path)).toList();
      assertEquals(List.of(), left);
    }
  }

  /** As an extent that is deleted between a reader's look at the row and its read. */
  @Test
  void aFileThatIsDeletedWhileItIsOpenIsReadToTheEnd() throws IOException {
    byte[] bytes = new byte[LENGTH];
    new Random(5).nextBytes(bytes);
    Path path = Files.write(directory.resolve(NAME), bytes);
    DirectReads reads = new DirectReads(directory);
    try (RealFile file = new RealFile(NAME, path, false, reads)) {
      Files.delete(path);
      assertRead(file, bytes);
      assertFalse(reads.isRefused());
    }
  }

  private static boolean isLinkTo(Path descriptor, Path file) {
    try {
      return Files.readSymbolicLink(descriptor).equals(file.toRealPath());
    } catch (IOException e) {
      return false; // closed meanwhile
    }
  }

  private static void assertRead(DiskFile file, byte[] bytes) throws IOException {
    ByteBuffer to = ByteBuffer.allocate(bytes.length);
    assertEquals(bytes.length, file.readDirect(to, 0));
    assertArrayEquals(bytes, to.array());
  }

  private static ByteBuffer buffer(int length, boolean direct) {
    return direct ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
  }
}

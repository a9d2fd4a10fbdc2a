package io.bg3.storage.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.testing.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of every {@link Disk}, whatever it is made of. */
abstract class DiskContract {
  abstract Disk disk() throws IOException;

  @Test
  void aNewFileIsEmptyAndHasItsName() throws IOException {
    try (Disk disk = disk();
        DiskFile file = disk.create("a-1")) {
      assertEquals("a-1", file.name());
      assertEquals(0, file.size());
      assertEquals(0, file.read(ByteBuffer.allocate(10), 0));
      assertTrue(disk.exists("a-1"));
      assertEquals(List.of("a-1"), disk.list());
    }
  }

  @Test
  void whatIsWrittenIsReadAlsoThroughAnotherHandle() throws IOException {
    try (Disk disk = disk();
        DiskFile file = disk.create("a");
        DiskFile other = disk.open("a")) {
      file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 5);
      assertEquals(8, other.size());
      ByteBuffer read = ByteBuffer.allocate(10);
      assertEquals(8, other.read(read, 0));
      assertEquals(8, read.position());
      assertEquals("[0, 0, 0, 0, 0, 1, 2, 3, 0, 0]", Arrays.toString(read.array()));
      assertEquals(0, other.read(ByteBuffer.allocate(1), 8));
    }
  }

  @Test
  void bothKindsOfBuffersAreReadAndWrittenFromTheirPositionToTheirLimit() throws IOException {
    try (Disk disk = disk();
        DiskFile file = disk.create("a")) {
      for (ByteBuffer buffer : List.of(ByteBuffer.allocate(8), ByteBuffer.allocateDirect(8))) {
        buffer.putLong(0, 0x0102030405060708L).position(2).limit(5);
        file.write(buffer, 0);
        assertEquals(5, buffer.position());
        buffer.clear().position(1).limit(3);
        assertEquals(2, file.read(buffer, 1));
        assertEquals(3, buffer.position());
        assertEquals(0x0104050405060708L, buffer.clear().getLong(0));
      }
    }
  }

  @Test
  void aFileThatIsThereCannotBeCreatedAndOneThatIsNotCannotBeOpened() throws IOException {
    try (Disk disk = disk()) {
      disk.create("a").close();
      assertThrows(FileAlreadyExistsException.class, () -> disk.create("a"));
      assertThrows(NoSuchFileException.class, () -> disk.open("b"));
      assertThrows(NoSuchFileException.class, () -> disk.delete("b"));
      assertThrows(NoSuchFileException.class, () -> disk.rename("b", "c"));
      assertFalse(disk.exists("b"));
    }
  }

  @Test
  void aRenameReplacesWhatHadTheName() throws IOException {
    try (Disk disk = disk()) {
      write(disk, "old", 1);
      write(disk, "new", 2);
      disk.rename("new", "old");
      disk.syncDirectory();
      assertEquals(List.of("old"), disk.list());
      try (DiskFile file = disk.open("old")) {
        assertEquals("old", file.name());
        ByteBuffer one = ByteBuffer.allocate(1);
        file.read(one, 0);
        assertEquals(2, one.get(0));
      }
    }
  }

  @Test
  void aDeletedFileLivesOnForWhoHasItOpen() throws IOException {
    try (Disk disk = disk();
        DiskFile file = disk.create("a")) {
      file.write(ByteBuffer.wrap(new byte[] {7}), 0);
      disk.delete("a");
      assertFalse(disk.exists("a"));
      ByteBuffer one = ByteBuffer.allocate(1);
      assertEquals(1, file.read(one, 0));
      assertEquals(7, one.get(0));
      disk.create("a").close();
    }
  }

  @Test
  void aClosedFileRefusesEverythingAndMayBeClosedAgain() throws IOException {
    try (Disk disk = disk()) {
      DiskFile file = disk.create("a");
      file.write(ByteBuffer.allocate(1), 0);
      file.close();
      file.close();
      assertThrows(ClosedChannelException.class, file::size);
      assertThrows(ClosedChannelException.class, () -> file.read(ByteBuffer.allocate(1), 0));
      assertThrows(ClosedChannelException.class, () -> file.write(ByteBuffer.allocate(1), 0));
      assertThrows(ClosedChannelException.class, () -> file.truncate(0));
      assertThrows(ClosedChannelException.class, file::sync);
    }
  }

  @Test
  void namesThatCouldLeadOutOfTheDirectoryAreRefused() throws IOException {
    try (Disk disk = disk()) {
      for (String name : Set.of("", ".", "..", "../a", "a/b", "/a", ".hidden", "a\0b", "-a")) {
        assertThrows(IllegalArgumentException.class, () -> disk.create(name), name);
        assertThrows(IllegalArgumentException.class, () -> disk.open(name), name);
      }
    }
  }

  @Test
  void messagesNameTheFile() throws IOException {
    try (Disk disk = disk()) {
      assertTrue(disk.describe("abc").contains("abc"));
    }
  }

  @Test
  void nothingWrittenBehindTheEndChangesNothing() throws IOException {
    try (Disk disk = disk();
        DiskFile file = disk.create("a")) {
      file.write(ByteBuffer.allocate(0), 5000);
      file.zero(5000, 5000);
      assertEquals(0, file.size());
    }
  }

  static LongStream seeds() {
    return Seeds.of(10);
  }

  /** Random operations on a few files, compared with arrays. */
  @ParameterizedTest
  @MethodSource("seeds")
  void aDiskAnswersLikeAMapOfArrays(long seed) throws IOException {
    Random random = new Random(seed);
    TreeMap<String, byte[]> model = new TreeMap<>();
    try (Disk disk = disk()) {
      for (int step = 0; step < 300; step++) {
        String name = "f" + random.nextInt(4);
        String at = "-Dbg3.seed=" + seed + ", step " + step + ": " + name;
        if (!model.containsKey(name)) {
          disk.create(name).close();
          model.put(name, new byte[0]);
          continue;
        }
        int kind = random.nextInt(12);
        if (kind == 0) {
          disk.delete(name);
          model.remove(name);
        } else if (kind == 1) {
          String to = "f" + random.nextInt(4);
          disk.rename(name, to);
          model.put(to, model.remove(name));
        } else {
          try (DiskFile file = disk.open(name)) {
            model.put(name, changed(file, model.get(name), kind, random));
            byte[] expected = model.get(name);
            ByteBuffer read = ByteBuffer.allocate(expected.length + 10);
            assertEquals(expected.length, file.size(), at);
            assertEquals(expected.length, file.read(read, 0), at);
            assertEquals(ByteBuffer.wrap(expected), read.flip(), at);
          }
        }
        assertEquals(model.keySet(), Set.copyOf(disk.list()), at);
      }
    }
  }

  private static byte[] changed(DiskFile file, byte[] bytes, int kind, Random random)
      throws IOException {
    int from = random.nextInt(50_000);
    int length = random.nextInt(40_000);
    switch (kind) {
      case 2, 3, 4, 5, 6 -> {
        byte[] value = new byte[length];
        random.nextBytes(value);
        file.write(ByteBuffer.wrap(value), from);
        byte[] grown = length == 0 ? bytes : grown(bytes, from + length);
        System.arraycopy(value, 0, grown, Math.min(from, grown.length), length);
        return grown;
      }
      case 7, 8 -> {
        file.zero(from, from + length);
        byte[] grown = length == 0 ? bytes : grown(bytes, from + length);
        Arrays.fill(
            grown, Math.min(from, grown.length), Math.min(from, grown.length) + length, (byte) 0);
        return grown;
      }
      case 9 -> {
        file.truncate(from);
        return Arrays.copyOf(bytes, Math.min(from, bytes.length));
      }
      default -> {
        file.sync();
        return bytes;
      }
    }
  }

  private static byte[] grown(byte[] bytes, int length) {
    return Arrays.copyOf(bytes, Math.max(bytes.length, length));
  }

  private static void write(Disk disk, String name, int value) throws IOException {
    try (DiskFile file = disk.create(name)) {
      file.write(ByteBuffer.wrap(new byte[] {(byte) value}), 0);
      file.sync();
    }
  }
}

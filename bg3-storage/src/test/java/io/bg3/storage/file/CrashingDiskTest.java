package io.bg3.storage.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.storage.file.CrashingDisk.Fault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The contract while nothing goes wrong, and what a crash takes and leaves. */
class CrashingDiskTest extends DiskContract {
  private final CrashingDisk disk = new CrashingDisk();

  @Override
  Disk disk() {
    return new CrashingDisk();
  }

  @Test
  void whatWasSyncedSurvivesEveryCrash() throws IOException {
    write("a", 0, 1, 2000);
    sync("a");
    disk.syncDirectory();
    write("a", 1000, 2, 2000);
    for (int seed = 0; seed < 200; seed++) {
      CrashingDisk after = disk.crash(new Random(seed));
      assertEquals(1, after.content("a", 999, 1)[0]);
      assertEquals(1, after.content("a", 0, 1)[0]);
    }
  }

  @Test
  void anySetOfUnsyncedSectorsMayBeLost() throws IOException {
    write("a", 0, 0, 1536);
    sync("a");
    disk.syncDirectory();
    write("a", 0, 1, 1536);
    Set<String> outcomes = new HashSet<>();
    for (int seed = 0; seed < 2000; seed++) {
      CrashingDisk after = disk.crash(new Random(seed));
      outcomes.add(
          ""
              + after.content("a", 0, 1)[0]
              + after.content("a", 512, 1)[0]
              + after.content("a", 1024, 1)[0]);
    }
    assertEquals(Set.of("000", "001", "010", "011", "100", "101", "110", "111"), outcomes);
  }

  @Test
  void aSectorMayKeepAnOlderOfTwoUnsyncedWrites() throws IOException {
    write("a", 0, 1, 1);
    disk.syncDirectory();
    write("a", 0, 2, 1);
    Set<Byte> outcomes = new HashSet<>();
    for (int seed = 0; seed < 500; seed++) {
      outcomes.add(disk.crash(new Random(seed)).content("a", 0, 1)[0]);
    }
    assertEquals(Set.of((byte) 0, (byte) 1, (byte) 2), outcomes);
  }

  @Test
  void anySetOfUnsyncedNamesMayBeLostAndARenameIsWhole() throws IOException {
    write("old", 0, 1, 1);
    sync("old");
    disk.syncDirectory();
    write("new", 0, 2, 1);
    sync("new");
    disk.rename("new", "old");
    write("other", 0, 3, 1);
    Set<List<String>> outcomes = new HashSet<>();
    for (int seed = 0; seed < 500; seed++) {
      CrashingDisk after = disk.crash(new Random(seed));
      outcomes.add(after.list());
      assertTrue(after.content("old", 0, 1)[0] > 0, "never neither");
    }
    assertEquals(
        Set.of(
            List.of("old"),
            List.of("new", "old"),
            List.of("old", "other"),
            List.of("new", "old", "other")),
        outcomes);
  }

  @Test
  void aKilledProcessLeavesWhatItWroteStillUnsynced() throws IOException {
    write("a", 0, 1, 1);
    disk.syncDirectory();
    CrashingDisk next = disk.kill();
    assertThrows(PowerCut.class, () -> disk.exists("a"));
    assertEquals(1, next.content("a", 0, 1)[0]);
    Set<Byte> outcomes = new HashSet<>();
    for (int seed = 0; seed < 100; seed++) {
      outcomes.add(next.crash(new Random(seed)).content("a", 0, 1)[0]);
    }
    assertEquals(Set.of((byte) 0, (byte) 1), outcomes);
  }

  @Test
  void fromTheCutOnEverythingThrows() throws IOException {
    DiskFile file = disk.create("a");
    disk.cutAtWrite(2);
    file.write(ByteBuffer.allocate(1), 0);
    assertThrows(PowerCut.class, file::sync);
    assertThrows(PowerCut.class, () -> file.read(ByteBuffer.allocate(1), 0));
    assertThrows(PowerCut.class, disk::list);
    assertTrue(disk.isCut());
  }

  @Test
  void aFailedSyncDropsPagesAndTheNextOneDoesNotBringThemBack() throws IOException {
    boolean lost = false;
    for (int seed = 0; seed < 50; seed++) {
      CrashingDisk failing = new CrashingDisk(new Sites(), new Random(seed));
      DiskFile file = failing.create("a");
      failing.syncDirectory();
      file.write(ByteBuffer.wrap(new byte[] {1}), 0);
      failing.failAt(1, Fault.EIO, false);
      assertThrows(IOException.class, file::sync);
      file.sync();
      assertEquals(1, failing.content("a", 0, 1)[0], "the page cache still shows it");
      lost |= failing.crash(new Random(seed)).content("a", 0, 1)[0] == 0;
    }
    assertTrue(lost);
  }

  @Test
  void theNthOperationFailsOnceOrForEver() throws IOException {
    disk.failAt(2, Fault.ENOSPC, false);
    disk.create("a").close();
    IOException full = assertThrows(IOException.class, () -> disk.create("b"));
    assertTrue(full.getMessage().contains("No space left"), full.getMessage());
    disk.create("b").close();
    disk.failAt(1, Fault.EIO, true);
    assertThrows(IOException.class, disk::list);
    assertThrows(IOException.class, disk::list);
    assertEquals(3, disk.faults());
    disk.heal();
    assertEquals(List.of("a", "b"), disk.list());
  }

  @Test
  void aFlippedBitIsInvertedAlsoAfterACrash() throws IOException {
    write("a", 0, 0, 10);
    sync("a");
    disk.syncDirectory();
    disk.flipBit("a", 17);
    assertEquals(2, disk.content("a", 2, 1)[0]);
    assertEquals(2, disk.crash(new Random(1)).content("a", 2, 1)[0]);
  }

  @Test
  void renamingAnOpenFileIsTheCallersMistake() throws IOException {
    DiskFile file = disk.create("a");
    assertThrows(AssertionError.class, () -> disk.rename("a", "b"));
    file.close();
    assertFalse(disk.openFiles() > 0);
    disk.rename("a", "b");
  }

  private void write(String name, long position, int value, int length) throws IOException {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    try (DiskFile file = disk.exists(name) ? disk.open(name) : disk.create(name)) {
      file.write(ByteBuffer.wrap(bytes), position);
    }
  }

  private void sync(String name) throws IOException {
    try (DiskFile file = disk.open(name)) {
      file.sync();
    }
  }
}

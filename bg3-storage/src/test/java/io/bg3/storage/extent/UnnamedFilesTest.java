package io.bg3.storage.extent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.storage.file.MemoryDisk;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Puts files on a disk, one of which a manifest names, and looks which of them are there later. */
class UnnamedFilesTest {
  private final MemoryDisk disk = new MemoryDisk();
  private final UnnamedFiles files = new UnnamedFiles(disk);
  private final Extent named = extent(1);
  private final Extent left = extent(2);
  private final Extent made = extent(3);

  private static Extent extent(int number) {
    return new Extent(number, Stream.BASE, false, 0, 0, 0);
  }

  private void create(Extent extent) throws IOException {
    disk.create(extent.fileName()).close();
  }

  private boolean isThere(Extent extent) throws IOException {
    return disk.list().contains(extent.fileName());
  }

  @BeforeEach
  void anOpeningFindsOneFileThatIsLeftOver() throws IOException {
    create(named);
    create(left);
    disk.create("manifest").close();
    files.find(Set.of(named.fileName()));
    files.make(made);
    create(made);
    assertEquals(List.of(left.fileName()), files.found());
    assertTrue(files.isFound(2));
    assertFalse(files.isFound(1));
  }

  @Test
  void aPlannedStoreDeletesWhatItMadeAndNothingElse() throws IOException {
    files.close();
    assertTrue(isThere(named));
    assertTrue(isThere(left));
    assertFalse(isThere(made));
  }

  @Test
  void anEstablishedStoreLeavesWhatItMade() throws IOException {
    assertEquals(List.of(made), files.establish());
    assertFalse(files.isPlanned());
    files.deleteFound();
    files.close();
    assertFalse(isThere(left));
    assertFalse(files.isFound(2));
    assertTrue(isThere(made));
  }

  @Test
  void aRefusedOpeningDeletesWhatNoManifestCanName() throws IOException {
    Extent later = extent(4);
    files.establish();
    files.named(Set.of(3));
    files.make(later);
    create(later);
    files.refuse();
    files.close();
    assertTrue(isThere(made));
    assertFalse(isThere(later));
  }
}

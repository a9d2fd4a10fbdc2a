package io.bg3.storage.manifest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.CrashingDisk.Fault;
import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.file.PowerCut;
import io.bg3.storage.file.Sites;
import io.bg3.storage.format.Checksums;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.FormatTooNewException;
import io.bg3.storage.format.FormatTooOldException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Replaces manifests on a disk that crashes and fails at every step, and damages them bit by bit.
 */
class ManifestFileTest {
  private static final long STORE = 0x1234_5678_9abc_def0L;

  @Test
  void theLastReplacementIsReadBack() throws IOException {
    CrashingDisk disk = new CrashingDisk();
    assertEquals(Optional.empty(), ManifestFile.read(disk));
    ManifestFile file = ManifestFile.create(disk, STORE);
    for (int i = 1; i <= 5; i++) {
      file.replace(payload(i));
      Manifest manifest = ManifestFile.read(disk).orElseThrow();
      assertEquals(new Manifest(STORE, i, payload(i)), manifest);
      file = ManifestFile.open(disk, manifest);
    }
    assertEquals(0, disk.openFiles());
  }

  @Test
  void aCrashAtAnyStepLeavesTheOldManifestOrTheNewOneComplete() throws IOException {
    Sites sites = new Sites();
    for (int seed = 0; seed < 5_000; seed++) {
      Random random = new Random(seed);
      CrashingDisk disk = new CrashingDisk(sites, random);
      long acknowledged = 0;
      long attempted = 0;
      for (int crash = 0; crash < 3; crash++) {
        disk.cutAtWrite(1 + random.nextInt(20));
        try {
          Optional<Manifest> found = ManifestFile.settle(disk);
          long sequence = found.map(Manifest::sequence).orElse(0L);
          String at = "seed=" + seed + ", found=" + sequence;
          assertTrue(sequence >= acknowledged && sequence <= attempted, at);
          acknowledged = sequence; // settled: no power cut may take it back
          if (found.isPresent()) {
            assertEquals(payload((int) sequence), found.get().payload(), at);
          }
          ManifestFile file =
              found.isPresent()
                  ? ManifestFile.open(disk, found.get())
                  : ManifestFile.create(disk, STORE);
          while (true) {
            attempted = file.sequence() + 1;
            file.replace(payload((int) attempted));
            acknowledged = attempted;
          }
        } catch (PowerCut e) {
          disk = random.nextInt(3) == 0 ? disk.kill() : disk.crash(random);
        }
      }
    }
    assertEquals(Set.of(), sites.uncut());
  }

  @Test
  void aReplacementThatFailsIsFinalAndReopeningIsClean() throws IOException {
    for (Fault fault : Fault.values()) {
      for (int nth = 1; nth < 20; nth++) {
        CrashingDisk disk = new CrashingDisk(new Sites(), new Random(nth));
        ManifestFile file = ManifestFile.create(disk, STORE);
        file.replace(payload(1));
        disk.failAt(nth, fault, false);
        try {
          file.replace(payload(2));
          file.replace(payload(3));
        } catch (IOException e) {
          IOException again = assertThrows(IOException.class, () -> file.replace(payload(4)));
          assertEquals(e, again.getCause());
          assertEquals(e, file.failure());
        }
        disk.heal();
        for (int seed = 0; seed < 20; seed++) {
          CrashingDisk after = disk.crash(new Random(seed));
          Manifest manifest = ManifestFile.settle(after).orElseThrow();
          assertTrue(manifest.sequence() >= file.sequence() && manifest.sequence() <= 3);
          ManifestFile.open(after, manifest).replace(payload(9));
        }
      }
    }
  }

  @Test
  void everyFlippedBitAndEveryTruncationIsFound() throws IOException {
    CrashingDisk disk = new CrashingDisk();
    ManifestFile.create(disk, STORE).replace(payload(100));
    int length = Manifest.PAYLOAD + 100;
    for (long bit = 0; bit < 8L * length; bit++) {
      disk.flipBit(ManifestFile.NAME, bit);
      CorruptionException damage =
          assertThrows(CorruptionException.class, () -> ManifestFile.read(disk));
      assertEquals(disk.describe(ManifestFile.NAME), damage.file());
      disk.flipBit(ManifestFile.NAME, bit);
    }
    byte[] whole = disk.content(ManifestFile.NAME, 0, length);
    for (int cut = 0; cut < length; cut++) {
      ByteBuffer part = ByteBuffer.wrap(Arrays.copyOf(whole, cut));
      assertThrows(CorruptionException.class, () -> Manifest.decode(part, "m"));
    }
    ByteBuffer longer = ByteBuffer.wrap(Arrays.copyOf(whole, length + 1));
    assertThrows(CorruptionException.class, () -> Manifest.decode(longer, "m"));
  }

  @Test
  void garbageIsRefusedAndNothingElseIsThrown() {
    Random random = new Random(3);
    byte[] valid = new Manifest(STORE, 1, payload(60)).encode().array();
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = i % 2 == 0 ? new byte[random.nextInt(200)] : valid.clone();
      if (i % 2 == 0) {
        random.nextBytes(bytes);
      } else {
        int from = random.nextInt(bytes.length);
        for (int at = from; at < Math.min(bytes.length, from + 1 + random.nextInt(8)); at++) {
          bytes[at] ^= (byte) (1 + random.nextInt(255));
        }
      }
      assertThrows(CorruptionException.class, () -> Manifest.decode(ByteBuffer.wrap(bytes), "m"));
    }
  }

  @Test
  void anotherFormatIsRefusedByNameAndNothingIsTouched() throws IOException {
    Disk newer = ofVersion(3);
    FormatTooNewException tooNew =
        assertThrows(FormatTooNewException.class, () -> ManifestFile.settle(newer));
    assertTrue(tooNew.getMessage().contains("found=3, newest=2"), tooNew.getMessage());
    assertFalse(newer.exists("manifest.new"));

    Disk older = ofVersion(1);
    FormatTooOldException tooOld =
        assertThrows(FormatTooOldException.class, () -> ManifestFile.settle(older));
    assertTrue(tooOld.getMessage().contains("found=1, oldest=2"), tooOld.getMessage());
    assertFalse(older.exists("manifest.new"));
  }

  private static Disk ofVersion(int version) throws IOException {
    Disk disk = new CrashingDisk();
    ByteBuffer bytes = new Manifest(STORE, 1, payload(1)).encode();
    bytes.putInt(16, version);
    bytes.putInt(60, Checksums.crc32c(bytes, 0, 60));
    try (DiskFile file = disk.create(ManifestFile.NAME)) {
      file.write(bytes, 0);
    }
    return disk;
  }

  @Test
  void theLayoutIsTheDocumentedOne() {
    assertEquals("64 68 72", Manifest.LENGTH + " " + Manifest.CHECKSUM + " " + Manifest.PAYLOAD);
  }

  private static ByteBuffer payload(int length) {
    ByteBuffer payload = ByteBuffer.allocate(length);
    for (int i = 0; i < length; i++) {
      payload.put(i, (byte) (length + i));
    }
    return payload;
  }
}

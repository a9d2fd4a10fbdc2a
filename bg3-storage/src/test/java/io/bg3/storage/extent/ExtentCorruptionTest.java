package io.bg3.storage.extent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.format.Checksums;
import io.bg3.storage.format.CorruptionException;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Damages every byte of a small extent and expects the right record or a CorruptionException; feeds
 * decoders with noise and expects nothing but their result or that exception. Pins the numbers that
 * the formats' comments show.
 */
class ExtentCorruptionTest {
  private static final String FILE = "extent-value-00000001";

  private final long seed = Seeds.one();
  private final Random random = new Random(seed);
  private final CrashingDisk disk = new CrashingDisk();
  private final ExtentSettings settings = ExtentSettings.of(7, 1 << 10);
  private final Map<Long, byte[]> written = new LinkedHashMap<>();
  private List<ExtentUsage> manifest;

  private void write() throws IOException {
    try (ExtentStore store = ExtentStore.open(disk, settings, List.of())) {
      for (int length : new int[] {0, 5, 64, 33}) {
        byte[] payload = ExtentStoreTest.bytes(length);
        written.put(
            store.append(Stream.VALUE, (byte) 3, length, ByteBuffer.wrap(payload)), payload);
      }
      manifest = store.usage();
    }
  }

  @Test
  void everyFlippedBitIsFoundOrHarmless() throws IOException {
    write();
    long size = manifest.get(0).written();
    long harmless = 0;
    for (long bit = 0; bit < size * Byte.SIZE; bit++) {
      disk.flipBit(FILE, bit);
      int wrong = damagedRecords("bit " + bit);
      assertTrue(wrong <= 1 || bit < 64 * Byte.SIZE, "one bit damages one record: bit=" + bit);
      harmless += wrong == 0 ? 1 : 0;
      disk.flipBit(FILE, bit);
    }
    long padding = size - 64 - written.values().stream().mapToLong(p -> 24 + p.length).sum();
    assertEquals(padding * Byte.SIZE, harmless, "only padding is not covered");
  }

  /** The beginning of a record, with its place, is verified without the rest (F4). */
  @Test
  void aBeginningIsReadAloneAndEveryFlippedBitOfItIsFound() throws IOException {
    byte[] payload = noise(20_000);
    long location;
    try (ExtentStore store = ExtentStore.open(disk, settings, List.of())) {
      location = store.append(Stream.VALUE, (byte) 3, 7, ByteBuffer.wrap(payload));
      manifest = store.usage();
      store.sync();
    }
    try (ExtentStore store = ExtentStore.open(disk, settings, manifest)) {
      ExtentRecord first = store.readFirst(location, 100, null);
      int read = first.payload().remaining();
      assertTrue(read >= 100 && read <= 100 + (4 << 10), "bytes: " + read);
      assertEquals(ByteBuffer.wrap(payload, 0, read), first.payload());
      assertEquals(7, first.key());
      assertEquals(3, first.kind());
      assertEquals(ByteBuffer.wrap(payload), store.readFirst(location, 20_000, null).payload());
    }
    long from = Location.offset(location) * Byte.SIZE;
    for (int bit = 0; bit < (24 + 48) * Byte.SIZE; bit++) {
      disk.flipBit(FILE, from + bit);
      boolean ofAll = bit < Integer.BYTES * Byte.SIZE; // the checksum of the whole record
      try (ExtentStore store = ExtentStore.open(disk, settings, manifest)) {
        if (ofAll) {
          assertEquals(7, store.readFirst(location, 100, null).key());
        } else {
          String what = "bit " + bit;
          assertThrows(CorruptionException.class, () -> store.readFirst(location, 100, null), what);
        }
      }
      disk.flipBit(FILE, from + bit);
    }
  }

  @Test
  void aBeginningThatLiesElsewhereIsFound() {
    byte[] payload = noise(200);
    ByteBuffer frame = RecordFrame.encode((byte) 1, 2, payload.length, ByteBuffer.wrap(payload));
    long location = Location.of(1, 64, frame.capacity());
    RecordFrame.address(frame, 7, location);
    ByteBuffer beginning = frame.slice(0, 100).order(ByteOrder.LITTLE_ENDIAN);
    assertEquals(2, RecordFrame.decodeFirst(beginning, 100, 224, 7, location, FILE).key());
    assertThrows(
        CorruptionException.class,
        () -> RecordFrame.decodeFirst(beginning, 100, 224, 8, location, FILE),
        "another store");
    long elsewhere = Location.of(1, 512, frame.capacity());
    assertThrows(
        CorruptionException.class,
        () -> RecordFrame.decodeFirst(beginning, 100, 224, 7, elsewhere, FILE),
        "another place");
    assertThrows(
        CorruptionException.class,
        () -> RecordFrame.decodeFirst(beginning, 101, 224, 7, location, FILE),
        "a file that ends early");
  }

  /** Records of earlier releases have no checksum of their beginning. */
  @Test
  void theBeginningOfARecordWithoutAChecksumForItIsNotTrusted() throws IOException {
    byte[] payload = noise(20_000);
    long location;
    try (ExtentStore store = ExtentStore.open(disk, settings, List.of())) {
      location = store.append(Stream.VALUE, (byte) 3, 7, ByteBuffer.wrap(payload));
      manifest = store.usage();
      store.sync();
    }
    int offset = (int) Location.offset(location);
    ByteBuffer frame = ByteBuffer.allocate(24 + payload.length).order(ByteOrder.LITTLE_ENDIAN);
    try (var file = disk.open(FILE)) {
      file.read(frame, offset);
      frame.flip().putInt(RecordFrame.FIRST, 0);
      Checksums checksum = new Checksums().add(frame, 4, frame.limit());
      frame.putInt(0, checksum.add(settings.store()).add(location).value());
      file.write(frame, offset);
    }
    try (ExtentStore store = ExtentStore.open(disk, settings, manifest)) {
      assertNull(store.readFirst(location, 100, null));
      assertEquals(ByteBuffer.wrap(payload), store.readFirst(location, 20_000, null).payload());
      assertEquals(ByteBuffer.wrap(payload), store.read(location).payload());
    }
  }

  @Test
  void aFileCutShortAnywhereIsFound() throws IOException {
    write();
    for (long size = manifest.get(0).written() - 1; size >= 0; size--) {
      try (var file = disk.open(FILE)) {
        file.truncate(size);
      }
      damagedRecords("size " + size);
      long length = size;
      try (ExtentStore store = ExtentStore.open(disk, settings, manifest)) {
        assertEquals(1, store.check().size(), "size=" + length);
      }
    }
  }

  /** How many records are not there any more; those that are have the right bytes. */
  private int damagedRecords(String what) throws IOException {
    int damaged = 0;
    try (ExtentStore store = ExtentStore.open(disk, settings, manifest)) {
      for (Map.Entry<Long, byte[]> entry : written.entrySet()) {
        try {
          ExtentRecord record = store.read(entry.getKey());
          assertEquals(ByteBuffer.wrap(entry.getValue()), record.payload(), what);
          assertEquals(entry.getValue().length, record.key(), what);
          assertEquals(3, record.kind(), what);
        } catch (CorruptionException e) {
          assertTrue(e.file().endsWith(FILE), e.getMessage());
          damaged++;
        }
      }
    }
    return damaged;
  }

  @Test
  void noiseIsNeverARecord() {
    for (int i = 0; i < 20_000; i++) {
      byte[] noise = noise(random.nextInt(200));
      ByteBuffer frame = ByteBuffer.wrap(noise).order(ByteOrder.LITTLE_ENDIAN);
      long location = random.nextLong();
      assertThrows(
          CorruptionException.class,
          () -> RecordFrame.decode(frame, 7, location, FILE),
          "-Dbg3.seed=" + seed + ", round " + i);
    }
  }

  @Test
  void noiseIsAUsageRowOnlyIfItKeepsTheInvariants() {
    for (int i = 0; i < 20_000; i++) {
      ByteBuffer row = ByteBuffer.allocate(ExtentUsage.ENCODED_LENGTH);
      if (random.nextBoolean()) {
        usage().encode(row);
        row.rewind();
        row.put(random.nextInt(row.capacity()), (byte) random.nextInt());
      } else {
        row = ByteBuffer.wrap(noise(random.nextInt(80)));
      }
      try {
        ExtentUsage usage = ExtentUsage.decode(row);
        ByteBuffer again = ByteBuffer.allocate(ExtentUsage.ENCODED_LENGTH);
        usage.encode(again);
        assertEquals(row.flip(), again.flip(), "-Dbg3.seed=" + seed + ", round " + i);
      } catch (CorruptionException e) {
        assertTrue(e.getMessage().contains("extent usage"), e.getMessage());
      }
    }
  }

  @Test
  void usageRowsComeBackAsTheyWere() {
    for (int i = 0; i < 1000; i++) {
      ExtentUsage usage = usage();
      ByteBuffer row = ByteBuffer.allocate(3 + ExtentUsage.ENCODED_LENGTH + 5).position(3);
      usage.encode(row);
      assertEquals(3 + ExtentUsage.ENCODED_LENGTH, row.position());
      assertEquals(usage, ExtentUsage.decode(row.position(3)), "-Dbg3.seed=" + seed);
      assertEquals(3 + ExtentUsage.ENCODED_LENGTH, row.position());
    }
  }

  @Test
  void offsetsAreThoseTheCommentsShow() {
    assertEquals(
        List.of(0, 4, 8, 16, 17, 20, 24),
        List.of(
            RecordFrame.CHECKSUM,
            RecordFrame.LENGTH,
            RecordFrame.KEY,
            RecordFrame.KIND,
            RecordFrame.RESERVED,
            RecordFrame.FIRST,
            RecordFrame.PAYLOAD));
    assertEquals(
        List.of(0, 4, 5, 6, 7, 8, 16, 24, 32, 40, 48, 56, 64),
        List.of(
            ExtentUsage.EXTENT,
            ExtentUsage.STREAM,
            ExtentUsage.SEALED,
            ExtentUsage.ORIGIN,
            ExtentUsage.FAMILY,
            ExtentUsage.WRITTEN,
            ExtentUsage.STORED,
            ExtentUsage.LIVE,
            ExtentUsage.LIVE_RECORDS,
            ExtentUsage.NEWEST,
            ExtentUsage.GARBAGE,
            ExtentUsage.WINDOW_END,
            ExtentUsage.ENCODED_LENGTH));
    assertEquals(64, Extent.FIRST_RECORD);
    assertEquals(0x00000002_00000_809L, Location.of(2, 64, 72));
  }

  private byte[] noise(int length) {
    byte[] noise = new byte[length];
    random.nextBytes(noise);
    return noise;
  }

  private ExtentUsage usage() {
    long live = random.nextInt(1 << 20);
    return new ExtentUsage(
        1 + random.nextInt(100),
        Stream.of(random.nextInt(4)),
        random.nextBoolean(),
        random.nextBoolean(),
        random.nextInt(256),
        64 + 8L * random.nextInt(1000),
        live + random.nextInt(1000),
        live,
        live == 0 ? 0 : 1 + random.nextInt(10),
        random.nextLong(),
        random.nextDouble() * 1e9,
        random.nextLong() >>> 1);
  }
}

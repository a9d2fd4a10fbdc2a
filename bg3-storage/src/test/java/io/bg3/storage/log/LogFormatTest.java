package io.bg3.storage.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.format.Checksums;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.FormatTooNewException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The bytes of segments and records: pinned, stored, flipped, cut off, exchanged and made up. */
class LogFormatTest {
  private static final LogSettings SETTINGS =
      new LogSettings(0x0102030405060708L, 8192, 16384, 1 << 20, 4096);

  /**
   * A segment of version 1 with two records, as it must be read for ever: what is not zero of it.
   */
  private static final String STORED_HEADER =
      "424733006c6f67000000000000000000010000000000000008070605040302010000000000000000"
          + "0000000000000000000000000000000000000000";

  @Test
  void theLayoutIsTheDocumentedOne() {
    assertEquals(
        "0 4 8 16 24 28 32",
        join(
            LogRecord.CHECKSUM,
            LogRecord.LENGTH,
            LogRecord.POSITION,
            LogRecord.DURABLE,
            LogRecord.EPOCH,
            LogRecord.BODY,
            LogRecord.HEADER));
    assertEquals(
        "64 72 76 80 4096",
        join(
            SegmentHeader.CAPACITY,
            SegmentHeader.EPOCH,
            SegmentHeader.CHECKSUM,
            SegmentHeader.BYTES,
            SegmentHeader.RESERVED));
    assertEquals("log-000000000000ff00", SegmentNames.name(0xff00));
    assertEquals(40, LogRecord.bytes(1));
    assertEquals(40, LogRecord.bytes(8));
    assertEquals(48, LogRecord.bytes(9));
  }

  @Test
  void aSegmentIsWrittenByteByByteAsDocumented() throws IOException {
    CrashingDisk disk = new CrashingDisk();
    write(disk, List.of(bytes("first"), bytes("the second")));
    String name = SegmentNames.name(0);
    ByteBuffer header = content(disk, name, 0, SegmentHeader.BYTES);
    assertEquals(STORED_HEADER, HexFormat.of().formatHex(disk.content(name, 0, 60)));
    assertEquals(4096, header.getLong(64));
    assertEquals(1, header.getInt(72));
    assertEquals(Checksums.crc32c(header, 64, 76), header.getInt(76));

    ByteBuffer record = content(disk, name, 4096 + 40, 48);
    assertEquals(10, record.getInt(4));
    assertEquals(40, record.getLong(8));
    assertEquals(40, record.getLong(16), "the first was durable when the second was written");
    assertEquals(1, record.getInt(24));
    assertEquals(Checksums.crc32c(record, 32, 48), record.getInt(28));
    assertEquals(
        new Checksums().add(SETTINGS.store()).add(record, 4, 32).value(), record.getInt(0));
    assertEquals(
        "the second", new String(disk.content(name, 4096 + 72, 10), StandardCharsets.US_ASCII));
    assertEquals("000000000000", HexFormat.of().formatHex(disk.content(name, 4096 + 82, 6)));
  }

  @Test
  void everyFlippedBitInRecordsAndHeadersIsFoundWhereAManifestClaimsThem() throws IOException {
    CrashingDisk disk = new CrashingDisk();
    List<byte[]> payloads = payloads(30, 300);
    long end = write(disk, payloads);
    int flips = 0;
    for (long position = 0; position < end; position++) {
      int first = (int) position % 8;
      for (int bit = first; bit < (position < 200 ? 8 : first + 1); bit++) {
        StreamDamage.flip(disk, position, bit);
        assertThrows(CorruptionException.class, () -> readAll(disk, end), position + "." + bit);
        StreamDamage.flip(disk, position, bit);
        flips++;
      }
    }
    for (String name : SegmentNames.list(disk).headMap(end).values()) {
      for (int bit = 0; bit < 8 * SegmentHeader.BYTES; bit++) {
        disk.flipBit(name, bit);
        assertThrows(CorruptionException.class, () -> readAll(disk, end), name + " bit " + bit);
        disk.flipBit(name, bit);
        flips++;
      }
    }
    assertTrue(flips > 5_000, "flips=" + flips);
    assertEquals(payloads.size(), readAll(disk, end).size());
  }

  @Test
  void damageNobodyCanKnowOfEndsTheLogAndIsNeverReturnedAsData() throws IOException {
    Random random = new Random(6);
    List<byte[]> payloads = payloads(30, 400);
    CrashingDisk whole = new CrashingDisk();
    long end = write(whole, payloads);
    for (int i = 0; i < 2_000; i++) {
      CrashingDisk disk = whole.crash(random); // all is synced: a copy
      for (int j = random.nextInt(4); j >= 0; j--) {
        byte[] garbage = new byte[1 + random.nextInt(600)];
        random.nextBytes(garbage);
        StreamDamage.replace(disk, random.nextLong(end), garbage);
      }
      try {
        List<byte[]> read = readAll(disk, 0);
        for (int at = 0; at < read.size(); at++) {
          assertEquals(ByteBuffer.wrap(payloads.get(at)), ByteBuffer.wrap(read.get(at)));
        }
      } catch (CorruptionException e) {
        assertTrue(e.getMessage().contains("log-"), e.getMessage());
      }
    }
  }

  @Test
  void filesOfGarbageAreDamageAndNothingElse() throws IOException {
    Random random = new Random(7);
    for (int i = 0; i < 3_000; i++) {
      CrashingDisk disk = new CrashingDisk();
      byte[] garbage =
          new byte[random.nextInt(3) == 0 ? random.nextInt(200) : 4096 + random.nextInt(5000)];
      random.nextBytes(garbage);
      try (DiskFile file = disk.create(SegmentNames.name(0))) {
        file.write(ByteBuffer.wrap(garbage), 0);
      }
      assertThrows(CorruptionException.class, () -> readAll(disk, 0));
      assertEquals(0, disk.openFiles());
    }
  }

  @Test
  void aRecordAtAnotherPlaceThanItsOwnDoesNotCount() throws IOException {
    CrashingDisk disk = new CrashingDisk();
    long end = write(disk, List.of(new byte[100], new byte[100], new byte[100]));
    byte[] second = disk.content(SegmentNames.name(0), 4096 + 136, 136);
    disk.damage(SegmentNames.name(0), 4096, second);
    CorruptionException damage = assertThrows(CorruptionException.class, () -> readAll(disk, end));
    assertEquals(4096, damage.offset());
    assertTrue(damage.expected().contains("T1: the manifest claims"), damage.expected());
  }

  @Test
  void aSegmentOfAnotherStoreOrUnderAnotherNameIsDamage() throws IOException {
    CrashingDisk disk = new CrashingDisk();
    write(disk, payloads(3, 100));
    LogSettings other = new LogSettings(9, 8192, 8192, 1, 4096);
    CorruptionException foreign =
        assertThrows(CorruptionException.class, () -> WriteAheadLog.read(disk, other, 0, 0));
    assertTrue(foreign.getMessage().contains("store 9"), foreign.getMessage());
    disk.rename(SegmentNames.name(0), SegmentNames.name(8));
    assertThrows(CorruptionException.class, () -> WriteAheadLog.read(disk, SETTINGS, 8, 0));
  }

  @Test
  void aPayloadThatLooksLikeARecordClaimsNothing() throws IOException {
    CrashingDisk disk = new CrashingDisk();
    ByteBuffer forged = ByteBuffer.allocate(40).order(ByteOrder.LITTLE_ENDIAN);
    // A record that a client can forge if it knows everything but the store's id.
    LogRecord.encodeHeader(forged, 0, 0, 8, 104, 104, 1, 0);
    try (WriteAheadLog log = WriteAheadLog.create(disk, SETTINGS, 0)) {
      log.reserve(32);
      log.append(ByteBuffer.allocate(32));
      log.write(true);
      log.reserve(40);
      log.append(forged);
      log.write(true);
    }
    StreamDamage.flip(disk, 64, 0); // the second record's header
    assertEquals(1, readAll(disk, 0).size());
  }

  @Test
  void aMissingSegmentIsDamageWhereALaterOneClaimsIt() throws IOException {
    CrashingDisk disk = new CrashingDisk();
    write(disk, payloads(100, 400));
    List<String> names = new ArrayList<>(SegmentNames.list(disk).values());
    assertTrue(names.size() >= 3);
    disk.delete(names.get(1));
    CorruptionException gap = assertThrows(CorruptionException.class, () -> readAll(disk, 0));
    assertTrue(gap.getMessage().contains("T2: the record at"), gap.getMessage());
    assertTrue(gap.getMessage().contains(names.get(0)), gap.getMessage());
  }

  @Test
  void aSegmentThatWasCutShortIsDamage() throws IOException {
    CrashingDisk disk = new CrashingDisk();
    long end = write(disk, payloads(100, 400));
    String last = SegmentNames.list(disk).floorEntry(end - 1).getValue();
    try (DiskFile file = disk.open(last)) {
      file.truncate(file.size() - 1);
    }
    assertThrows(CorruptionException.class, () -> readAll(disk, end));
  }

  @Test
  void aNewerFormatIsRefusedAndNothingIsTouched() throws IOException {
    MemoryDisk disk = new MemoryDisk();
    write(disk, payloads(3, 100));
    try (DiskFile file = disk.open(SegmentNames.name(0))) {
      ByteBuffer header = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
      file.read(header, 0);
      header.putInt(16, 2);
      header.putInt(60, Checksums.crc32c(header, 0, 60));
      file.write(header.clear(), 0);
    }
    assertThrows(FormatTooNewException.class, () -> readAll(disk, 0));
  }

  private static long write(Disk disk, List<byte[]> payloads) throws IOException {
    try (WriteAheadLog log = WriteAheadLog.create(disk, SETTINGS, 0)) {
      for (byte[] payload : payloads) {
        log.reserve(payload.length);
        log.append(ByteBuffer.wrap(payload));
        log.write(true);
      }
      return log.end();
    }
  }

  private static List<byte[]> readAll(Disk disk, long claimed) throws IOException {
    List<byte[]> read = new ArrayList<>();
    try (LogReader reader = WriteAheadLog.read(disk, SETTINGS, 0, claimed)) {
      while (reader.next()) {
        byte[] payload = new byte[reader.payload().remaining()];
        reader.payload().get(payload);
        read.add(payload);
      }
      assertFalse(reader.next());
    }
    return read;
  }

  private static List<byte[]> payloads(int count, int length) {
    Random random = new Random(count);
    List<byte[]> payloads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      payloads.add(new byte[1 + random.nextInt(length)]);
      random.nextBytes(payloads.get(i));
    }
    return payloads;
  }

  private static ByteBuffer content(CrashingDisk disk, String name, long position, int length) {
    return ByteBuffer.wrap(disk.content(name, position, length)).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static String join(int... numbers) {
    return String.join(" ", Arrays.stream(numbers).mapToObj(Integer::toString).toList());
  }
}

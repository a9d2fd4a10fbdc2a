package io.bg3.storage.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.format.CorruptionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The behaviour of a log for one thread when nothing goes wrong. */
class WriteAheadLogTest {
  private static final LogSettings SMALL = new LogSettings(7, 8192, 32768, 1 << 20, 4096);

  private final MemoryDisk disk = new MemoryDisk();

  @Test
  void whatWasAppendedIsReadBackInOrderWithItsPositions() throws IOException {
    Random random = new Random(1);
    List<byte[]> payloads = new ArrayList<>();
    List<Long> ends = new ArrayList<>();
    try (WriteAheadLog log = WriteAheadLog.create(disk, SMALL, 0)) {
      for (int i = 0; i < 500; i++) {
        payloads.add(bytes(random, 1 + random.nextInt(random.nextInt(10) == 0 ? 30_000 : 200)));
        ends.add(append(log, payloads.get(i)));
        if (random.nextInt(3) == 0) {
          assertEquals(log.end(), log.write(random.nextBoolean()));
        }
      }
      assertEquals(log.end(), log.write(true));
      assertEquals(log.end(), log.durable());
    }
    try (LogReader reader = WriteAheadLog.read(disk, SMALL, 0, 0)) {
      long start = 0;
      for (int i = 0; i < payloads.size(); i++) {
        assertTrue(reader.next());
        assertEquals(start, reader.position());
        assertEquals(ends.get(i), reader.end());
        assertEquals(ByteBuffer.wrap(payloads.get(i)), reader.payload());
        start = reader.end();
      }
      assertFalse(reader.next());
      assertEquals(new TornTail(start, 0), reader.tornTail());
    }
  }

  @Test
  void aLogGoesOnWhereItEndedWhenItIsOpenedAgain() throws IOException {
    long position = 0;
    for (int epoch = 0; epoch < 20; epoch++) {
      try (WriteAheadLog log =
          epoch == 0 ? WriteAheadLog.create(disk, SMALL, 0) : reopened(0, position)) {
        assertEquals(position, log.end());
        assertEquals(position, log.durable());
        for (int i = 0; i < 30; i++) {
          position = append(log, new byte[700]);
        }
        log.write(true);
      }
    }
    assertEquals(600, count(0));
  }

  @Test
  void segmentsBeginSmallAndDoubleUpToTheLargest() throws IOException {
    try (WriteAheadLog log = WriteAheadLog.create(disk, SMALL, 0)) {
      assertEquals(8192, log.bytes());
      while (log.end() < 200_000) {
        append(log, new byte[1000]);
        log.write(false);
      }
      List<Long> sizes = new ArrayList<>();
      for (String name : SegmentNames.list(disk).values()) {
        sizes.add(disk.open(name).size());
      }
      assertEquals(List.of(8192L, 16384L, 32768L, 32768L), sizes.subList(0, 4));
      assertEquals(sizes.stream().mapToLong(Long::longValue).sum(), log.bytes());
    }
  }

  @Test
  void truncatingDeletesWholeSegmentsAndReplayStartsBehindThem() throws IOException {
    long from = 0;
    long last;
    try (WriteAheadLog log = WriteAheadLog.create(disk, SMALL, 0)) {
      for (int i = 0; i < 300; i++) {
        last = append(log, new byte[1000]);
        from = i == 200 ? last : from;
      }
      long needed = from;
      assertThrows(IllegalArgumentException.class, () -> log.truncateBefore(needed));
      log.write(true);
      long before = log.bytes();
      log.truncateBefore(from);
      assertTrue(log.bytes() < before);
    }
    assertEquals(99, count(from));
    CorruptionException gone =
        assertThrows(CorruptionException.class, () -> WriteAheadLog.read(disk, SMALL, 0, 0));
    assertTrue(gone.getMessage().contains("log-0000000000000000"), gone.getMessage());
  }

  @Test
  void awaitWorkTellsWhetherSomethingWaitsToBeWritten() throws IOException {
    try (WriteAheadLog log = WriteAheadLog.create(disk, SMALL, 0)) {
      assertFalse(log.awaitWork(1000));
      append(log, new byte[1]);
      assertTrue(log.awaitWork(1000));
      log.write(false);
      assertFalse(log.awaitWork(1000));
      assertEquals(0, log.durable());
      log.write(true);
      assertEquals(log.end(), log.durable());
    }
  }

  @Test
  void aLogThatIsWrittenWithoutASyncIsInTheFileButNotDurable() throws IOException {
    try (WriteAheadLog log = WriteAheadLog.create(disk, SMALL, 0)) {
      long first = append(log, new byte[100]);
      append(log, new byte[100]);
      log.writeTo(first);
      assertFalse(log.awaitWork(1000), "what is appended by then is written with it");
      assertEquals(0, log.durable());
    }
    assertEquals(2, count(0));
  }

  @Test
  void aLogThatIsWrittenFarEnoughIsNotWrittenAgain() throws IOException {
    try (WriteAheadLog log = WriteAheadLog.create(disk, SMALL, 0)) {
      long first = append(log, new byte[100]);
      log.writeTo(first);
      append(log, new byte[100]);
      log.writeTo(first);
      assertTrue(log.awaitWork(1000), "the second record waits for a committer that wants it");
    }
  }

  @Test
  void aPayloadThatNoRecordCanHoldIsRefused() throws IOException {
    try (WriteAheadLog log = WriteAheadLog.create(disk, SMALL, 0)) {
      assertThrows(IllegalArgumentException.class, () -> log.reserve(0));
      assertThrows(IllegalArgumentException.class, () -> log.reserve((1 << 30) + 1));
    }
  }

  @Test
  void aNewLogRefusesAStoreThatHasRecords() throws IOException {
    try (WriteAheadLog log = WriteAheadLog.create(disk, SMALL, 0)) {
      append(log, new byte[1]);
    }
    try (WriteAheadLog log = WriteAheadLog.create(disk, SMALL, 0)) {
      append(log, new byte[1]);
      log.write(true);
    }
    assertThrows(CorruptionException.class, () -> WriteAheadLog.create(disk, SMALL, 0));
    assertEquals(1, count(0));
  }

  /**
   * A record behind a torn one has everything that makes it valid. It must not come back when later
   * ones end just before it and replay begins there, where no epoch stands against it.
   */
  @Test
  void aWholeRecordBehindATornOneDoesNotComeBack() throws IOException {
    assertEquals(0, comeBack(new LogRepair()));
    LogRepair forgetful =
        new LogRepair() {
          @Override
          void zero(Segment last, TornTail tail) {}
        };
    assertEquals(1, comeBack(forgetful), "the broken twin");
  }

  private static int comeBack(LogRepair repair) throws IOException {
    CrashingDisk first = new CrashingDisk();
    WriteAheadLog killed = WriteAheadLog.create(first, SMALL, 0);
    append(killed, new byte[100]);
    append(killed, new byte[100]);
    killed.write(false);
    CrashingDisk torn = first.kill();
    StreamDamage.flip(torn, LogRecord.HEADER, 0); // in the first payload
    LogReader reader = WriteAheadLog.read(torn, SMALL, 0, 0);
    assertFalse(reader.next());
    long end;
    try (WriteAheadLog log = WriteAheadLog.open(reader, repair, new SegmentFiles(torn, SMALL))) {
      append(log, new byte[100]); // as long as the torn one
      end = log.write(true);
    }
    int count = 0;
    try (LogReader again = WriteAheadLog.read(torn, SMALL, end, end)) {
      while (again.next()) {
        count++;
      }
    }
    return count;
  }

  private WriteAheadLog reopened(long from, long claimed) throws IOException {
    try (LogReader reader = WriteAheadLog.read(disk, SMALL, from, claimed)) {
      assertThrows(IllegalStateException.class, () -> WriteAheadLog.open(reader));
      while (reader.next()) {
        assertTrue(reader.payload().hasRemaining());
      }
      return WriteAheadLog.open(reader); // takes the files over, so closing the reader is harmless
    }
  }

  private int count(long from) throws IOException {
    int count = 0;
    try (LogReader reader = WriteAheadLog.read(disk, SMALL, from, from)) {
      while (reader.next()) {
        count++;
      }
    }
    return count;
  }

  private static long append(WriteAheadLog log, byte[] payload) throws IOException {
    log.reserve(payload.length);
    return log.append(ByteBuffer.wrap(payload));
  }

  private static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}

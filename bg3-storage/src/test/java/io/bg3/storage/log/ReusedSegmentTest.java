package io.bg3.storage.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.storage.file.DiskFile;
import io.bg3.storage.file.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.NavigableMap;
import org.junit.jupiter.api.Test;

/** Segments that become new ones: what they held is there, and nobody takes it for the log. */
class ReusedSegmentTest {
  private static final int SEGMENT = 8192;
  private static final int PAYLOAD = 96;
  private static final long KEPT = 4 * SEGMENT;
  private static final LogSettings SETTINGS =
      new LogSettings(11, SEGMENT, SEGMENT, 1 << 20, 4096).keeping(KEPT);

  private final MemoryDisk disk = new MemoryDisk();

  @Test
  void wholeRecordsOfAnEarlierLifeBehindTheEndAreNotRead() throws IOException {
    try (WriteAheadLog log = WriteAheadLog.create(disk, SETTINGS, 0)) {
      fill(log, 5 * SEGMENT);
      long from = log.write(true);
      log.truncateBefore(from);
      assertTrue(log.bytes() <= KEPT + 3 * SEGMENT, log.toString());
      int stale = 0;
      for (int count = 1; count < 200; count++) {
        append(log);
        log.write(true);
        stale += staleHeaders(log.end());
        assertEquals(count, count(from, log.durable()));
      }
      assertTrue(stale > 1_000, "records valid but for their place: " + stale);
    }
  }

  @Test
  void theLogThatWasKilledInAReusedSegmentEndsThereAndGoesOn() throws IOException {
    WriteAheadLog killed = WriteAheadLog.create(disk, SETTINGS, 0);
    fill(killed, 5 * SEGMENT);
    long from = killed.write(true);
    killed.truncateBefore(from);
    int count = fill(killed, 3 * SEGMENT / 2);
    killed.write(true);
    assertTrue(staleHeaders(killed.end()) > 0);
    try (LogReader reader = WriteAheadLog.read(disk, SETTINGS, from, killed.durable())) {
      for (int i = 0; i < count; i++) {
        assertTrue(reader.next());
      }
      assertFalse(reader.next());
      assertEquals(new TornTail(killed.end(), 0), reader.tornTail(), "nothing has to be zeroed");
      try (WriteAheadLog log = WriteAheadLog.open(reader)) {
        append(log);
        assertEquals(log.end(), log.write(true));
        assertEquals(count + 1, count(from, log.durable()));
      }
    }
  }

  @Test
  void noMoreIsKeptThanTheLimitSaysAndNothingWhenTheLogIsClosed() throws IOException {
    long end;
    try (WriteAheadLog log = WriteAheadLog.create(disk, SETTINGS, 0)) {
      for (int i = 0; i < 20; i++) {
        fill(log, 10 * SEGMENT);
        long durable = log.write(true);
        log.truncateBefore(durable);
        assertTrue(log.bytes() <= KEPT + 3 * SEGMENT, log.toString());
        assertEquals(log.bytes(), bytesOnDisk());
      }
      end = log.end();
    }
    NavigableMap<Long, String> left = SegmentNames.list(disk);
    assertTrue(left.size() <= 3, left.toString());
    assertTrue(left.firstKey() <= end && left.firstKey() + SEGMENT >= end, left.toString());
  }

  private static int fill(WriteAheadLog log, long bytes) throws IOException {
    long to = log.end() + bytes;
    int count = 0;
    while (log.end() < to) {
      append(log);
      count++;
    }
    return count;
  }

  private static void append(WriteAheadLog log) throws IOException {
    log.reserve(PAYLOAD);
    log.append(ByteBuffer.allocate(PAYLOAD));
  }

  private int count(long from, long claimed) throws IOException {
    int count = 0;
    try (LogReader reader = WriteAheadLog.read(disk, SETTINGS, from, claimed)) {
      while (reader.next()) {
        count++;
      }
    }
    return count;
  }

  private long bytesOnDisk() throws IOException {
    long bytes = 0;
    for (String name : SegmentNames.list(disk).values()) {
      try (DiskFile file = disk.open(name)) {
        bytes += file.size();
      }
    }
    return bytes;
  }

  /**
   * How many headers behind the end, in its segment, are valid at the position that they carry,
   * which is not the one at which they stand.
   */
  private int staleHeaders(long end) throws IOException {
    var segment = SegmentNames.list(disk).floorEntry(end);
    ByteBuffer bytes = ByteBuffer.allocate(SEGMENT).order(ByteOrder.LITTLE_ENDIAN);
    try (DiskFile file = disk.open(segment.getValue())) {
      file.read(bytes, 0);
    }
    int found = 0;
    int from = (int) (SegmentHeader.RESERVED + end - segment.getKey());
    for (int at = from; at + LogRecord.HEADER <= SEGMENT; at += LogRecord.ALIGNMENT) {
      long position = segment.getKey() + at - SegmentHeader.RESERVED;
      long carried = bytes.getLong(at + LogRecord.POSITION);
      assertFalse(LogRecord.isHeader(bytes, at, SETTINGS.store(), position));
      found += LogRecord.isHeader(bytes, at, SETTINGS.store(), carried) ? 1 : 0;
    }
    return found;
  }
}

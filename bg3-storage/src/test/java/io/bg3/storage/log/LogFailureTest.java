package io.bg3.storage.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.CrashingDisk.Fault;
import io.bg3.storage.file.Sites;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The behaviour of a log when the disk fails or lies. */
class LogFailureTest {
  private static final LogSettings SETTINGS = new LogSettings(3, 8192, 8192, 1 << 20, 4096);

  private final CrashingDisk disk = new CrashingDisk();

  @Test
  void aFailedSyncIsFinalAndTheFirstCauseIsKept() throws IOException {
    WriteAheadLog log = WriteAheadLog.create(disk, SETTINGS, 0);
    append(log, 10);
    log.write(false);
    disk.failAt(1, Fault.EIO, false);
    IOException first = assertThrows(IOException.class, () -> log.write(true));
    assertTrue(first.getMessage().contains("Input/output error"), first.getMessage());
    assertSame(first, log.failure());
    assertEquals(0, log.durable());
    assertSame(first, assertThrows(IOException.class, () -> log.write(true)).getCause());
    assertSame(first, assertThrows(IOException.class, () -> log.reserve(1)).getCause());
    assertFalse(log.awaitWork(1_000_000_000));
    assertEquals(0, log.durable());
  }

  @Test
  void aFailedWriteIsFinalAndAppendingGoesOnWithoutThrowing() throws IOException {
    WriteAheadLog log = WriteAheadLog.create(disk, SETTINGS, 0);
    log.reserve(10);
    append(log, 10);
    disk.failAt(1, Fault.ENOSPC, true);
    IOException first = assertThrows(IOException.class, () -> log.write(false));
    long end = log.end();
    assertEquals(end + LogRecord.bytes(10), log.append(ByteBuffer.allocate(10)));
    assertSame(first, assertThrows(IOException.class, () -> log.write(true)).getCause());
  }

  @Test
  void aFullDiskRefusesReservationsButWhatWasReservedIsStillWritten() throws IOException {
    WriteAheadLog log = WriteAheadLog.create(disk, SETTINGS, 0);
    log.reserve(1000);
    disk.failAt(1, Fault.ENOSPC, true);
    IOException full = assertThrows(IOException.class, () -> log.reserve(3000));
    assertTrue(full.getMessage().contains("No space left"), full.getMessage());
    disk.heal();
    assertSame(full, assertThrows(IOException.class, () -> log.reserve(1)).getCause());
    assertNull(log.failure());
    log.append(ByteBuffer.allocate(1000));
    assertEquals(log.end(), log.write(true));
    assertEquals(LogRecord.bytes(1000), log.durable());
    log.close();
    try (LogReader reader = WriteAheadLog.read(disk, SETTINGS, 0, log.durable())) {
      assertTrue(reader.next());
      assertFalse(reader.next());
    }
  }

  /**
   * Runs one life with its N-th operation failing, for every N, once and for ever; then one
   * recovery of a torn log in the same way.
   */
  @Test
  void whereverAnOperationFailsNothingIsAcknowledgedFalselyAndReopeningIsClean()
      throws IOException {
    Sites sites = new Sites();
    for (boolean forever : new boolean[] {false, true}) {
      int n = 1;
      while (failingLife(sites, fault(n), forever, n)) {
        n++;
      }
      assertTrue(n > 20, "operations of a life: n=" + n);
      n = 1;
      while (failingRecovery(sites, fault(n), forever, n)) {
        n++;
      }
      assertTrue(n > 10, "operations of a recovery: n=" + n);
    }
    assertEquals(Set.of(), sites.unfailed());
  }

  private static Fault fault(int n) {
    return n % 2 == 0 ? Fault.EIO : Fault.ENOSPC;
  }

  /** Whether the N-th operation was reached. */
  private static boolean failingLife(Sites sites, Fault fault, boolean forever, int n)
      throws IOException {
    Random random = new Random(1); // the same life each time
    CrashingDisk failing = new CrashingDisk(sites, new Random(n));
    WriteAheadLog.create(failing, SETTINGS, 0).close(); // what an earlier attempt left
    failing.failAt(n, fault, forever);
    LogOracle oracle = new LogOracle();
    long from = 0;
    try (WriteAheadLog log = WriteAheadLog.create(failing, SETTINGS, 0)) {
      write(log, oracle, random);
      from = oracle.acknowledged();
      log.truncateBefore(from);
    } catch (IOException e) {
      failing.heal();
      if (!oracle.entries().isEmpty()) {
        recover(failing.kill(), oracle, from, random);
      }
      return true;
    }
    return failing.faults() > 0;
  }

  /** Whether the N-th operation was reached. */
  private static boolean failingRecovery(Sites sites, Fault fault, boolean forever, int n)
      throws IOException {
    Random random = new Random(1); // the same torn log each time
    CrashingDisk first = new CrashingDisk(sites, new Random(n));
    LogOracle oracle = new LogOracle();
    WriteAheadLog log = WriteAheadLog.create(first, SETTINGS, 0);
    write(log, oracle, random);
    append(log, oracle, random);
    append(log, oracle, random);
    log.write(false);
    CrashingDisk torn = first.kill();
    StreamDamage.flip(torn, oracle.acknowledged() + LogRecord.POSITION, 0);
    torn.flipBit(SegmentNames.list(torn).lastEntry().getValue(), 1); // prepared, never used
    torn.failAt(n, fault, forever);
    try {
      LogReader reader = WriteAheadLog.read(torn, SETTINGS, 0, oracle.acknowledged());
      oracle.check(reader, 0);
      assertTrue(reader.tornTail().bytes() > 0);
      WriteAheadLog.open(reader).close();
    } catch (IOException e) {
      torn.heal();
      recover(torn.kill(), oracle, 0, random);
      return true;
    }
    return torn.faults() > 0;
  }

  private static void recover(CrashingDisk killed, LogOracle oracle, long from, Random random)
      throws IOException {
    LogReader reader = WriteAheadLog.read(killed, SETTINGS, from, oracle.acknowledged());
    long end = oracle.check(reader, from);
    WriteAheadLog.open(reader).close();
    oracle.opened(end);
    try (LogReader again =
        WriteAheadLog.read(killed.crash(random), SETTINGS, from, oracle.acknowledged())) {
      oracle.check(again, from);
    }
  }

  private static void write(WriteAheadLog log, LogOracle oracle, Random random) throws IOException {
    for (int i = 0; i < 10; i++) {
      for (int j = 0; j < 3; j++) {
        append(log, oracle, random);
      }
      oracle.acknowledged(log.write(true));
    }
  }

  private static void append(WriteAheadLog log, LogOracle oracle, Random random)
      throws IOException {
    ByteBuffer payload = oracle.payload(random);
    int length = payload.remaining();
    log.reserve(length);
    oracle.appended(log.append(payload), length);
  }

  private static void append(WriteAheadLog log, int length) throws IOException {
    log.reserve(length);
    log.append(ByteBuffer.allocate(length));
  }
}

package io.bg3.storage.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.storage.file.Disk;
import io.bg3.storage.file.RealDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Committers in several threads, interrupted now and then, and one writer, on real files, as the
 * commit layer does it.
 */
class GroupCommitTest {
  private static final int COMMITTERS = 6;
  private static final int COMMITS = 1_500;

  @TempDir Path directory;

  @Test
  void everyCommitterFindsItsRecordsInOrderAndSegmentsAreReadyBeforeTheyAreNeeded()
      throws Exception {
    LogSettings settings = new LogSettings(5, 8192, 1 << 16, 4096, 4096);
    try (Disk disk = RealDisk.open(directory)) {
      WriteAheadLog log = WriteAheadLog.create(disk, settings, 0);
      AtomicBoolean done = new AtomicBoolean();
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread writer =
          new Thread(
              () -> {
                try {
                  while (!done.get()) {
                    if (log.awaitWork(TimeUnit.MILLISECONDS.toNanos(50))) {
                      log.write(true);
                    }
                  }
                } catch (IOException | RuntimeException | Error e) {
                  failure.set(e);
                }
              },
              "writer");
      writer.start();
      ReentrantLock sequencer = new ReentrantLock();
      ExecutorService pool = Executors.newFixedThreadPool(COMMITTERS);
      List<Future<?>> committers = new ArrayList<>();
      for (int i = 0; i < COMMITTERS; i++) {
        int committer = i;
        committers.add(
            pool.submit(
                () -> {
                  commit(log, sequencer, committer);
                  return null;
                }));
      }
      for (Future<?> committer : committers) {
        committer.get();
      }
      pool.shutdown();
      done.set(true);
      writer.join();
      assertEquals(null, failure.get());
      log.write(
          true); // the writer may have looked for work before the last record and for the end after
      // it
      assertEquals(log.end(), log.durable());
      log.close();
      int[] next = new int[COMMITTERS];
      try (LogReader reader = WriteAheadLog.read(disk, settings, 0, log.durable())) {
        while (reader.next()) {
          int committer = reader.payload().getInt(0);
          assertEquals(next[committer]++, reader.payload().getInt(4));
        }
        assertFalse(reader.next());
        assertEquals(log.durable(), reader.end());
      }
      for (int count : next) {
        assertEquals(COMMITS, count);
      }
    }
  }

  private static void commit(WriteAheadLog log, ReentrantLock sequencer, int committer)
      throws IOException {
    for (int i = 0; i < COMMITS; i++) {
      ByteBuffer payload = ByteBuffer.allocate(8 + i % 400);
      payload.order(ByteOrder.LITTLE_ENDIAN).putInt(0, committer).putInt(4, i);
      if (i % 100 == 7) {
        Thread.currentThread().interrupt();
      }
      log.reserve(payload.remaining());
      if (i % 100 == 7) {
        assertTrue(Thread.interrupted(), "the flag is as it was");
      }
      long end;
      sequencer.lock();
      try {
        end = log.append(payload);
      } finally {
        sequencer.unlock();
      }
      if (i % 3 == 0) {
        while (log.durable() < end) {
          LockSupport.parkNanos(20_000);
        }
      }
    }
  }
}

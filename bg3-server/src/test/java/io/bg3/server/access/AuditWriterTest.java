package io.bg3.server.access;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Lines that are handed over by several threads, to a disk that is quick, slow, or stands still.
 */
class AuditWriterTest {
  private static final int THREADS = 3;
  private static final int EACH = 20_000;

  private final Queue<AuditLine> written = new ConcurrentLinkedQueue<>();

  /** One that is known by its characters. */
  private static AuditLine line(int thread, int number) {
    return new AuditLine(0, "", new Object[0], thread * EACH + number);
  }

  @Test
  void eachLineIsWrittenOnceInTheOrderOfItsThread() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (AuditWriter writer = new AuditWriter(written::add)) {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int number = thread;
        all.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < EACH; i++) {
                    while (!writer.add(line(number, i))) {
                      Thread.onSpinWait();
                    }
                  }
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } finally {
      threads.shutdown();
    }
    assertEquals(THREADS * EACH, written.size());
    int[] next = new int[THREADS];
    for (AuditLine line : written) {
      int thread = line.characters() / EACH;
      assertEquals(next[thread], line.characters() % EACH, "thread=" + thread);
      next[thread]++;
    }
  }

  /** A line that comes while the thread is about to wait must not wait for another one. */
  @Test
  void aLineAfterAPauseIsWrittenByItself() throws Exception {
    try (AuditWriter writer = new AuditWriter(written::add)) {
      for (int i = 0; i < 40; i++) {
        assertTrue(writer.add(line(0, i)));
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (written.size() <= i) {
          assertTrue(System.nanoTime() < end, "line " + i + " is not written");
          Thread.onSpinWait();
        }
        TimeUnit.MILLISECONDS.sleep(i); // about the time after which the thread waits
      }
    }
  }

  @Test
  void whileTheDiskStandsStillThereIsNoRoomAndNothingIsLost() throws Exception {
    CountDownLatch stands = new CountDownLatch(1);
    List<AuditLine> taken = new ArrayList<>();
    try (AuditWriter writer =
        new AuditWriter(
            line -> {
              await(stands);
              written.add(line);
            })) {
      assertTrue(writer.hasRoom());
      int number = 0;
      for (; writer.hasRoom(); number++) {
        AuditLine line = line(0, 1);
        assertTrue(writer.add(line));
        taken.add(line);
      }
      assertTrue(number <= AuditWriter.CAPACITY / 2 + 1, "lines=" + number);
      AuditLine late = line(0, 2); // of a thread that has asked before
      assertTrue(writer.add(late));
      taken.add(late);
      while (writer.add(late)) {
        taken.add(late);
      }
      assertTrue(taken.size() <= AuditWriter.CAPACITY + 1, "lines=" + taken.size());
      stands.countDown();
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
      while (!writer.hasRoom()) {
        assertTrue(System.nanoTime() < end, "the thread does not go on");
        Thread.onSpinWait();
      }
    }
    assertArrayEquals(taken.toArray(), written.toArray());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void longLinesLeaveRoomForFewer() throws Exception {
    CountDownLatch stands = new CountDownLatch(1);
    try (AuditWriter writer = new AuditWriter(line -> await(stands))) {
      int number = 0;
      for (; writer.hasRoom(); number++) {
        assertTrue(writer.add(new AuditLine(0, "", new Object[0], 12_000)));
      }
      assertTrue(number <= AuditWriter.MOST_CHARACTERS / 12_000 + 2, "lines=" + number);
      stands.countDown();
    }
  }

  @Test
  void aLineThatCannotBeWrittenStopsNoOther() {
    AuditWriter writer =
        new AuditWriter(
            line -> {
              if (line.characters() == 1) {
                throw new OutOfMemoryError("planted");
              }
              written.add(line);
            });
    for (int i = 0; i < 3; i++) {
      assertTrue(writer.add(line(0, i)));
    }
    writer.close();
    assertEquals(2, written.size());
  }

  @Test
  void aClosedWriterTakesNothing() {
    AuditWriter writer = new AuditWriter(written::add);
    assertTrue(writer.add(line(0, 0)));
    writer.close();
    assertEquals(1, written.size());
    assertFalse(writer.hasRoom());
    assertFalse(writer.add(line(0, 1)));
    writer.close();
    assertEquals(1, written.size());
  }
}

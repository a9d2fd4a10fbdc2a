package io.bg3.server.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Takes the directory of a log away, and gives it back, on a clock that is moved. */
class ReopeningFileTest {
  private static final Path FULL = Path.of("/dev/full");

  @TempDir private Path directory;
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong lost = new AtomicLong();
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final PrintStream errors = new PrintStream(said, true, StandardCharsets.UTF_8);

  @Test
  void aFileThatCannotBeOpenedIsOpenedLaterAndItsLostLinesAreCounted() throws Exception {
    Path file = directory.resolve("logs/bg3.log");
    try (ReopeningFile log = new ReopeningFile(file, lost, errors, nanos::get)) {
      for (int i = 0; i < 100; i++) {
        write(log, "lost");
      }
      assertEquals(100, lost.get());
      assertEquals(1, said().lines().count(), said());
      assertTrue(said().startsWith("bg3: a log cannot be written, and its lines are lost: file="));
      Files.createDirectories(file.getParent());
      write(log, "too soon");
      assertEquals(101, lost.get());
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
      write(log, "kept");
      assertEquals(101, lost.get());
      assertEquals("kept", Files.readString(file).strip());
      assertTrue(said().contains("bg3: a log can be written again: file="), said());
      assertTrue(said().contains("linesLost=101"), said());
    }
  }

  static boolean hasAFullDisk() {
    return Files.isWritable(FULL);
  }

  @Test
  @EnabledIf("hasAFullDisk")
  void linesForAFullDiskAreCountedAndSaidEveryTenSeconds() throws Exception {
    try (ReopeningFile log = new ReopeningFile(FULL, lost, errors, nanos::get)) {
      for (int second = 0; second < 20; second++) {
        for (int i = 0; i < 5; i++) {
          write(log, "lost");
        }
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
      }
    }
    assertEquals(100, lost.get());
    assertEquals(2, said().lines().count(), said());
  }

  private static void write(ReopeningFile log, String line) {
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
    log.write(bytes, 0, bytes.length);
  }

  private String said() {
    return said.toString(StandardCharsets.UTF_8);
  }
}

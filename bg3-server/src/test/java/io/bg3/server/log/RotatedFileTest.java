package io.bg3.server.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.core.filter.Filter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Writes more than is kept. */
class RotatedFileTest {
  private static final String NAME = "bg3.rotated";

  @TempDir private Path directory;
  private final Logger logger = (Logger) LoggerFactory.getLogger(NAME);

  @SuppressWarnings("try") // is written to by way of the logger
  @Test
  void filesAreReplacedByTheirSizeAndKeptToASumAndPrivate() throws Exception {
    Path file = directory.resolve("new/bg3.log");
    logger.setLevel(Level.INFO);
    int bytes = 80_000;
    try (RotatedFile unused = open(file, new RotatedFile.Retention(2, bytes))) {
      for (int i = 0; i < 10_000; i++) {
        logger.info("line {} {}", i, "x".repeat(90));
      }
      // the oldest are deleted by a thread of their own
      for (int i = 0; i < 600 && sum(file) > bytes + bytes / 4; i++) {
        TimeUnit.MILLISECONDS.sleep(100);
        logger.info("line {}", i);
      }
    }
    assertTrue(sum(file) <= bytes + bytes / 4, "bytes=" + sum(file));
    List<Path> files = files(file);
    assertTrue(files.size() >= 4, files.toString());
    for (Path one : files) {
      assertEquals(
          "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(one)), "" + one);
      assertTrue(Files.size(one) <= bytes / 4, one + " bytes=" + Files.size(one));
    }
    logger.info("afterwards");
    assertEquals(files, files(file));
  }

  @SuppressWarnings("try") // is written to by way of the logger
  @Test
  void aLineIsEscapedAndSaysWhenAndWho() throws Exception {
    Path file = directory.resolve("bg3.log");
    logger.setLevel(Level.INFO);
    try (RotatedFile unused = open(file, new RotatedFile.Retention(2, 1 << 20))) {
      logger.info("one\nERROR two");
    }
    String text = Files.readString(file);
    assertTrue(
        text.matches("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+\\S+ INFO  rotated - one\\\\u000aERROR two\\R"),
        text);
  }

  @SuppressWarnings("try") // is written to by way of the logger
  @Test
  void aFileThatCannotBeBegunIsBegunWhenItCanBe() throws Exception {
    Path file = directory.resolve("logs/bg3.log");
    Path away = directory.resolve("away");
    logger.setLevel(Level.INFO);
    long lost = RotatedFile.linesLost();
    try (RotatedFile unused = open(file, new RotatedFile.Retention(2, 80_000))) {
      logger.info("before");
      Files.move(file.getParent(), away);
      for (int i = 0; i < 200; i++) { // more than a file holds
        logger.info("line {} {}", i, "x".repeat(90));
      }
      assertTrue(RotatedFile.linesLost() > lost);
      Files.createDirectories(file.getParent());
      for (int i = 0; i < 600 && !Files.exists(file); i++) {
        TimeUnit.MILLISECONDS.sleep(100);
        logger.info("afterwards {}", i);
      }
    }
    assertTrue(Files.readString(file).contains("afterwards"), "the log goes on");
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
  }

  @Test
  void aPathWithASignOfThePatternIsRefused() {
    for (String name : List.of("100%d.log", "log(1)", "log)")) {
      IOException refused =
          assertThrows(
              IOException.class,
              () -> open(directory.resolve(name), new RotatedFile.Retention(2, 80_000)));
      assertTrue(refused.getMessage().contains(name), refused.getMessage());
    }
  }

  private static RotatedFile open(Path file, RotatedFile.Retention retention) throws IOException {
    Filter<ch.qos.logback.classic.spi.ILoggingEvent> filter = new ForeignLineFilter();
    return RotatedFile.open(NAME, file, retention, new LogLayout(), Optional.of(filter));
  }

  private static List<Path> files(Path file) throws IOException {
    try (Stream<Path> files = Files.list(file.getParent())) {
      return files.sorted().toList();
    }
  }

  /** Bytes of a file; 0 if the thread that deletes old files has deleted it. */
  private static long size(Path file) throws IOException {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  private static long sum(Path file) throws IOException {
    long sum = 0;
    for (Path one : files(file)) {
      sum += size(one);
    }
    return sum;
  }
}

package io.bg3.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** The machine and the disk that are measured on: described, and asked whether they suffice. */
final class Machine {
  private static final Path MEMORY = Path.of("/proc/meminfo");
  private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
  private static final int SYNCS = 100;
  private static final int SYNC_FILE = 1 << 20;
  private static final int RECORD = 64;

  private final Path directory;
  private final FileStore disk;

  /**
   * @param directory on the disk that is measured
   */
  Machine(Path directory) throws IOException {
    this.directory = directory;
    this.disk = Files.getFileStore(directory);
  }

  /**
   * Refuses to begin what cannot end.
   *
   * @param memory bytes that a process needs
   * @param space bytes that all stores need
   * @throws IOException if there is less
   */
  void require(long memory, long space) throws IOException {
    if (disk.getUsableSpace() < space) {
      throw new IOException(
          "the disk is too small: directory="
              + directory
              + ", needed="
              + space
              + ", free="
              + disk.getUsableSpace()
              + "\nName a larger one with --dir, or measure fewer edges with --edges.");
    }
    OptionalLong available = kibibytes("MemAvailable:");
    if (available.isPresent() && available.getAsLong() * 1024 < memory) {
      throw new IOException(
          "not enough memory: needed="
              + memory
              + ", available="
              + available.getAsLong() * 1024
              + "\nGive each system less with --memory, or measure fewer edges with --edges.");
    }
  }

  /** The facts about the machine that figures depend on, a line each. */
  List<String> lines() throws IOException {
    return List.of(machine(), disk(), "page cache: not dropped; reads are warmed up");
  }

  private static String machine() throws IOException {
    return String.format(
        Locale.ROOT,
        "machine: %s, %d processors, %,d MiB of memory, %s %s, Java %s",
        processor(),
        Runtime.getRuntime().availableProcessors(),
        kibibytes("MemTotal:").orElse(0) / 1024,
        System.getProperty("os.name"),
        System.getProperty("os.version"),
        Runtime.version());
  }

  private String disk() throws IOException {
    return String.format(
        Locale.ROOT,
        "disk: %s (%s), stores in %s, fdatasync of %d bytes %.3f ms (median of %d)",
        disk.name(),
        disk.type(),
        directory,
        RECORD,
        syncMillis(),
        SYNCS);
  }

  private double syncMillis() throws IOException {
    Path file = directory.resolve("sync.probe");
    double[] millis = new double[SYNCS];
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(SYNC_FILE), 0);
      channel.force(true);
      for (int i = 0; i < SYNCS; i++) {
        long begin = System.nanoTime();
        channel.write(ByteBuffer.allocate(RECORD), (long) i * RECORD);
        channel.force(false);
        millis[i] = (System.nanoTime() - begin) / 1e6;
      }
    } finally {
      Files.deleteIfExists(file);
    }
    Arrays.sort(millis);
    return millis[SYNCS / 2];
  }

  private static String processor() throws IOException {
    if (Files.isReadable(PROCESSORS)) {
      for (String line : Files.readAllLines(PROCESSORS)) {
        if (line.startsWith("model name")) {
          return line.substring(line.indexOf(':') + 1).strip();
        }
      }
    }
    return System.getProperty("os.arch");
  }

  private static OptionalLong kibibytes(String name) throws IOException {
    if (Files.isReadable(MEMORY)) {
      for (String line : Files.readAllLines(MEMORY)) {
        if (line.startsWith(name)) {
          return OptionalLong.of(Long.parseLong(line.replaceAll("[^0-9]", "")));
        }
      }
    }
    return OptionalLong.empty();
  }
}

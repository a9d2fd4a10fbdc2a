package io.bg3.bench.work;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The I/O that the kernel counted for this process: bytes that came from the device and bytes that
 * are to go to it, the page cache apart. Zeros where there is no /proc.
 */
record ProcessIo(long read, long written) {
  private static final Path COUNTERS = Path.of("/proc/self/io");

  static ProcessIo now() {
    long read = 0;
    long written = 0;
    try {
      if (Files.isReadable(COUNTERS)) {
        for (String line : Files.readAllLines(COUNTERS)) {
          read = line.startsWith("read_bytes: ") ? number(line) : read;
          written = line.startsWith("write_bytes: ") ? number(line) : written;
        }
      }
    } catch (IOException e) {
      return new ProcessIo(0, 0);
    }
    return new ProcessIo(read, written);
  }

  private static long number(String line) {
    return Long.parseLong(line.substring(line.indexOf(' ') + 1));
  }
}

package io.bg3.bench.work;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The I/O that the kernel counted for this process. Zeros where there is no /proc.
 *
 * @param read bytes that came from the device, the page cache apart
 * @param written bytes that are to go to the device
 * @param reads calls that read; with direct I/O each of them is a read of the device
 */
record ProcessIo(long read, long written, long reads) {
  private static final Path COUNTERS = Path.of("/proc/self/io");

  static ProcessIo now() {
    long read = 0;
    long written = 0;
    long reads = 0;
    try {
      if (Files.isReadable(COUNTERS)) {
        for (String line : Files.readAllLines(COUNTERS)) {
          read = line.startsWith("read_bytes: ") ? number(line) : read;
          reads = line.startsWith("syscr: ") ? number(line) : reads;
          written = line.startsWith("write_bytes: ") ? number(line) : written;
        }
      }
    } catch (IOException e) {
      return new ProcessIo(0, 0, 0);
    }
    return new ProcessIo(read, written, reads);
  }

  private static long number(String line) {
    return Long.parseLong(line.substring(line.indexOf(' ') + 1));
  }
}

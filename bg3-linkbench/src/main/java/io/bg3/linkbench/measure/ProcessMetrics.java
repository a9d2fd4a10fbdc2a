package io.bg3.linkbench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The resources that this process has used, where the system tells them; 0 where it does not.
 *
 * @param peak most bytes that were resident at any time
 * @param written bytes that were given to the disk so far
 */
public record ProcessMetrics(long peak, long written) {
  private static final long KIBIBYTE = 1_024;

  /** As it is now. */
  public static ProcessMetrics now() {
    return new ProcessMetrics(
        number(Path.of("/proc/self/status"), "VmHWM:") * KIBIBYTE,
        number(Path.of("/proc/self/io"), "write_bytes:"));
  }

  private static long number(Path file, String name) {
    if (!Files.isReadable(file)) {
      return 0;
    }
    try {
      for (String line : Files.readAllLines(file)) {
        if (line.startsWith(name)) {
          return Long.parseLong(line.replaceAll("[^0-9]", ""));
        }
      }
    } catch (IOException e) {
      return 0;
    }
    return 0;
  }
}

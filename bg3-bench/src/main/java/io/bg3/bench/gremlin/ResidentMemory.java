package io.bg3.bench.gremlin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;

/** The resident memory of this process, after its garbage has been collected. */
public final class ResidentMemory {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final double KIBIBYTES = 1024;

  private ResidentMemory() {}

  /** In MiB; empty where the system does not say it. */
  public static OptionalDouble mebibytes() throws IOException {
    System.gc();
    if (Files.isReadable(STATUS)) {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith("VmRSS:")) {
          return OptionalDouble.of(Long.parseLong(line.replaceAll("[^0-9]", "")) / KIBIBYTES);
        }
      }
    }
    return OptionalDouble.empty();
  }
}

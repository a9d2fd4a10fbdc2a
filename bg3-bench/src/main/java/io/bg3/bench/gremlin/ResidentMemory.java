package io.bg3.bench.gremlin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The resident memory of this process, after its garbage has been collected.
 *
 * <p>G1 returns the regions that a collection has emptied to the system in a thread of its own,
 * behind the collection. So the least of several samples counts, up to a second without a smaller
 * one.
 */
public final class ResidentMemory {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final double KIBIBYTES = 1024;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Nobody waits longer than this, though the memory goes on shrinking. */
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(10);

  private ResidentMemory() {}

  /** In MiB; empty where the system does not say it. Takes a second or more. */
  public static OptionalDouble mebibytes() throws IOException {
    System.gc();
    OptionalDouble least = sample();
    long begin = System.nanoTime();
    long last = begin;
    for (long now = begin;
        least.isPresent() && now - last < SETTLED_NANOS && now - begin < MOST_NANOS;
        now = System.nanoTime()) {
      LockSupport.parkNanos(PAUSE_NANOS);
      OptionalDouble next = sample();
      if (next.isPresent() && next.getAsDouble() < least.getAsDouble()) {
        least = next;
        last = now;
      }
    }
    return least;
  }

  private static OptionalDouble sample() throws IOException {
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

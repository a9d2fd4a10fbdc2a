package io.bg3.torture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bg3.testing.Seeds;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Looks from outside at the most memory that a process had resident while the sizes of its blocks
 * shifted (R32). Above what the JVM takes for the same work, that is the memory budget and at most
 * three hundredths of it.
 *
 * <p>What the JVM takes says a process that does the same with a few keys, less its direct buffers,
 * which are its pages. The heap has a fixed size, and all of it is resident from the beginning. The
 * budget is large enough for the little that a process takes more with many keys (code, the buffers
 * of a longer log: 4 MiB) not to matter.
 *
 * <p>Takes two minutes. {@code -Dbg3.held.budget=BYTES} and {@code -Dbg3.held.keys=N} make it
 * longer; the values take about 700 bytes a key.
 */
class HeldMemoryIT {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String HIGHEST = "VmHWM:";
  private static final long BUDGET = Long.getLong("bg3.held.budget", 256 << 20);
  private static final int KEYS = Integer.getInteger("bg3.held.keys", 400_000);
  private static final int FEW_KEYS = 8_000;
  private static final int LARGE = 700;
  private static final int SMALL = 8;

  /** Values above this size are apart: none, or the large ones. */
  private static final int IN_LEAVES = 1_024;

  private static final int APART = 100;
  private static final long MINUTES = 10;

  private final long seed = Seeds.one();
  private final Random random = new Random(seed);

  @TempDir Path directory;

  @Test
  void noMoreIsResidentThanTheBudgetThoughBlockSizesShift() throws Exception {
    check(IN_LEAVES, random.ints(1, 1, 1_000));
  }

  /** Values apart take what pages leave, and have to give it to pages when these grow (R61). */
  @Test
  void noMoreIsResidentThanTheBudgetThoughLargeValuesGoAndComeBack() throws Exception {
    check(APART, IntStream.empty());
  }

  /**
   * Compares what two processes take whose values are replaced with and without properties and
   * back.
   *
   * @param more sizes that follow: any, where each is one that leaves have
   */
  private void check(int threshold, IntStream more) throws Exception {
    assumeTrue(
        Files.isReadable(STATUS) && Files.readString(STATUS).contains(HIGHEST),
        "there is no " + STATUS + " that says the most memory that was resident");
    int[] sizes = IntStream.concat(IntStream.of(LARGE, SMALL, LARGE), more).toArray();
    Taken few = run("few", threshold, FEW_KEYS, sizes);
    Taken many = run("many", threshold, KEYS, sizes);
    long taken = many.resident() - (few.resident() - few.direct());
    String figures =
        "-Dbg3.seed=" + seed + ", taken=" + taken + ", budget=" + BUDGET + ", " + few + ", " + many;
    System.out.println(figures);
    assertTrue(taken <= BUDGET * 103 / 100, figures);
    assertTrue(taken > BUDGET * 3 / 4, () -> "the store did not fill its budget: " + figures);
  }

  /**
   * The memory that a process took.
   *
   * @param resident the most bytes that were resident, says the system
   * @param direct bytes of its direct buffers, says the process
   */
  private record Taken(long resident, long direct) {}

  private Taken run(String name, int threshold, int keys, int[] sizes) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xms192m", "-Xmx192m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC"));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:MaxDirectMemorySize=2g"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(ShiftingProcess.class.getName());
    command.add(directory.resolve(name).toString());
    Stream.of(BUDGET, (long) keys, seed, (long) threshold)
        .map(String::valueOf)
        .forEach(command::add);
    Arrays.stream(sizes).mapToObj(String::valueOf).forEach(command::add);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))) {
      long direct = 0;
      String line = lines.readLine();
      while (line != null && !line.equals("done")) {
        direct = Long.parseLong(line.replaceAll(".*direct=(\\d+).*", "$1"));
        line = lines.readLine();
      }
      assertEquals("done", line, "-Dbg3.seed=" + seed);
      return new Taken(highest(process.pid()), direct);
    } finally {
      process.getOutputStream().close();
      process.waitFor(MINUTES, TimeUnit.MINUTES);
      process.destroyForcibly();
    }
  }

  private static long highest(long pid) throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "status"))) {
      String line = lines.filter(each -> each.startsWith(HIGHEST)).findFirst().orElseThrow();
      return Long.parseLong(line.replaceAll("\\D", "")) << 10;
    }
  }
}

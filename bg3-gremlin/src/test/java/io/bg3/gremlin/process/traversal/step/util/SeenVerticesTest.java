package io.bg3.gremlin.process.traversal.step.util;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The set of seen vertices beside a set of objects; how much room it takes; and ids that were
 * chosen so that a hash without a secret has one place for them. Searches are counted.
 */
class SeenVerticesTest {
  private static final long SECRET = 0x5851F42D4C957F2DL;
  private static final int MANY = (1 << 21) + 1; // more than half of a table of 32 MiB

  /** By which a hash may multiply, and the number that undoes it. */
  private static final long KNOWN = 0x9E3779B97F4A7C15L;

  private static final long UNDO = 0xF1DE83E19937733DL;

  @TempDir Path directory;

  @Test
  void itKnowsWhatItHasSeen() {
    Random random = new Random(1);
    for (int i = 0; i < 20; i++) {
      SeenVertices seen = new SeenVertices(random.nextLong());
      Set<Long> model = new HashSet<>();
      int range = 1 << (1 + random.nextInt(20));
      for (int j = 0; j < 100_000; j++) {
        if (random.nextInt(100) == 0) {
          seen.expect(random.nextInt(5_000));
        }
        long vertex = (long) (random.nextInt(range) - range / 2) << random.nextInt(40);
        assertEquals(model.add(vertex), seen.add(vertex), () -> "vertex=" + vertex);
      }
      for (long vertex : model) {
        assertFalse(seen.add(vertex));
      }
    }
  }

  @Test
  void noTableIsLarge() {
    SeenVertices seen = new SeenVertices(SECRET);
    for (long vertex = 1; vertex <= MANY; vertex++) {
      assertTrue(seen.add(vertex));
    }
    assertTrue(seen.bytes()[1] <= 256 << 10);
    assertTrue(seen.bytes()[0] <= 20L * MANY, "bytes=" + seen.bytes()[0]);
  }

  @Test
  void aSmallHeapHoldsMany() throws Exception {
    Path output = directory.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                home(SeenVertices.class) + File.pathSeparator + home(Many.class),
                Many.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertTrue(process.waitFor(10, TimeUnit.MINUTES));
    assertEquals(0, process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
  }

  private static Path home(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /** The process: sees many different vertices. */
  static final class Many {
    private Many() {}

    /**
     * Runs.
     *
     * @param args none
     */
    public static void main(String[] args) {
      SeenVertices seen = new SeenVertices();
      for (long vertex = 1; vertex <= MANY; vertex++) {
        if (!seen.add(vertex * KNOWN)) {
          throw new IllegalStateException("seen before: vertex=" + vertex);
        }
      }
    }
  }

  @Test
  void chosenIdsAreFoundInFewSteps() {
    LongUnaryOperator undone = known -> known * UNDO;
    assertEquals(1, undone.applyAsLong(KNOWN));
    assertFew(j -> UNDO * j, "multiples of the inverse of a known multiplier");
    assertFew(j -> UNDO * (j << 44), "with equal middle bits behind a known multiplier");
    assertFew(j -> j, "one after the other");
    assertFew(j -> j << 45, "that differ in their first bits only");
    assertFew(j -> -j, "below zero");
    assertFew(j -> Long.reverse(j), "reversed");
  }

  private static void assertFew(LongUnaryOperator ids, String what) {
    for (long secret : new long[] {SECRET, 1, 3}) {
      SeenVertices seen = new SeenVertices(secret);
      for (int j = 1; j <= 200_000; j++) {
        seen.add(ids.applyAsLong(j));
      }
      int longest = seen.longestSearch();
      assertTrue(longest <= 64, () -> what + ": longest=" + longest + ", secret=" + secret);
    }
  }
}

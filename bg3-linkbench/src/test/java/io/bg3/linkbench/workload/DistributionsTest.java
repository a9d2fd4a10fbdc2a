package io.bg3.linkbench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shapes of what is drawn, and what is said about a file with measured distributions. */
class DistributionsTest {
  private static final int DRAWS = 200_000;
  private static final long SEED = 7;

  @TempDir private Path directory;

  @Test
  void zipfDrawsTheFirstAsOftenAsItsShareSays() {
    Zipf zipf = new Zipf(1, 1_000, 0.8, DRAWS);
    long[] drawn = drawn(zipf, 1_000);
    for (int number : new int[] {1, 2, 10, 100}) {
      assertEquals(1, drawn[number] / zipf.expected(number), 0.15, "seed=" + SEED);
    }
    assertEquals(DRAWS, LongStream.of(drawn).sum());
  }

  @Test
  void theHarmonicNumberOfManyIsNearTheSum() {
    for (double m : new double[] {0.606, 0.741, 0.8, 0.99}) {
      assertEquals(1, Harmonic.number(200_000, m) / Harmonic.exact(200_000, m), 0.005);
    }
  }

  @Test
  void geometricNumbersBeginAtTheFirstAndEndBeforeTheEnd() {
    Geometric geometric = new Geometric(1, 127, 0.382, 1);
    Random random = new Random(SEED);
    long[] drawn = LongStream.generate(() -> geometric.choose(random)).limit(DRAWS).toArray();
    assertTrue(LongStream.of(drawn).min().getAsLong() >= 1);
    assertTrue(LongStream.of(drawn).max().getAsLong() < 128);
    assertEquals(1 + 1 / 0.382, LongStream.of(drawn).average().getAsDouble(), 0.05);
  }

  @Test
  void sizesHaveTheirMedianAndNoneIsTooLarge() {
    LogNormal sizes = new LogNormal(8, 255);
    Random random = new Random(SEED);
    long[] drawn = LongStream.generate(() -> sizes.choose(random)).limit(DRAWS).sorted().toArray();
    assertEquals(8, drawn[DRAWS / 2]);
    assertEquals(254, drawn[DRAWS - 1]);
  }

  @Test
  void measuredDegreesGoToTheNodesByTheirRank() throws IOException {
    DataFile file = DataFile.read(file("nlinks\n0 50\n1 75\n7 100\nlink_nreads 0 90 3 100"));
    Empirical degrees = new Empirical(file.section(DataFile.DEGREES), 1, 100);
    assertEquals(7, degrees.expected(1));
    assertEquals(7, degrees.expected(25));
    assertEquals(1, degrees.expected(30));
    assertEquals(0, degrees.expected(100));
    assertEquals(3, file.section("link_nreads").valueAt(0.95));
  }

  @Test
  void measuredAccessesComeInTurn() throws IOException {
    DataFile file = DataFile.read(file("link_nreads 0 50 1 100"));
    Empirical reads = new Empirical(file.section("link_nreads"), 10, 3);
    Random random = new Random(SEED);
    assertEquals(
        "10 11 12 10",
        LongStream.range(0, 4)
            .mapToObj(i -> "" + reads.choose(random))
            .reduce((a, b) -> a + " " + b)
            .orElseThrow());
  }

  @Test
  void whatIsWrongInAFileIsSaidWithItsLine() throws IOException {
    assertMessage("line=3", "nlinks\n0 50\n1");
    assertMessage("line=3", "nlinks\n0 50\n1 40\n");
    assertMessage("line=2", "nlinks\n0 150\n");
    assertMessage("name=nlinks", "nlinks\nlink_nreads\n0 100\n");
    DataFile file = DataFile.read(file("nlinks 0 100"));
    String message =
        assertThrows(ConfigException.class, () -> file.section("node_nreads")).getMessage();
    assertTrue(message.contains("name=node_nreads"), message);
  }

  private void assertMessage(String part, String text) throws IOException {
    Path file = file(text);
    String message = assertThrows(ConfigException.class, () -> DataFile.read(file)).getMessage();
    assertTrue(message.contains(part), message);
  }

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("Distribution.dat"), text);
  }

  private static long[] drawn(Distribution distribution, int count) {
    Random random = new Random(SEED);
    long[] drawn = new long[count + 1];
    for (int i = 0; i < DRAWS; i++) {
      drawn[(int) distribution.choose(random)]++;
    }
    return drawn;
  }
}

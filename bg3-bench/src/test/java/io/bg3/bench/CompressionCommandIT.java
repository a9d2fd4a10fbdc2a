package io.bg3.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole command, on a graph of a few thousand edges. */
class CompressionCommandIT {
  @TempDir private Path directory;

  private final CommandRun bg3 = new CommandRun();

  @Test
  void everyWayGivesTheSameEntriesAndItsFigures() throws IOException {
    Path json = directory.resolve("run.jsonl");
    Path stores = directory.resolve("stores");
    List<String> lines =
        bg3.measure(
            json,
            "bench",
            "compression",
            "--ways=none,packed,lz4,zstd:3",
            "--sources=500",
            "--edges=10000",
            "--dir=" + stores);
    assertEquals(32, lines.size(), lines::toString); // four ways, four figures, two kinds of values
    double none = live(lines, "none");
    double packed = live(lines, "packed");
    assertTrue(packed < none && live(lines, "lz4") < packed, bg3.out::toString);
    assertTrue(live(lines, "zstd:3") < packed, bg3.out::toString);
    assertEquals(0, stores.toFile().list().length, "nothing is left behind");
  }

  @Test
  void aWayThatIsNoneIsNamed() {
    int code = bg3.run("bench", "compression", "--ways=gzip", "--sources=100", "--edges=1000");
    assertEquals(2, code);
    assertTrue(bg3.err.toString().contains("bg3.compression.base"), bg3.err::toString);
  }

  /** The live bytes of the run with text. */
  private static double live(List<String> lines, String way) {
    String start = "{\"work\": \"compressed-live\", \"system\": \"" + way + "\", \"value\": ";
    return lines.stream()
        .filter(line -> line.startsWith(start) && line.contains("values=text"))
        .map(line -> line.substring(start.length()).replaceFirst(",.*", ""))
        .mapToDouble(Double::parseDouble)
        .findFirst()
        .orElseThrow();
  }
}

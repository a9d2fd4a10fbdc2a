package io.bg3.linkbench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.linkbench.workload.Operation;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records operations second by second, with times that the test makes up. */
class ThroughputTest {
  private static final long BEGIN = 1_000_000;
  private static final long MICRO = 1_000;

  @TempDir private Path directory;

  private final AtomicLong checkpoints = new AtomicLong(7);
  private final Measurement measurement = new Measurement(BEGIN, checkpoints::get);
  private final Recording recording = measurement.recording();

  private void record(int count, long nanos) {
    for (int i = 0; i < count; i++) {
      recording.record(Operation.GET_NODE, nanos);
    }
  }

  /** Five seconds: 100, 100, 100 with a checkpoint, none, 10; and a rest. */
  private Results measured() {
    record(100, 10 * MICRO);
    measurement.tick(BEGIN + 1_000);
    record(100, 10 * MICRO);
    measurement.tick(BEGIN + 2_000);
    record(100, 1_000 * MICRO);
    checkpoints.incrementAndGet();
    measurement.tick(BEGIN + 3_000);
    measurement.tick(BEGIN + 4_000);
    record(10, 10 * MICRO);
    measurement.tick(BEGIN + 5_000);
    record(1, 10 * MICRO);
    measurement.tick(BEGIN + 5_100);
    return measurement.results();
  }

  private static String printed(Results results) {
    StringWriter text = new StringWriter();
    results.printSeconds(new PrintWriter(text, true));
    return text.toString();
  }

  @Test
  void secondsWithoutOperationsCount() {
    Throughput throughput = new Throughput(measured().intervals());
    assertEquals(5, throughput.seconds().size());
    assertEquals(100, throughput.median());
    assertEquals(0, throughput.least());
    assertEquals(2, throughput.belowHalf());
  }

  @Test
  void latencyIsToldBesideCheckpoints() {
    String text = printed(measured());
    assertTrue(text.startsWith("SECONDS: 5, operations/second: median=100, least=0"), text);
    assertTrue(text.contains("below half of the median=2"), text);
    assertTrue(text.contains("CHECKPOINTS: 1, p99 us in the seconds in which one ended=1,0"), text);
    assertTrue(text.contains("in the others=10."), text);
  }

  @Test
  void aLogTellsOfCheckpointsAgainAndAChartIsDrawnOfIt() throws IOException {
    Results results = measured();
    Path log = directory.resolve("run.hlog");
    results.writeLog(log);
    Results read = Results.readLog(log);
    assertEquals(results.count(), read.count());
    assertEquals(printed(results), printed(read));
    Path png = directory.resolve("run.png");
    Chart.write(read, "run", png);
    assertTrue(Files.size(png) > 1_000);
  }

  @Test
  void nothingIsSaidOfCheckpointsOfAStoreThatDoesNotTell() {
    Measurement silent = new Measurement(BEGIN);
    silent.recording().record(Operation.GET_NODE, MICRO);
    silent.tick(BEGIN + 1_000);
    assertEquals(
        "SECONDS: 1, operations/second: median=1, least=1, seconds below half of the median=0",
        printed(silent.results()).strip());
  }
}

package io.bg3.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.bench.report.Metric;
import io.bg3.bench.report.Omission;
import io.bg3.bench.report.Report;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of systems of which one cannot do everything. */
class GremlinTableTest {
  private static Metric rate(String work, String system, double rate) {
    return Metric.single(work, system, "", "operations/s", true, rate);
  }

  @Test
  void aWorkThatASystemCannotDoHasADashAndTheReason() {
    Report report =
        new Report(
            "bg3",
            List.of(
                rate("vertex", "bg3", 200), rate("hop", "bg3", 300), rate("vertex", "other", 100)));
    List<String> lines =
        new GremlinTable(
                report,
                List.of(
                    new Omission("hop", "other", "no such call"),
                    new Omission("leap", "other", "no legs")))
            .lines();
    assertEquals(5, lines.size(), lines::toString);
    assertTrue(lines.get(1).endsWith("bg3 is 2.00x"), lines::toString);
    assertTrue(lines.get(2).startsWith("hop  "), lines::toString);
    assertTrue(lines.get(3).matches(" +other +- +no such call"), lines::toString);
    assertTrue(lines.get(4).matches("leap +other +- +no legs"), lines::toString);
  }
}

package io.bg3.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.bench.report.Metric;
import io.bg3.bench.work.ForestLoad;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Figure 11 says how many vertices stay in a shared tree. */
class ForestFiguresTest {
  private static final String COMMITS = "figure-eleven";

  private static ForestFigures figures(double missing) {
    ForestFigures figures = new ForestFigures();
    figures.add(
        1_000,
        List.of(
            metric(ForestLoad.TREES, 1_000 - missing),
            metric(ForestLoad.MISSING, missing),
            metric(COMMITS, 5)));
    return figures;
  }

  private static Metric metric(String work, double value) {
    return Metric.single(work, "bg3", "", "", true, value);
  }

  @Test
  void aSizeWithoutAllTreesSaysSoInItsRowAndIsAFault() {
    ForestFigures figures = figures(3);
    assertEquals(
        List.of("vertices stay without a tree of their own: trees=1000, vertices=3"),
        ForestFigures.faults(figures.figures()));
    assertTrue(
        figures.table().stream().anyMatch(line -> line.contains(" 997, not 3 ")),
        () -> figures.table().toString());
  }

  @Test
  void aSizeWithAllTreesHasNoFault() {
    ForestFigures figures = figures(0);
    assertEquals(List.of(), ForestFigures.faults(figures.figures()));
    assertTrue(
        figures.table().stream().noneMatch(line -> line.contains(", not 0")),
        () -> figures.table().toString());
  }
}

package io.bg3.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.bench.report.Metric;
import io.bg3.bench.report.Report;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How the turns of a store become one figure, and what the options of the command mean. */
class ValuesRunTest {
  private static Metric turn(String system, String answer, double round) {
    return new Metric("values-point", system, "s", "operations/s", true, answer, List.of(round));
  }

  @Test
  void theTurnsOfAStoreAreOneFigure() {
    Metric both = ValuesRun.together(turn("apart", "1:2", 3), turn("apart", "1:2", 5));
    assertEquals(List.of(3.0, 5.0), both.rounds());
    assertEquals(4, both.median());
    assertEquals("1:2", both.answer());
  }

  @Test
  void aTurnThatAnswersDifferentlyIsFound() {
    Metric wrong = ValuesRun.together(turn("apart", "1:2", 3), turn("apart", "1:3", 5));
    Metric right = ValuesRun.together(turn("in-leaf", "1:2", 3), turn("in-leaf", "1:2", 5));
    Metric alike = ValuesRun.together(turn("in-leaf", "1:2", 3), turn("in-leaf", "1:3", 5));
    assertEquals(1, new Report("apart", List.of(wrong, right)).disagreements().size());
    assertEquals(1, new Report("apart", List.of(wrong, alike)).disagreements().size());
  }

  @Test
  void aPlaceIsReadFromItsText() {
    assertEquals(new ValuePlace(0, false), ValuePlace.of("all"));
    assertEquals(new ValuePlace(0, true), ValuePlace.of("all-direct"));
    assertEquals(new ValuePlace(35, true), ValuePlace.of("35"));
    for (String wrong : List.of("0", "101", "-1", "", "much", "9999")) {
      assertThrows(IllegalArgumentException.class, () -> ValuePlace.of(wrong), wrong);
    }
  }

  @Test
  void aPartOfTheMemoryIsAtLeastTheLeastThatAStoreTakes() {
    assertEquals(8 << 20, ValuePlace.of("35").memory(1_000));
    assertEquals(35_000_000, ValuePlace.of("35").memory(100_000_000));
    assertTrue(ValuePlace.of("all").memory(1_000) > 8 << 20);
  }

  @Test
  void onlySizesBetweenTheThresholdsAreMeasured() {
    assertFalse(ValueWay.isMeasurable(64));
    assertTrue(ValueWay.isMeasurable(65));
    assertTrue(ValueWay.isMeasurable(4_096));
    assertFalse(ValueWay.isMeasurable(4_097));
  }
}

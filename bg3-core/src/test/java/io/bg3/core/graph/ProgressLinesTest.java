package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Work that takes long is logged now and then, and other work is not, by a clock that is set. */
class ProgressLinesTest {
  private final List<String> lines = new ArrayList<>();
  private long clock = Long.MAX_VALUE - 7; // a clock may overflow
  private final ProgressLines progress = new ProgressLines(() -> clock, lines::add);

  private void pass(long nanos) {
    clock += nanos;
  }

  @Test
  void workThatTakesLongIsLoggedNowAndThen() {
    progress.begin();
    progress.done(() -> "a", 1);
    pass(ProgressLines.STEP_NANOS);
    progress.done(() -> "a", 2);
    progress.done(() -> "a", 3);
    pass(ProgressLines.STEP_NANOS - 1);
    progress.done(() -> "a", 4);
    pass(1);
    progress.done(() -> "a", 5);
    progress.end(() -> "b", 6);
    assertEquals(
        List.of(
            "a goes on: done=2, seconds=10",
            "a goes on: done=5, seconds=20",
            "b has ended: done=6, seconds=20"),
        lines);
  }

  @Test
  void shortWorkIsNotLogged() {
    for (int i = 0; i < 5; i++) {
      progress.begin();
      pass(ProgressLines.STEP_NANOS - 1);
      progress.done(() -> "a", 1);
      progress.end(() -> "a", 1);
    }
    assertEquals(List.of(), lines);
  }
}

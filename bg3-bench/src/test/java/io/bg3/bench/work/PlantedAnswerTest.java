package io.bg3.bench.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.bench.store.Contender;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** One wrong edge among many is found, whether it is another, missing, or in another place. */
class PlantedAnswerTest {
  private static String answer(long... numbers) {
    AnswerChecksum answer = new AnswerChecksum();
    answer.add(numbers, numbers.length);
    return answer.toString();
  }

  @Test
  void anotherNumberIsAnotherAnswer() {
    assertEquals(answer(1, 2, 3), answer(1, 2, 3));
    assertNotEquals(answer(1, 2, 3), answer(1, 2, 4));
  }

  @Test
  void anotherOrderIsAnotherAnswer() {
    assertNotEquals(answer(1, 2, 3), answer(1, 3, 2));
  }

  @Test
  void aMissingNumberIsAnotherAnswer() {
    assertNotEquals(answer(1, 2, 0), answer(1, 2));
  }

  @Test
  void aPassThatAnswersDifferentlyEndsTheMeasurement() {
    Task task =
        new Task(
            Contender.BG3,
            WorkKind.SCAN,
            Path.of("d"),
            Path.of("r"),
            10,
            10,
            1,
            1 << 20,
            List.of(),
            TaskTest.STRICT,
            1,
            0.01,
            Map.of());
    long[] passes = {0};
    IllegalStateException found =
        assertThrows(
            IllegalStateException.class,
            () -> new Rounds(task).measure(() -> ++passes[0] < 3 ? 17 : 18, 1, 1, 17));
    assertTrue(found.getMessage().endsWith("expected=17, answer=18"), found.getMessage());
  }
}

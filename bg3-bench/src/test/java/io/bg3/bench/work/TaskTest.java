package io.bg3.bench.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bg3.bench.store.Contender;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process is told all of its task by a file. */
class TaskTest {
  static final Conditions STRICT =
      new Conditions(
          LoadOrder.RANDOM,
          0.25,
          HeavyOwners.KEEP,
          Snapshots.EACH,
          UnsyncedAcknowledgement.WAIT,
          ReadPlace.WRITTEN,
          false,
          false);

  private static final Conditions EASY =
      new Conditions(
          LoadOrder.SORTED,
          0,
          HeavyOwners.DROP,
          Snapshots.SHARED,
          UnsyncedAcknowledgement.LATER,
          ReadPlace.REOPENED,
          true,
          true);

  @TempDir private Path directory;

  @Test
  void whatIsWrittenIsReadAgain() throws IOException {
    for (Conditions conditions : List.of(STRICT, EASY)) {
      Task task =
          new Task(
              Contender.LMDB,
              WorkKind.LOAD,
              Path.of("d"),
              Path.of("r"),
              10,
              20,
              3,
              1 << 20,
              conditions.equals(EASY) ? List.of() : List.of(WorkKind.SCAN, WorkKind.POINT),
              conditions,
              2,
              0.5,
              conditions.equals(EASY) ? Map.of() : Map.of("bg3.init.trees", "64", "edges", "7"));
      task.write(directory.resolve("task"));
      assertEquals(task, Task.read(directory.resolve("task")));
    }
  }

  @Test
  void conditionsArePrintedAsTheOptionsThatMakeThem() {
    assertEquals(
        "--load-order random --overwrite 0.25 --heavy keep --transaction each --handover wait"
            + " --reads written",
        STRICT.toString());
    assertEquals(
        "--load-order sorted --overwrite 0.0 --heavy drop --transaction shared --handover later"
            + " --reads reopened --compact --in-entries",
        EASY.toString());
  }

  @Test
  void aPartOfMoreThanAllIsRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new Conditions(
                LoadOrder.RANDOM,
                1.5,
                HeavyOwners.KEEP,
                Snapshots.EACH,
                UnsyncedAcknowledgement.WAIT,
                ReadPlace.WRITTEN,
                false,
                false));
  }
}

package io.bg3.core.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Asks while the store is closed; what questions find is looked at where they are made. */
class NewestReaderTest {
  @Test
  void aQuestionThatTheEndOfTheStoreInterruptsSaysSo() throws IOException {
    try (TestStore store = TestStore.create()) {
      NewestReader reader = store.manager.newestReader();
      assertThrows(NullPointerException.class, () -> reader.ask(() -> interrupted("a fault")));
      IllegalStateException e =
          assertThrows(
              IllegalStateException.class,
              () ->
                  reader.ask(
                      () -> {
                        store.manager.close();
                        return interrupted("the pages are gone");
                      }));
      assertEquals("the store is closed", e.getMessage());
      assertThrows(IllegalStateException.class, () -> reader.ask(() -> 1));
    }
  }

  private static int interrupted(String why) {
    throw new NullPointerException(why);
  }
}

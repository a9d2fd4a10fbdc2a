package io.bg3.core.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Asks while the store is closed; what questions find is looked at where they are made. */
class NewestReaderTest {
  @Test
  void aQuestionThatTheEndOfTheStoreInterruptsSaysSo() throws IOException {
    TestStore store = TestStore.create();
    NewestReader reader = store.manager.newestReader();
    IllegalStateException e =
        assertThrows(
            IllegalStateException.class,
            () ->
                reader.ask(
                    () -> {
                      close(store);
                      return reader.count(1, 1);
                    }));
    assertEquals("the store is closed", e.getMessage());
    assertThrows(IllegalStateException.class, () -> reader.ask(() -> 1));
  }

  @Test
  void aFaultOfAQuestionIsNotTakenForTheEndOfTheStore() throws IOException {
    TestStore store = TestStore.create();
    NewestReader reader = store.manager.newestReader();
    assertThrows(
        NullPointerException.class,
        () ->
            reader.ask(
                () -> {
                  close(store);
                  throw new NullPointerException("a fault");
                }));
  }

  private static void close(TestStore store) {
    try {
      store.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}

package io.bg3.core.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.limit.Limit;
import io.bg3.core.limit.LimitExceededException;
import io.bg3.storage.file.MemoryDisk;
import org.junit.jupiter.api.Test;

/** Fills a dictionary that has room for three codes of each kind. */
class DictionaryLimitTest {
  private static final ComponentFactory THREE =
      new ComponentFactory() {
        @Override
        CodeTable codes() {
          return new CodeTable(3);
        }
      };

  @Test
  void allCodesButNoMoreAreGiven() throws Exception {
    MemoryDisk disk = new MemoryDisk();
    try (TestStore store = TestStore.open(disk, TestStore.QUICK, THREE)) {
      Dictionary dictionary = store.manager.dictionary();
      for (Dictionary.Kind kind : Dictionary.Kind.values()) {
        for (int code = 1; code <= 3; code++) {
          assertEquals(code, dictionary.code(kind, "text " + code));
        }
        long logged = store.manager.syncLog();
        LimitExceededException e =
            assertThrows(LimitExceededException.class, () -> dictionary.code(kind, "text 4"));
        assertSame(Limit.CODES, e.limit());
        assertEquals(4, e.given());
        assertEquals(logged, store.manager.syncLog());
        assertEquals(0, dictionary.find(kind, "text 4"));
      }
    }
    try (TestStore store = TestStore.open(disk, TestStore.QUICK, new ComponentFactory())) {
      Dictionary dictionary = store.manager.dictionary();
      assertEquals(3, dictionary.find(Dictionary.Kind.EDGE_LABEL, "text 3"));
      assertEquals(4, dictionary.code(Dictionary.Kind.EDGE_LABEL, "text 4"));
    }
  }

  @Test
  void theLargestCodeFitsIntoAKeyAndAnEvenLargerOneDoesNot() {
    int most = (int) Limit.CODES.most();
    assertEquals(EdgeKey.MAX_LABEL, most);
    int tagLabel = EdgeKey.tagLabel(EdgeKey.COUNTER, most);
    assertEquals(most, EdgeKey.label(tagLabel));
    assertEquals(EdgeKey.COUNTER, EdgeKey.tag(tagLabel));
    assertNotEquals(tagLabel, EdgeKey.tagLabel(EdgeKey.COUNTER, most - 1));
    assertThrows(IllegalArgumentException.class, () -> EdgeKey.tagLabel(EdgeKey.COUNTER, most + 1));
  }
}

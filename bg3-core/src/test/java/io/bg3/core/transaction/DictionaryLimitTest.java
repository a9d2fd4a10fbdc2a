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
          return new CodeTable(3, 1);
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
  void aLabelWithATimeToLiveHasASmallNumber() throws Exception {
    byte[] form = {Dictionary.FORM_TTL, 100};
    try (TestStore store = TestStore.open(new MemoryDisk(), TestStore.QUICK, THREE)) {
      Dictionary dictionary = store.manager.dictionary();
      int first = dictionary.declare(Dictionary.Kind.EDGE_LABEL, "first", form, 0);
      assertEquals(EdgeKey.ttlLabel(1, 1), first);
      LimitExceededException e =
          assertThrows(
              LimitExceededException.class,
              () -> dictionary.declare(Dictionary.Kind.EDGE_LABEL, "second", form, 0));
      assertSame(Limit.TTL_LABELS, e.limit());
      assertEquals(2, e.given());
      assertEquals(2, dictionary.code(Dictionary.Kind.EDGE_LABEL, "second"));
    }
    assertEquals(EdgeKey.MAX_TTL_NUMBER, Limit.TTL_LABELS.most());
  }

  @Test
  void theLargestCodeFitsIntoAKeyAndAnEvenLargerOneDoesNot() {
    int most = (int) Limit.CODES.most();
    int largest = most | EdgeKey.TTL;
    assertEquals(EdgeKey.MAX_LABEL, largest);
    assertNotEquals(most, largest);
    int tagLabel = EdgeKey.tagLabel(EdgeKey.COUNTER, largest);
    assertEquals(largest, EdgeKey.label(tagLabel));
    assertEquals(EdgeKey.COUNTER, EdgeKey.tag(tagLabel));
    assertNotEquals(tagLabel, EdgeKey.tagLabel(EdgeKey.COUNTER, largest - 1));
    assertThrows(
        IllegalArgumentException.class, () -> EdgeKey.tagLabel(EdgeKey.COUNTER, largest + 1));
  }
}

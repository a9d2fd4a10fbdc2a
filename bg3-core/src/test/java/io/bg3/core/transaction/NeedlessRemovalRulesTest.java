package io.bg3.core.transaction;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What a commit leaves out of what its transaction has put and removed. */
class NeedlessRemovalRulesTest {
  private static final byte[] KEY = {1};
  private static final byte[] OTHER = {2};
  private static final byte[] VALUE = {7};
  private static final int OUT = EdgeKey.tagLabel(EdgeKey.OUT, 1);

  private static byte[] value(TestStore store, byte[] key) {
    try (Transaction transaction = store.read()) {
      return transaction.get(TreeIds.VERTICES, key);
    }
  }

  @RuleTest(
      rule = 58,
      twins =
          @Twin(
              name = "the removal of an entry that was there before is left out",
              in = "io.bg3.core.transaction.NeedlessRemovals",
              method = "needless",
              without = "Write.isNew",
              result = 1))
  void anEntryThatWasThereIsRemoved() throws Exception {
    try (TestStore store = TestStore.create()) {
      try (Transaction transaction = store.begin()) {
        transaction.put(TreeIds.VERTICES, KEY, VALUE);
        transaction.commit();
      }
      try (Transaction transaction = store.begin()) {
        transaction.putNew(TreeIds.VERTICES, OTHER, VALUE);
        transaction.delete(TreeIds.VERTICES, OTHER);
        transaction.delete(TreeIds.VERTICES, KEY);
        transaction.put(TreeIds.VERTICES, KEY, VALUE);
        transaction.delete(TreeIds.VERTICES, KEY);
        transaction.commit();
      }
      assertNull(value(store, KEY));
      assertNull(value(store, OTHER));
    }
  }

  @RuleTest(
      rule = 58,
      twins =
          @Twin(
              name = "nobody notes that an entry which is left out was absent",
              in = "io.bg3.core.transaction.NeedlessRemovals",
              method = "note",
              without = "ReadSet.addExistence"))
  void anEntryThatAnotherHasPutMeanwhileIsAConflict() throws Exception {
    try (TestStore store = TestStore.create()) {
      for (Isolation isolation : Isolation.values()) {
        byte[] key = isolation.name().getBytes(StandardCharsets.US_ASCII);
        try (Transaction transaction = store.manager.begin(isolation, false);
            Transaction other = store.begin()) {
          transaction.putNew(TreeIds.VERTICES, key, VALUE);
          transaction.delete(TreeIds.VERTICES, key);
          transaction.put(TreeIds.VERTICES, OTHER, VALUE);
          other.put(TreeIds.VERTICES, key, VALUE);
          other.commit();
          assertThrows(ConflictException.class, transaction::commit);
        }
        assertArrayEquals(VALUE, value(store, key));
        assertNull(value(store, OTHER));
      }
    }
  }

  @RuleTest(
      rule = 58,
      twins =
          @Twin(
              name = "a commit writes the removals of what was not there before",
              in = "io.bg3.core.transaction.Transaction",
              method = "apply",
              without = "NeedlessRemovals.leaveOut"))
  void theLogHasNothingOfWhatWasPutAndRemoved() throws Exception {
    try (TestStore store = TestStore.create()) {
      long before = store.log.end();
      try (Transaction transaction = store.begin()) {
        for (int i = 0; i < 3_000; i++) { // more than stand in an array
          int source = i * 7 % 3_000;
          transaction.putNewEdge(source, OUT, i, 0, VALUE);
          transaction.addTotal(1, 1);
          transaction.deleteEdge(source, OUT, i, 0);
          transaction.addTotal(1, -1);
        }
        transaction.commit();
      }
      assertEquals(before, store.log.end());
      try (Transaction transaction = store.begin()) {
        transaction.putNewEdge(1, OUT, 2, 0, VALUE);
        transaction.putNewEdge(1, OUT, 3, 0, VALUE);
        transaction.deleteEdge(1, OUT, 2, 0);
        transaction.commit();
      }
      try (Transaction transaction = store.read();
          EdgeCursor cursor = transaction.allEdges(Transaction.ANY_TAG, false)) {
        assertEquals(true, cursor.next());
        assertEquals(3, cursor.other());
        assertEquals(false, cursor.next());
      }
    }
  }

  @Test
  void othersDoNotConflictWithWhatWasLeftOut() throws Exception {
    try (TestStore store = TestStore.create()) {
      try (Transaction transaction = store.begin();
          Transaction writer = store.begin();
          Transaction reader = store.begin()) {
        assertNull(reader.get(TreeIds.VERTICES, KEY));
        reader.put(TreeIds.VERTICES, new byte[] {9}, VALUE);
        writer.put(TreeIds.VERTICES, KEY, VALUE);
        transaction.putNew(TreeIds.VERTICES, KEY, VALUE);
        transaction.delete(TreeIds.VERTICES, KEY);
        transaction.put(TreeIds.VERTICES, OTHER, VALUE);
        transaction.commit();
        reader.commit();
        writer.commit();
      }
      assertArrayEquals(VALUE, value(store, KEY));
    }
  }

  @Test
  void whatIsPutOnceMoreIsThere() throws Exception {
    try (TestStore store = TestStore.create()) {
      try (Transaction transaction = store.begin()) {
        transaction.putNew(TreeIds.VERTICES, KEY, VALUE);
        transaction.delete(TreeIds.VERTICES, KEY);
        assertNull(transaction.get(TreeIds.VERTICES, KEY));
        transaction.putNew(TreeIds.VERTICES, KEY, OTHER);
        assertArrayEquals(OTHER, transaction.get(TreeIds.VERTICES, KEY));
        transaction.commit();
      }
      assertArrayEquals(OTHER, value(store, KEY));
    }
  }
}

package io.bg3.core.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;
import java.util.List;

/** What a transaction refuses that remembers nothing of what it reads (R63). */
class ReadOnlyRulesTest {
  private static final byte[] KEY = {1};
  private static final byte[] VALUE = {2};
  private static final int OUT = EdgeKey.tagLabel(EdgeKey.OUT, 1);

  @RuleTest(
      rule = 63,
      twins = {
        @Twin(
            name = "a transaction that remembers nothing takes writes",
            in = "io.bg3.core.transaction.Transaction",
            method = "checkWrite",
            without = "Transaction.checkWritable"),
        @Twin(
            name = "a transaction that remembers nothing takes entries of indexes",
            in = "io.bg3.core.transaction.Transaction",
            method = "writeEntry",
            without = "Transaction.checkWritable"),
        @Twin(
            name = "a transaction that remembers nothing adds to totals",
            in = "io.bg3.core.transaction.Transaction",
            method = "addTotal",
            without = "Transaction.checkWritable"),
        @Twin(
            name = "a transaction that remembers nothing adds to counters",
            in = "io.bg3.core.transaction.Transaction",
            method = "addCount",
            without = "Transaction.checkWritable"),
        @Twin(
            name = "a transaction that remembers nothing makes codes",
            in = "io.bg3.core.transaction.Transaction",
            method = "code",
            without = "Transaction.checkWritable")
      })
  void aTransactionThatRemembersNothingWritesNothing() throws Exception {
    try (TestStore store = TestStore.create();
        Transaction reading = store.read()) {
      List<Runnable> changes =
          List.of(
              () -> reading.put(TreeIds.VERTICES, KEY, VALUE),
              () -> reading.delete(TreeIds.VERTICES, KEY),
              () -> reading.putEdge(1, OUT, 2, 0, VALUE),
              () -> reading.deleteEdge(1, OUT, 2, 0),
              () -> reading.putEntry(KEY),
              () -> reading.deleteEntry(KEY),
              () -> reading.addTotal(1, 1),
              () -> reading.addCount(1, 1, 1),
              () -> reading.setCount(1, 1, 1),
              () -> reading.reserveSequence(1, OUT, 2),
              () -> reading.code(Dictionary.Kind.EDGE_LABEL, "new"));
      for (Runnable change : changes) {
        Exception refused = assertThrows(IllegalStateException.class, change::run);
        assertTrue(refused.getMessage().startsWith("the transaction is read-only"));
        assertTrue(reading.isOpen());
      }
      assertFalse(reading.hasWrites());
      assertEquals(0, reading.findCode(Dictionary.Kind.EDGE_LABEL, "new"));
    }
  }
}

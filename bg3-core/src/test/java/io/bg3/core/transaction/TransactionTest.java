package io.bg3.core.transaction;

import static io.bg3.core.forest.TreeIds.EXTERNAL_IDS;
import static io.bg3.core.forest.TreeIds.VERTICES;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.keyspace.ScanOrder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The view that each of two transactions has of the other, one step after another in one thread.
 */
class TransactionTest {
  private static final int OUT = EdgeKey.tagLabel(EdgeKey.OUT, 1);
  private static final int IN = EdgeKey.tagLabel(EdgeKey.IN, 1);
  private static final byte[] NONE = {};

  private TestStore store;

  @BeforeEach
  void open() throws IOException {
    store = TestStore.create();
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] id(long id) {
    return EdgeKey.prefix(id);
  }

  private void put(long id, String value) {
    Transaction transaction = store.begin();
    transaction.put(VERTICES, id(id), text(value));
    transaction.commit();
  }

  private String get(long id) {
    try (Transaction transaction = store.read()) {
      byte[] value = transaction.get(VERTICES, id(id));
      return value == null ? null : new String(value, StandardCharsets.UTF_8);
    }
  }

  private static List<String> keys(ByteCursor cursor) {
    List<String> keys = new ArrayList<>();
    try (cursor) {
      while (cursor.next()) {
        keys.add(new String(cursor.key(), StandardCharsets.UTF_8));
      }
    }
    return keys;
  }

  @Test
  void aSnapshotStaysWhatItWas() {
    put(1, "a");
    Transaction before = store.read();
    put(1, "b");
    put(2, "c");
    assertArrayEquals(text("a"), before.get(VERTICES, id(1)));
    assertFalse(before.exists(VERTICES, id(2)));
    before.rollback();
    assertEquals("b", get(1));
  }

  @Test
  void ownWritesAreSeenAndRollbackDropsThem() {
    put(1, "a");
    Transaction transaction = store.begin();
    transaction.put(VERTICES, id(1), text("b"));
    transaction.delete(VERTICES, id(1));
    assertNull(transaction.get(VERTICES, id(1)));
    transaction.put(VERTICES, id(2), text("c"));
    assertTrue(transaction.exists(VERTICES, id(2)));
    assertTrue(transaction.hasWrites());
    transaction.rollback();
    assertFalse(transaction.isOpen());
    transaction.rollback();
    assertEquals("a", get(1));
    assertNull(get(2));
  }

  @Test
  void whatWasReadAndHasChangedIsAConflictThatNamesIt() {
    put(1, "a");
    Transaction transaction = store.begin();
    transaction.get(VERTICES, id(1));
    transaction.put(VERTICES, id(2), text("x"));
    put(1, "b");
    ConflictException e = assertThrows(ConflictException.class, transaction::commit);
    assertEquals("vertex 1", e.element());
    assertEquals("transaction conflict, try again: element=vertex 1", e.getMessage());
    assertFalse(transaction.isOpen());
    assertNull(get(2));
  }

  @Test
  void whatWasOverwrittenAndHasChangedIsAConflictInBothIsolations() {
    for (Isolation isolation : Isolation.values()) {
      put(1, "a");
      Transaction transaction = store.manager.begin(isolation, false);
      transaction.put(VERTICES, id(1), text("x"));
      put(1, "b");
      assertThrows(ConflictException.class, transaction::commit);
      assertEquals("b", get(1));
    }
  }

  @Test
  void snapshotIsolationDoesNotLookAtWhatWasRead() {
    put(1, "a");
    Transaction transaction = store.manager.begin(Isolation.SNAPSHOT, false);
    transaction.get(VERTICES, id(1));
    transaction.put(VERTICES, id(2), text("x"));
    put(1, "b");
    transaction.commit();
    assertEquals("x", get(2));
  }

  @Test
  void existenceConflictsOnlyIfItChanged() {
    put(1, "a");
    Transaction stays = store.begin();
    assertTrue(stays.exists(VERTICES, id(1)));
    stays.put(VERTICES, id(2), text("x"));
    Transaction goes = store.begin();
    assertTrue(goes.exists(VERTICES, id(1)));
    goes.put(VERTICES, id(3), text("x"));
    put(1, "b");
    stays.commit();
    Transaction remover = store.begin();
    remover.delete(VERTICES, id(1));
    remover.commit();
    assertThrows(ConflictException.class, goes::commit);
  }

  @Test
  void aRangeThatGotAnEntryIsAConflict() {
    Transaction transaction = store.begin();
    assertEquals(
        List.of(), keys(transaction.scan(EXTERNAL_IDS, text("b"), text("d"), ScanOrder.FORWARD)));
    transaction.put(VERTICES, id(1), text("x"));
    Transaction outside = store.begin();
    outside.put(EXTERNAL_IDS, text("d"), NONE);
    outside.commit();
    Transaction phantom = store.begin();
    phantom.put(EXTERNAL_IDS, text("c"), NONE);
    phantom.commit();
    ConflictException e = assertThrows(ConflictException.class, transaction::commit);
    assertEquals("vertex id [\"b\", \"d\")", e.element());
  }

  @Test
  void whatACursorHasNotReachedIsNotRead() {
    for (String key : List.of("a", "c", "e")) {
      Transaction transaction = store.begin();
      transaction.put(EXTERNAL_IDS, text(key), NONE);
      transaction.commit();
    }
    Transaction forward = store.begin();
    ByteCursor first = forward.scan(EXTERNAL_IDS, null, null, ScanOrder.FORWARD);
    assertTrue(first.next());
    forward.put(VERTICES, id(1), text("x"));
    Transaction backward = store.begin();
    ByteCursor last = backward.scan(EXTERNAL_IDS, null, null, ScanOrder.BACKWARD);
    assertTrue(last.next());
    backward.put(VERTICES, id(2), text("x"));
    Transaction between = store.begin();
    between.put(EXTERNAL_IDS, text("d"), NONE);
    between.commit();
    forward.commit();
    backward.commit();
    assertThrows(IllegalStateException.class, first::next);
  }

  @Test
  void differentEdgesAtOneVertexDoNotConflict() {
    Transaction one = store.begin();
    Transaction two = store.begin();
    one.putEdge(1, OUT, 2, one.reserveSequence(1, OUT, 2), NONE);
    two.putEdge(1, OUT, 3, two.reserveSequence(1, OUT, 3), NONE);
    one.commit();
    two.commit();
    try (Transaction reader = store.read();
        EdgeCursor edges = reader.edges(1, OUT, OUT, false, ScanOrder.BACKWARD)) {
      assertTrue(edges.next());
      assertEquals(3, edges.other());
      assertNull(edges.value());
      assertTrue(edges.next());
      assertEquals(2, edges.other());
      assertFalse(edges.next());
    }
  }

  @Test
  void parallelEdgesGetDifferentSequences() {
    Transaction one = store.begin();
    Transaction two = store.begin();
    assertEquals(0, one.reserveSequence(1, OUT, 2));
    assertEquals(1, two.reserveSequence(1, OUT, 2));
    assertEquals(2, one.reserveSequence(1, OUT, 2));
    one.putEdge(1, OUT, 2, 0, text("0"));
    one.putEdge(1, OUT, 2, 2, text("2"));
    one.commit();
    Transaction three = store.begin();
    assertEquals(3, three.reserveSequence(1, OUT, 2));
    three.rollback();
    two.putEdge(1, OUT, 2, 1, text("1"));
    two.commit();
    try (Transaction reader = store.read();
        EdgeCursor edges = reader.edgesBetween(1, OUT, 2, true)) {
      for (int sequence = 0; sequence < 3; sequence++) {
        assertTrue(edges.next());
        assertEquals(sequence, edges.sequence());
        assertEquals(Integer.toString(sequence), new String(edges.value(), StandardCharsets.UTF_8));
      }
      assertFalse(edges.next());
    }
  }

  @Test
  void aSequenceThatWasUsedAndRemovedAfterTheSnapshotIsNotTaken() {
    Transaction old = store.begin();
    Transaction adder = store.begin();
    adder.putEdge(1, OUT, 2, adder.reserveSequence(1, OUT, 2), NONE);
    adder.commit();
    Transaction remover = store.begin();
    remover.deleteEdge(1, OUT, 2, 0);
    remover.commit();
    int sequence = old.reserveSequence(1, OUT, 2);
    old.putEdge(1, OUT, 2, sequence, NONE);
    old.commit();
    assertEquals(1, sequence);
  }

  @Test
  void allEdgesComeInTheOrderOfTheirOwners() {
    Transaction writer = store.begin();
    for (long owner = -50; owner < 50; owner++) {
      writer.putEdge(owner, OUT, owner + 1, 0, NONE);
      writer.putEdge(owner + 1, IN, owner, 0, NONE);
    }
    writer.commit();
    Transaction transaction = store.begin();
    transaction.putEdge(7, OUT, 100, 0, NONE);
    transaction.deleteEdge(8, OUT, 9, 0);
    List<Long> owners = new ArrayList<>();
    try (EdgeCursor edges = transaction.allEdges(EdgeKey.OUT, false)) {
      while (edges.next()) {
        owners.add(edges.owner());
      }
    }
    transaction.rollback();
    List<Long> expected = new ArrayList<>();
    for (long owner = -50; owner < 50; owner++) {
      if (owner != 8) {
        expected.add(owner);
      }
      if (owner == 7) {
        expected.add(owner);
      }
    }
    assertEquals(expected, owners);
  }

  @Test
  void aScanOfAllEdgesThatWritesMeetsPhantoms() {
    Transaction transaction = store.begin();
    try (EdgeCursor edges = transaction.allEdges(EdgeKey.OUT, false)) {
      assertFalse(edges.next());
    }
    transaction.put(VERTICES, id(1), text("none"));
    Transaction phantom = store.begin();
    phantom.putEdge(77, OUT, 78, 0, NONE);
    phantom.commit();
    ConflictException e = assertThrows(ConflictException.class, transaction::commit);
    assertEquals("edge [, )", e.element());
  }

  @Test
  void aScanThatPutsBehindItselfComesToAnEnd() {
    put(1, "a");
    Transaction transaction = store.begin();
    int seen = 0;
    try (ByteCursor cursor = transaction.scan(VERTICES, null, null, ScanOrder.FORWARD)) {
      while (cursor.next()) {
        seen++;
        transaction.put(VERTICES, id(1 + seen), text("new"));
        assertTrue(seen < 10);
      }
    }
    assertEquals(1, seen);
    assertEquals(2, keys(transaction.scan(VERTICES, null, null, ScanOrder.FORWARD)).size());
    transaction.rollback();
  }

  @Test
  void totalsAreReadAtTheSnapshotAndIncrementsDoNotConflict() {
    Transaction one = store.begin();
    Transaction two = store.begin();
    one.addTotal(5, 3);
    two.addTotal(5, 4);
    assertEquals(3, one.total(5));
    two.commit();
    assertEquals(3, one.total(5));
    assertThrows(ConflictException.class, one::commit, "the total it read has changed");
    Transaction three = store.begin();
    Transaction four = store.begin();
    three.addTotal(5, 1);
    four.addTotal(5, 1);
    three.commit();
    four.commit();
    try (Transaction reader = store.read()) {
      assertEquals(6, reader.total(5));
    }
  }

  @Test
  void aCodeThatWasMissedIsAReadOfTheDictionary() {
    Dictionary dictionary = store.manager.dictionary();
    Transaction transaction = store.begin();
    assertEquals(0, transaction.findCode(Dictionary.Kind.VERTEX_LABEL, "person"));
    transaction.put(VERTICES, id(1), text("no persons"));
    assertEquals(1, dictionary.code(Dictionary.Kind.VERTEX_LABEL, "person"));
    ConflictException e = assertThrows(ConflictException.class, transaction::commit);
    assertEquals("code of VERTEX_LABEL \"person\"", e.element());
  }

  @Test
  void aCodeThatTheTransactionMissedAndThenMadeIsNoConflictOfItsOwn() {
    Transaction alone = store.begin();
    assertEquals(0, alone.findCode(Dictionary.Kind.VERTEX_LABEL, "person"));
    assertEquals(1, alone.code(Dictionary.Kind.VERTEX_LABEL, "person"));
    alone.put(VERTICES, id(1), text("person"));
    alone.commit();

    Transaction late = store.begin();
    assertEquals(0, late.findCode(Dictionary.Kind.VERTEX_LABEL, "city"));
    assertEquals(2, late.code(Dictionary.Kind.VERTEX_LABEL, "city"));
    late.put(VERTICES, id(2), text("the only city"));
    put(3, "a city too");
    assertThrows(ConflictException.class, late::commit, "it saw no city, and there is one");

    Transaction beaten = store.begin();
    assertEquals(0, beaten.findCode(Dictionary.Kind.EDGE_LABEL, "knows"));
    store.manager.dictionary().code(Dictionary.Kind.EDGE_LABEL, "knows");
    assertEquals(1, beaten.code(Dictionary.Kind.EDGE_LABEL, "knows"));
    beaten.put(VERTICES, id(4), NONE);
    assertThrows(ConflictException.class, beaten::commit);
  }

  @Test
  void noIsolationLetsAnEdgeBeAddedToAVertexThatIsRemoved() {
    for (boolean removalFirst : new boolean[] {true, false}) {
      put(1, "a");
      Transaction remover = store.manager.begin(Isolation.SNAPSHOT, false);
      remover.guardEdges(1, 0, -1);
      remover.delete(VERTICES, id(1));
      Transaction adder = store.manager.begin(Isolation.SNAPSHOT, false);
      assertTrue(adder.exists(VERTICES, id(1)));
      adder.putEdge(1, IN, 2, adder.reserveSequence(1, IN, 2), NONE);
      (removalFirst ? remover : adder).commit();
      assertThrows(ConflictException.class, (removalFirst ? adder : remover)::commit);
    }
  }

  @Test
  void largeValuesGoToStorageAndComeBack() {
    byte[] large = new byte[10_000];
    large[9_999] = 7;
    Transaction writer = store.begin();
    writer.put(VERTICES, id(1), large);
    writer.putEdge(1, OUT, 2, 0, large);
    writer.commit();
    assertTrue(store.extents.liveBytes() > 20_000);
    try (Transaction reader = store.read()) {
      assertArrayEquals(large, reader.get(VERTICES, id(1)));
      assertArrayEquals(large, reader.edgeValue(1, OUT, 2, 0));
      ByteCursor vertices = reader.scan(VERTICES, null, null, ScanOrder.FORWARD);
      assertTrue(vertices.next());
      assertArrayEquals(large, vertices.value());
      EdgeCursor edges = reader.edges(1, OUT, OUT, true, ScanOrder.FORWARD);
      assertTrue(edges.next());
      assertArrayEquals(large, edges.value());
    }
  }

  @Test
  void valuesOfACommitThatDoesNotHappenAreReleased() {
    Transaction transaction = store.begin();
    transaction.put(VERTICES, id(1), new byte[10_000]);
    put(1, "a");
    assertThrows(ConflictException.class, transaction::commit);
    assertEquals(0, store.extents.liveBytes());
  }

  @Test
  void aReadOnlyTransactionRefusesWrites() {
    try (Transaction transaction = store.read()) {
      assertThrows(IllegalStateException.class, () -> transaction.put(VERTICES, id(1), NONE));
      assertThrows(IllegalStateException.class, () -> transaction.addTotal(1, 1));
      assertThrows(IllegalStateException.class, () -> transaction.reserveSequence(1, OUT, 2));
    }
  }

  @Test
  void anEndedTransactionRefusesEverything() {
    Transaction transaction = store.begin();
    transaction.commit();
    assertThrows(IllegalStateException.class, transaction::commit);
    assertThrows(IllegalStateException.class, () -> transaction.get(VERTICES, id(1)));
    assertThrows(
        IllegalStateException.class,
        () -> transaction.scan(VERTICES, null, null, ScanOrder.FORWARD));
  }
}

package io.bg3.core.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.forest.TreeIds;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.file.CrashingDisk;
import java.io.IOException;
import java.util.Random;

/**
 * Codes of texts: "there is no label of this name" stays true until the commit that rests on it has
 * its place in the order, and no code or id is used before a crash cannot take it back.
 */
class CodeRulesTest {
  private static final Dictionary.Kind KIND = Dictionary.Kind.VERTEX_LABEL;
  private static final byte[] ELEMENT = {1};
  private static final byte[] OTHER = {2};

  /** The answer of a reader that begins when the element with the new label has been committed. */
  private static final class Seen {
    boolean element;
    boolean other;
  }

  /** Adds an element that carries a label, and then reads in another transaction. */
  private static Seen addElement(TestStore store) {
    try (Transaction transaction = store.begin()) {
      transaction.code(KIND, "a");
      transaction.put(TreeIds.VERTICES, ELEMENT, new byte[] {1});
      transaction.commit();
    }
    Seen seen = new Seen();
    try (Transaction reader = store.read()) {
      seen.element = reader.get(TreeIds.VERTICES, ELEMENT) != null;
      seen.other = reader.get(TreeIds.VERTICES, OTHER) != null;
    }
    return seen;
  }

  /**
   * The commit that found no label is before the element with the label, so no reader may see the
   * latter and not the former.
   */
  @RuleTest(
      rule = 8,
      sites =
          @Site(
              name = "looked again",
              in = "io.bg3.core.transaction.Committer",
              method = "runUnlessCodeFound",
              after = "Validation.foundCode"),
      twins =
          @Twin(
              name = "does not take the dictionary's lock",
              in = "io.bg3.core.transaction.Committer",
              method = "runUnlessCodeFound",
              without = {"Lock.lock", "Lock.unlock"}))
  void aLabelThatACommitDidNotFindIsNotMadeBeforeTheCommitHasItsTimestamp() throws Exception {
    try (TestStore store = TestStore.create()) {
      Transaction missing = store.begin();
      assertEquals(0, missing.findCode(KIND, "a"));
      missing.put(TreeIds.VERTICES, OTHER, new byte[] {1});
      Seen[] seen = new Seen[1];
      Sites.Other maker = Sites.meanwhile("looked again", () -> seen[0] = addElement(store));
      missing.commit();
      Sites.requirePassed("looked again");
      maker.join();
      assertTrue(seen[0].element);
      assertTrue(seen[0].other, "a reader sees the element and not the commit that missed it");
    }
  }

  @RuleTest(
      rule = 8,
      twins =
          @Twin(
              name = "does not look again for a text that had no code",
              in = "io.bg3.core.transaction.Committer",
              method = "runUnlessCodeFound",
              without = "Validation.foundCode"))
  void aCommitThatMissedALabelIsRefusedOnceThereIsOne() throws Exception {
    try (TestStore store = TestStore.create()) {
      Transaction missing = store.begin();
      assertEquals(0, missing.findCode(KIND, "a"));
      missing.put(TreeIds.VERTICES, OTHER, new byte[] {1});
      Seen seen = addElement(store);
      assertTrue(seen.element);
      assertFalse(seen.other);
      boolean committed = commits(missing);
      assertFalse(committed, "it missed an element that others have seen without it");
    }
  }

  private static boolean commits(Transaction transaction) {
    try {
      transaction.commit();
      return true;
    } catch (ConflictException e) {
      return false;
    }
  }

  @RuleTest(
      rule = 8,
      twins =
          @Twin(
              name = "a code is used that is not in the log",
              in = "io.bg3.core.transaction.Dictionary",
              method = "make",
              without = "Committer.commitAlone"))
  void aCodeIsInTheLogBeforeWhatUsesIt() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    int code;
    TestStore store = TestStore.open(disk);
    try (Transaction transaction = store.begin()) {
      code = transaction.code(KIND, "a");
      transaction.put(TreeIds.VERTICES, ELEMENT, new byte[] {(byte) code});
      transaction.commit();
    }
    CrashingDisk rest = crash(store, disk);
    try (TestStore reopened = TestStore.open(rest);
        Transaction reader = reopened.read()) {
      assertNotNull(reader.get(TreeIds.VERTICES, ELEMENT));
      assertEquals(code, reader.findCode(KIND, "a"));
    }
  }

  @RuleTest(
      rule = 8,
      twins =
          @Twin(
              name = "an id is handed out before its block is durable",
              in = "io.bg3.core.transaction.IdAllocator",
              method = "allocate",
              without = "Visibility.awaitVisible"))
  void anIdThatWasHandedOutIsNotHandedOutAgainAfterACrash() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    TestStore store = TestStore.open(disk);
    long id = store.manager.allocateIds(1);
    CrashingDisk rest = crash(store, disk);
    try (TestStore reopened = TestStore.open(rest)) {
      assertNotEquals(id, reopened.manager.allocateIds(1));
    }
  }

  @RuleTest(
      rule = 10,
      twins =
          @Twin(
              name = "a declared label is answered before it is durable",
              in = "io.bg3.core.transaction.Dictionary",
              method = "make",
              without = "Visibility.awaitVisible"))
  void aDeclaredLabelSurvivesACrashOnceItWasAnswered() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    TestStore store = TestStore.open(disk);
    int code = store.manager.dictionary().declare(KIND, "a", new byte[] {7}, 0);
    CrashingDisk rest = crash(store, disk);
    try (TestStore reopened = TestStore.open(rest)) {
      assertEquals(code, reopened.manager.dictionary().find(KIND, "a"));
      assertNotNull(reopened.manager.dictionary().form(KIND, code));
    }
  }

  /** Cuts the power and ends the store; returns the disk as the cut leaves it. */
  private static CrashingDisk crash(TestStore store, CrashingDisk disk) throws IOException {
    CrashingDisk rest = disk.crash(new Random(1));
    store.kill();
    return rest;
  }
}

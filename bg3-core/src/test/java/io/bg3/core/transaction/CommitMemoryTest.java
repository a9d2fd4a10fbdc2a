package io.bg3.core.transaction;

import static io.bg3.core.forest.TreeIds.VERTICES;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeKey;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.memory.MemoryExceededException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lets the JVM run out of memory in the steps of a commit that come before its timestamp: that
 * commit fails, can be tried again, and nobody else notices.
 */
class CommitMemoryTest {
  private static byte[] id(long id) {
    return EdgeKey.prefix(id);
  }

  private static byte[] value(int length, int content) {
    byte[] value = new byte[length];
    Arrays.fill(value, (byte) content);
    return value;
  }

  /**
   * Values that share an extent, and ones that have an extent of their own; the header of a new
   * extent, and the record in it.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLargeValueForWhichThereIsNoBufferFailsItsCommitAlone(boolean header) throws Exception {
    for (int length : new int[] {40_000, 200_000}) {
      MemoryDisk files = new MemoryDisk();
      HeaplessDisk disk = new HeaplessDisk(files);
      try (TestStore store = TestStore.open(disk)) {
        put(store, 1, value(length, 1)).commit();
        long live = store.extents.liveBytes();
        Transaction failing = put(store, 2, value(length, 2));
        failing.put(VERTICES, id(3), value(length, 3));
        disk.failAt("extent-value", header);
        MemoryExceededException e = assertThrows(MemoryExceededException.class, failing::commit);
        assertTrue(e.getMessage().contains("setting=-Xmx (BG3_HEAP)"), e.getMessage());
        assertEquals(live, store.extents.liveBytes(), "what was appended in vain is live");
        assertNull(store.manager.failure());
        assertNull(store.extents.failure());
        assertTrue(failing.isOpen());

        put(store, 4, value(length, 4)).commit(); // others go on
        failing.commit(); // and so can this one
        put(store, 5, value(length, 5)).commit();
        check(store, length);
      }
      try (TestStore store = TestStore.open(files)) {
        check(store, length);
      }
    }
  }

  @Test
  void aSegmentOfTheLogForWhichThereIsNoMemoryFailsItsCommitAlone() throws Exception {
    MemoryDisk files = new MemoryDisk();
    HeaplessDisk disk = new HeaplessDisk(files);
    int failed = 0;
    try (TestStore store = TestStore.open(disk, TestStore.QUICK, new ComponentFactory())) {
      for (int i = 1; i <= 500; i++) {
        disk.failAt("log-", true);
        Transaction transaction = put(store, i, value(900, i));
        try {
          transaction.commit();
        } catch (MemoryExceededException e) {
          failed++;
          assertTrue(transaction.isOpen());
          transaction.commit();
        }
        disk.failAt(null, true);
        store.manager.syncLog();
      }
      assertNull(store.manager.failure());
    }
    assertTrue(failed > 0, "no segment was made in a commit");
    try (TestStore store = TestStore.open(files, TestStore.QUICK, new ComponentFactory());
        Transaction reader = store.read()) {
      for (int i = 1; i <= 500; i++) {
        assertArrayEquals(value(900, i), reader.get(VERTICES, id(i)));
      }
    }
  }

  private static Transaction put(TestStore store, long id, byte[] value) {
    Transaction transaction = store.begin();
    transaction.put(VERTICES, id(id), value);
    return transaction;
  }

  private static void check(TestStore store, int length) {
    try (Transaction reader = store.read()) {
      for (int id = 1; id <= 5; id++) {
        assertArrayEquals(value(length, id), reader.get(VERTICES, id(id)));
      }
    }
  }
}

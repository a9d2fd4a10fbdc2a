package io.bg3;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.storage.file.MemoryDisk;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares budgets with what the JVM may take outside of the heap; and fills the largest budget
 * that a JVM of its own accepts, with commits that must not find the JVM without memory.
 *
 * <p>Takes about 6 s in a JVM of its own: it proves that a commit never lacks memory that the
 * budget promises. It has no longer form.
 */
class DirectMemoryTest {
  private static final long MIB = 1 << 20;
  private static final int READS = 8; // the default

  @TempDir Path directory;

  @Test
  void theLargestBudgetIsAcceptedAndOneByteMoreIsNot() {
    for (int reads : new int[] {1, READS, 64}) {
      for (long limit : new long[] {64 * MIB, 1_000 * MIB + 1, 1L << 40}) {
        long largest = DirectMemory.largestBudget(limit, reads);
        assertDoesNotThrow(() -> DirectMemory.require(largest, limit, reads));
        assertTrue(DirectMemory.needed(largest, reads) <= limit, "limit=" + limit);
        assertThrows(
            IllegalArgumentException.class, () -> DirectMemory.require(largest + 1, limit, reads));
      }
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> DirectMemory.require(Long.MAX_VALUE, 64 * MIB, READS));
  }

  /** A thread that has read a large page keeps a buffer of 512 KiB. */
  @Test
  void theBuffersOfManyReadsAtATimeCountAsNeeded() {
    long least = DirectMemory.needed(100 * MIB, READS);
    assertEquals(least, DirectMemory.needed(100 * MIB, 1));
    assertTrue(DirectMemory.needed(100 * MIB, 64) >= 150 * MIB + 64 * (MIB / 2));
  }

  @Test
  void aStoreWithABudgetThatTheJvmCannotHoldIsRefusedAndMakesNoFile() {
    Path store = directory.resolve("store");
    Settings settings =
        Settings.defaults()
            .with(Setting.DIRECTORY, store.toString())
            .with(Setting.MEMORY_BUDGET, Long.toString(DirectMemory.limit()));
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Bg3.open(settings));
    for (String name : List.of("bg3.memory.budget", "-XX:MaxDirectMemorySize", "BG3_DIRECT")) {
      assertTrue(e.getMessage().contains(name), e.getMessage());
    }
    assertFalse(Files.exists(store));
    assertThrows(IllegalArgumentException.class, () -> Bg3.open(settings, new MemoryDisk()));
  }

  @Test
  void aJvmFillsTheLargestBudgetThatItAcceptsAndTheStoreLives() throws Exception {
    Path output = directory.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:MaxDirectMemorySize=64m",
                "-ea",
                "-cp",
                System.getProperty("java.class.path"),
                Filling.class.getName(),
                directory.resolve("store").toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertTrue(process.waitFor(10, TimeUnit.MINUTES));
    String said = Files.readString(output, StandardCharsets.UTF_8);
    assertEquals(0, process.exitValue(), said);
    assertTrue(said.contains("filled and whole"), said);
  }

  /** The process: writes three times what the budget holds, in blocks of many sizes. */
  static final class Filling {
    private Filling() {}

    /**
     * Runs.
     *
     * @param args the directory of the store
     */
    public static void main(String[] args) throws Exception {
      long limit = DirectMemory.limit();
      assertEquals(64 * MIB, limit);
      Settings settings =
          Settings.defaults().with(Setting.DIRECTORY, args[0]).with(Setting.DURABILITY, "none");
      assertThrows(
          IllegalArgumentException.class,
          () -> Bg3.open(settings.with(Setting.MEMORY_BUDGET, "64m")));
      long largest = DirectMemory.largestBudget(limit, READS);
      try (Bg3 store = Bg3.open(settings.with(Setting.MEMORY_BUDGET, Long.toString(largest)))) {
        for (int commit = 0; commit < 350; commit++) {
          try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
            for (int i = 0; i < 1_000; i++) {
              int length = 20 + (commit * 31 + i * 7) % 900; // blocks of many sizes
              transaction.put(TreeIds.META, key(commit, i), new byte[length]);
            }
            transaction.commit();
          }
        }
        assertEquals(null, store.transactions().failure());
        assertEquals(List.of(), store.check(looked -> {}));
      }
      System.out.println("filled and whole");
    }

    private static byte[] key(int commit, int i) {
      return ByteBuffer.allocate(9).put((byte) 'z').putInt(commit % 97 * i).putInt(commit).array();
    }
  }
}

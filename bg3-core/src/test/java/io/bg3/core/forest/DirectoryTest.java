package io.bg3.core.forest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.Epochs;
import io.bg3.storage.memory.MemoryBudget;
import io.bg3.testing.Seeds;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The table from owners to their trees, alone, beside a hash map and under readers. */
class DirectoryTest {
  private static final int OWNERS = 50_000;

  private static final class Table implements AutoCloseable {
    final MemoryBudget budget = new MemoryBudget(64 << 20, "bg3.memory.budget");
    final BlockMemory memory = new BlockMemory(budget);
    final Epochs epochs = new Epochs();
    final Directory directory = new Directory(memory, epochs);

    @Override
    public void close() {
      epochs.close();
      memory.close();
    }
  }

  @Test
  void answersAbsentUntilAnOwnerHasATreeOfItsOwn() {
    try (Table table = new Table()) {
      assertEquals(Directory.ABSENT, table.directory.lookUp(5));
      table.directory.put(5, 1000);
      assertEquals(1000, table.directory.lookUp(5));
      assertEquals(Directory.ABSENT, table.directory.lookUp(0));
    }
  }

  @Test
  void answersLikeAHashMapWhileItGrowsAndShrinks() {
    long seed = Seeds.one();
    Random random = new Random(seed);
    Map<Long, Long> model = new HashMap<>();
    Map<Long, KeptDegrees> degrees = new HashMap<>();
    KeptDegrees[] states = KeptDegrees.values();
    try (Table table = new Table()) {
      for (int i = 0; i < 20_000; i++) {
        long owner = random.nextInt(3_000) - 1_000L;
        if (random.nextInt(3) == 0) {
          KeptDegrees kept = states[random.nextInt(states.length)];
          if (kept == KeptDegrees.UNKNOWN) {
            table.directory.forgetDegrees(owner);
          } else {
            table.directory.noteDegrees(owner, kept == KeptDegrees.YES);
          }
          degrees.computeIfPresent(owner, (of, before) -> kept);
        } else if (model.remove(owner) != null) {
          table.directory.remove(owner);
          degrees.remove(owner);
        } else if (i < 10_000 || random.nextInt(8) == 0) {
          model.put(owner, i + 1L);
          table.directory.put(owner, i + 1);
          degrees.put(owner, KeptDegrees.UNKNOWN);
        }
      }
      for (long owner = -1_000; owner < 2_000; owner++) {
        assertEquals(
            model.getOrDefault(owner, Directory.ABSENT),
            table.directory.lookUp(owner),
            "-Dbg3.seed=" + seed);
        assertEquals(
            degrees.getOrDefault(owner, KeptDegrees.NO),
            table.directory.degrees(owner),
            "-Dbg3.seed=" + seed);
      }
      assertEquals(model.size(), table.directory.count());
    }
  }

  @Test
  void takesItsMemoryFromTheBudget() {
    try (Table table = new Table()) {
      for (long owner = 0; owner < OWNERS; owner++) {
        table.directory.put(owner, owner + 1);
      }
      table.epochs.reclaim();
      long bytes = table.budget.used() / OWNERS;
      assertTrue(bytes >= 16 && bytes <= 48, bytes + " bytes an owner");
    }
  }

  /** Owners are put in ascending order; a reader finds all that were there when it began. */
  @Test
  void readersFindWhatWasPutBesideAWriter() throws Exception {
    try (Table table = new Table()) {
      AtomicLong put = new AtomicLong();
      Thread writer =
          new Thread(
              () -> {
                for (long owner = 0; owner < OWNERS; owner++) {
                  table.directory.put(owner, owner + 1);
                  put.set(owner + 1);
                }
              });
      writer.start();
      Random random = new Random(5);
      boolean more;
      do {
        more = writer.isAlive();
        for (int i = 0; i < 1_000; i++) {
          long there = put.get();
          long owner = random.nextInt(OWNERS);
          long tree = table.directory.lookUp(owner);
          assertTrue(
              tree == owner + 1 || (tree == Directory.ABSENT && owner >= there),
              "owner " + owner + ": " + tree + " of " + there);
        }
      } while (more);
      writer.join();
    }
  }

  /** Owners come and go, each with another tree each time; a reader never finds that of another. */
  @Test
  void readersFindNoTreeOfAnotherOwner() throws Exception {
    int owners = 100;
    try (Table table = new Table()) {
      Thread writer =
          new Thread(
              () -> {
                Random random = new Random(6);
                for (long i = 1; i < 4 * OWNERS; i++) {
                  long owner = random.nextInt(owners);
                  if (table.directory.lookUp(owner) == Directory.ABSENT) {
                    table.directory.put(owner, i * owners + owner);
                  } else {
                    table.directory.remove(owner);
                  }
                }
              });
      writer.start();
      Random random = new Random(7);
      while (writer.isAlive()) {
        long owner = random.nextInt(owners);
        long tree = table.directory.lookUp(owner);
        assertTrue(tree == Directory.ABSENT || tree % owners == owner, owner + ": " + tree);
      }
      writer.join();
      table.epochs.reclaim();
      assertTrue(table.budget.used() < 16 << 10, table.budget::toString);
    }
  }

  /**
   * A note is there, or forgotten because the table was being built; what is forgotten stays so.
   */
  @Test
  void notesOfDegreesAreTheirOwnersBesideAWriter() throws Exception {
    long seed = Seeds.one();
    int owners = 100;
    try (Table table = new Table()) {
      for (long owner = 0; owner < owners; owner++) {
        table.directory.put(owner, owner + 1);
      }
      Thread writer =
          new Thread(
              () -> {
                for (long owner = owners; owner < OWNERS; owner++) {
                  table.directory.put(owner, owner + 1);
                  if (owner % 3 == 0) {
                    table.directory.remove(owner);
                  }
                }
              });
      writer.start();
      Random random = new Random(seed);
      do {
        long owner = random.nextInt(owners);
        boolean kept = random.nextBoolean();
        table.directory.noteDegrees(owner, kept);
        KeptDegrees found = table.directory.degrees(owner);
        KeptDegrees noted = kept ? KeptDegrees.YES : KeptDegrees.NO;
        String at = "-Dbg3.seed=" + seed + ", owner " + owner;
        assertTrue(found == noted || found == KeptDegrees.UNKNOWN, at + ": " + found);
        table.directory.forgetDegrees(owner);
        assertEquals(KeptDegrees.UNKNOWN, table.directory.degrees(owner), at);
        assertEquals(owner + 1, table.directory.lookUp(owner), at);
      } while (writer.isAlive());
      writer.join();
      for (long owner = owners; owner < OWNERS; owner++) {
        KeptDegrees expected = owner % 3 == 0 ? KeptDegrees.NO : KeptDegrees.UNKNOWN;
        assertEquals(expected, table.directory.degrees(owner));
      }
    }
  }

  static void freeNow(Epochs epochs, long address, BlockMemory memory) {
    memory.free(address);
  }

  @RuleTest(
      rule = 19,
      sites =
          @Site(
              name = "has the table",
              in = "io.bg3.core.forest.Directory",
              method = "withBits",
              before = "Directory.find"),
      twins =
          @Twin(
              name = "a table that has become too small is given back under its readers",
              in = "io.bg3.core.forest.Directory",
              method = "rebuild",
              without = "Epochs.retire",
              instead = "freeNow"))
  void aLookUpReadsOnInATableThatWasReplaced() {
    try (Table table = new Table()) {
      table.directory.put(1, 11);
      Sites.at(
          "has the table",
          () -> {
            for (long owner = 2; owner < 1_000; owner++) {
              table.directory.put(owner, owner);
            }
          });
      long found = -1;
      try {
        found = table.directory.lookUp(1);
      } catch (RuntimeException | AssertionError e) {
        // what it reads has been freed
      }
      Sites.requirePassed("has the table");
      assertEquals(11, found);
    }
  }
}

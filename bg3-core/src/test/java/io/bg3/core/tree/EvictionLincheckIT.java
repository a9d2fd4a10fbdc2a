package io.bg3.core.tree;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.LargeValueLocations;
import io.bg3.core.entry.Op;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.Pins;
import io.bg3.storage.memory.MemoryBudget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * Pins, evictions, loads, splits and moves of leaves under the schedules of a model checker, as
 * {@link TreeLincheckIT} has them for trees in memory: every answer has to fit an order of the
 * operations that an array could have given, and no commit may meet a leaf that is not in memory
 * when it is applied (R5). The leaves are of edges, so they also go and come without their values
 * (R31). The twins leave out a step each and have to be caught.
 *
 * <p>Flushes follow one another, as those of the thread that keeps the rows do, and writes of one
 * key do, as from the committer. The bytes behind an address are outside of the schedules: they are
 * off the heap, and a function of an immutable block. Memory that is given back is poisoned, so a
 * read of it is caught as a wrong answer.
 */
class EvictionLincheckIT {
  private static final int SCENARIOS = Integer.getInteger("bg3.torture.scenarios", 3);

  /** Scenarios in which a twin has to be caught. */
  private static final int TWIN_SCENARIOS = 200;

  /** Operations in a row that the checker takes for progress: the evictor looks at 64 slots. */
  private static final int LONGEST_LOOP = 1_000;

  private static final int KEYS = 6;

  /** The sequential model that the answers are compared with. */
  public static class Sequential {
    private final int[] values = new int[KEYS];

    public Sequential() {
      Arrays.fill(values, 1);
    }

    public int writeEven(int key, int value) {
      values[2 * key] = value;
      return value;
    }

    public int writeOdd(int key, int value) {
      values[2 * key + 1] = value;
      return value;
    }

    public int read(int key) {
      return values[key];
    }

    public boolean isThere(int key) {
      return values[key] != 0;
    }

    public void flush() {}

    public void evict() {}

    public void evictValues() {}

    public void move() {}
  }

  /**
   * A tree of pages so small that its edges are in several, with its extents in memory. All edges
   * have the value 1, are stored, and in memory.
   */
  private static class SmallTree {
    private static final int PADDING = 150;
    private static final int OWNER = 7;
    private static final int LABEL = EdgeKey.tagLabel(EdgeKey.OUT, 3);

    final StoredTree stored;
    final TreeHarness harness;
    final TreeSpace space;
    final PageTable table;
    final PageEvictor evictor;
    private final AtomicLong stamps = new AtomicLong();
    private final ThreadLocal<Boolean> applying = ThreadLocal.withInitial(() -> false);

    SmallTree() {
      try {
        MemoryBudget budget = new MemoryBudget(8 << 20, "bg3.memory.budget");
        stored = new StoredTree(TreeKind.EDGES, 512, 1, budget).uncompressed();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      stored.helpedBy(Runnable::run);
      stored.listenBy(this::loaded);
      harness = stored.harness;
      space = harness.space;
      table = harness.table;
      evictor = new PageEvictor(space);
      inThreadOfItsOwn(this::fill);
    }

    private void fill() {
      for (int key = 0; key < KEYS; key++) {
        put(key, 1);
      }
      store();
    }

    /**
     * Runs something that enters epochs. The checker goes through all that a test refers to before
     * it begins, and cannot go through a thread of the test framework.
     */
    static void inThreadOfItsOwn(Runnable task) {
      Thread thread = new Thread(task);
      thread.start();
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private void loaded(int page, LargeValueLocations references) {
      if (applying.get()) {
        throw new IllegalStateException("R5: page " + page + " is loaded to apply a commit");
      }
    }

    static byte[] key(int key) {
      return EdgeKey.encode(OWNER, LABEL, key, 0);
    }

    int value(int key) {
      byte[] value = harness.actual(key(key), Long.MAX_VALUE);
      return value == null ? 0 : value[0];
    }

    final void store() {
      try {
        stored.flush(Horizon.at(1));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Writes, and says what the key has then: writes of one key follow one another. */
    final int putAndRead(int key, int value) {
      put(key, value);
      return value(key);
    }

    final void put(int key, int value) {
      Entries batch = harness.tree.newEntries();
      long stamp = stamps.incrementAndGet();
      if (value == 0) {
        batch.append(key(key), Op.TOMBSTONE, stamp, null);
      } else {
        byte[] bytes = new byte[PADDING];
        bytes[0] = (byte) value;
        batch.append(key(key), Op.PUT, stamp, bytes);
      }
      PendingMaintenance due = new PendingMaintenance();
      LocatedLeaves leaves = new LocatedLeaves();
      try (Pins.Registration pins = space.pins.register()) {
        harness.tree.find(batch, Long.MAX_VALUE, leaves, LeafAdmission.unbounded(pins));
        applying.set(true);
        apply(batch, leaves, due);
        applying.set(false);
      }
      due.settle(Horizon.at(1));
    }

    void apply(Entries batch, LocatedLeaves leaves, PendingMaintenance due) {
      harness.tree.apply(batch, leaves, () -> Horizon.at(1), due);
    }
  }

  /** All that may happen to the leaves of a tree. */
  @Param(name = "key", gen = IntGen.class, conf = "0:5")
  @Param(name = "half", gen = IntGen.class, conf = "0:2")
  @Param(name = "value", gen = IntGen.class, conf = "0:2")
  public static class Sound extends SmallTree {
    @Operation(
        params = {"half", "value"},
        nonParallelGroup = "even")
    public int writeEven(int key, int value) {
      return putAndRead(2 * key, value);
    }

    @Operation(
        params = {"half", "value"},
        nonParallelGroup = "odd")
    public int writeOdd(int key, int value) {
      return putAndRead(2 * key + 1, value);
    }

    @Operation(params = "key")
    public int read(int key) {
      return value(key);
    }

    @Operation(params = "key")
    public boolean isThere(int key) {
      return harness.isPresent(key(key), Long.MAX_VALUE);
    }

    @Operation(nonParallelGroup = "rows")
    public void flush() {
      store();
    }

    @Operation
    public void evict() {
      evictor.evictAll();
    }

    @Operation
    public void evictValues() {
      evictor.evictValues();
    }

    @Operation
    public void move() {
      evictor.moveAll();
    }
  }

  @Test
  void whatATreeLargerThanMemoryAnswersFitsOneOrderOfTheOperations() {
    check(Sound.class, SCENARIOS, 100, 3);
  }

  /** Evicts leaves that a commit has pinned. */
  @Param(name = "half", gen = IntGen.class, conf = "0:2")
  @Param(name = "value", gen = IntGen.class, conf = "0:2")
  public static class EvictsPinned extends SmallTree {
    @Operation(
        params = {"half", "value"},
        nonParallelGroup = "even")
    public int writeEven(int key, int value) {
      return putAndRead(2 * key, value);
    }

    @Operation
    public void evict() {
      for (int page = 1; page < table.end(); page++) {
        if (isEvictable(page) && table.tryLatch(page)) {
          try {
            if (isEvictable(page) && table.makeAbsent(page, Long.MAX_VALUE)) {
              table.publishEvicted(page, space.header(table.block(page)).newestStamp());
            }
          } finally {
            table.unlatch(page);
          }
        }
      }
    }

    private boolean isEvictable(int page) {
      return table.isEvictable(page) && harness.tree.isLeaf(table.block(page));
    }
  }

  @Test
  void theTwinThatEvictsPinnedLeavesIsCaught() {
    assertCaught(EvictsPinned.class);
  }

  /** Loads leaves that another thread has loaded meanwhile, and has perhaps written to. */
  @Param(name = "key", gen = IntGen.class, conf = "0:5")
  @Param(name = "half", gen = IntGen.class, conf = "0:2")
  @Param(name = "value", gen = IntGen.class, conf = "0:2")
  public static class LoadsUnclaimed extends SmallTree {
    public LoadsUnclaimed() {
      inThreadOfItsOwn(evictor::evictAll);
    }

    @Operation(
        params = {"half", "value"},
        nonParallelGroup = "even")
    public int writeEven(int key, int value) {
      return putAndRead(2 * key, value);
    }

    @Operation(params = "key")
    public int read(int key) {
      int page = leaf(key);
      if (page != 0) {
        long block = space.loader().read(page);
        table.latch(page);
        table.publishLoaded(page, block);
        table.unlatch(page);
      }
      return value(key);
    }

    /** The leaf of a key if it is in storage, else 0. */
    private int leaf(int key) {
      int ticket = space.epochs.enter();
      try {
        long found = harness.tree.descent.leaf(key(key));
        return Descent.isLeaf(found) ? 0 : Descent.missing(found);
      } finally {
        space.epochs.exit(ticket);
      }
    }
  }

  @Test
  void theTwinThatLoadsWithoutAClaimIsCaught() {
    assertCaught(LoadsUnclaimed.class);
  }

  /** Writes to the leaf that it has found, though that may have been split. */
  @Param(name = "half", gen = IntGen.class, conf = "0:0")
  @Param(name = "value", gen = IntGen.class, conf = "1:2")
  public static class WritesToTheLeftHalf extends SmallTree {
    @Operation(
        params = {"half", "value"},
        nonParallelGroup = "even")
    public int writeEven(int key, int value) {
      return putAndRead(2 * key, value);
    }

    @Operation(
        params = {"half", "value"},
        nonParallelGroup = "odd")
    public int writeOdd(int key, int value) {
      return putAndRead(2 * key + 1, value);
    }

    @Override
    void apply(Entries batch, LocatedLeaves leaves, PendingMaintenance due) {
      int page = leaves.page(0);
      table.latch(page);
      try {
        long block = table.block(page);
        table.publish(page, harness.tree.format().writeDelta(block, batch, 0, 1));
        table.markDirty(page);
        due.add(harness.tree, page);
      } finally {
        table.unlatch(page);
      }
    }
  }

  @Test
  void theTwinThatWritesToALeafThatWasSplitIsCaught() {
    assertCaught(WritesToTheLeftHalf.class);
  }

  /** Gives the blocks of a leaf that it moves back at once. */
  @Param(name = "key", gen = IntGen.class, conf = "0:5")
  public static class FreesWhatItMoves extends SmallTree {
    @Operation(params = "key")
    public int read(int key) {
      return value(key);
    }

    @Operation
    public void move() {
      for (int page = 1; page < table.end(); page++) {
        table.latch(page);
        try {
          long block = table.block(page);
          if (harness.tree.isLeaf(block)) {
            table.publish(page, harness.tree.format().copy(block));
            space.free(block);
          }
        } finally {
          table.unlatch(page);
        }
      }
    }
  }

  @Test
  void theTwinThatGivesAMovedLeafBackAtOnceIsCaught() {
    assertCaught(FreesWhatItMoves.class);
  }

  private static void assertCaught(Class<?> twin) {
    LincheckAssertionError found =
        assertThrows(LincheckAssertionError.class, () -> check(twin, TWIN_SCENARIOS, 200, 2));
    assertTrue(found.getMessage().contains("Invalid execution results"), found.getMessage());
  }

  /** Whether the calls of a class are no steps of the schedules. */
  private static boolean isSequential(String className) {
    return className.startsWith("io.bg3.core.page.")
        || className.startsWith("io.bg3.core.block.")
        || className.startsWith("io.bg3.core.entry.")
        || (className.startsWith("io.bg3.storage.") && !className.contains(".Epoch"));
  }

  private static void check(Class<?> run, int scenarios, int schedules, int threads) {
    new ModelCheckingOptions()
        .iterations(scenarios)
        .invocationsPerIteration(schedules)
        .threads(threads)
        .actorsPerThread(2)
        .actorsBefore(1)
        .actorsAfter(threads)
        .loopBound(LONGEST_LOOP)
        .minimizeFailedScenario(false)
        .invocationTimeout$lincheck(600_000)
        .addGuarantee(forClasses(EvictionLincheckIT::isSequential).allMethods().ignore())
        .sequentialSpecification(Sequential.class)
        .check(run);
  }
}

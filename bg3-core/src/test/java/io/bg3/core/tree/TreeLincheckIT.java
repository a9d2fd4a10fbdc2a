package io.bg3.core.tree;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Op;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * Page table, delta replacement, consolidation, splits and removed pages under the schedules of a
 * model checker (Lincheck; Koval et al., CAV '23): every answer has to fit an order of the
 * operations that an array could have given. As from the committer, writes of one key come one
 * after the other, those of different keys of one page do not. The twins leave out a step each and
 * have to be caught.
 *
 * <p>The model checker explores interleavings that stress tests rarely meet. {@code
 * -Dbg3.torture.scenarios=N} makes it longer or shorter.
 */
class TreeLincheckIT {
  private static final int SCENARIOS = Integer.getInteger("bg3.torture.scenarios", 6);
  private static final int KEYS = 6;

  /** The sequential model that the answers are compared with. */
  public static class Sequential {
    private final int[] values = new int[KEYS];

    public void writeEven(int key, int value) {
      values[2 * key] = value;
    }

    public void writeOdd(int key, int value) {
      values[2 * key + 1] = value;
    }

    public int read(int key) {
      return values[key];
    }
  }

  /** A tree of pages so small that a handful of writes consolidates, splits and empties them. */
  @Param(name = "key", gen = IntGen.class, conf = "0:5")
  @Param(name = "half", gen = IntGen.class, conf = "0:2")
  @Param(name = "value", gen = IntGen.class, conf = "0:2")
  public static class Sound {
    private static final int PADDING = 150;

    final TreeHarness harness = new TreeHarness(TreeKind.BYTES, 512, 1);
    private final AtomicLong stamps = new AtomicLong();

    @Operation(
        params = {"half", "value"},
        nonParallelGroup = "even")
    public void writeEven(int key, int value) {
      write(2 * key, value);
    }

    @Operation(
        params = {"half", "value"},
        nonParallelGroup = "odd")
    public void writeOdd(int key, int value) {
      write(2 * key + 1, value);
    }

    @Operation(params = "key")
    public int read(int key) {
      byte[] value = harness.actual(key(key), Long.MAX_VALUE);
      return value == null ? 0 : value[0];
    }

    private void write(int key, int value) {
      Entries batch = harness.tree.newEntries();
      long stamp = stamps.incrementAndGet();
      if (value == 0) {
        batch.append(key(key), Op.TOMBSTONE, stamp, null);
      } else {
        byte[] bytes = new byte[PADDING];
        bytes[0] = (byte) value;
        batch.append(key(key), Op.PUT, stamp, bytes);
      }
      apply(batch);
    }

    void apply(Entries batch) {
      PendingMaintenance due = new PendingMaintenance();
      harness.tree.apply(batch, 0, 1, due);
      due.settle(Horizon.at(1));
    }

    private static byte[] key(int key) {
      return new byte[] {'k', (byte) key};
    }
  }

  /** Replaces the delta without the page's latch. */
  public static class WithoutLatch extends Sound {
    @Override
    void apply(Entries batch) {
      Tree tree = harness.tree;
      long block = harness.table.block(tree.root());
      harness.table.publish(tree.root(), tree.format().writeDelta(block, batch, 0, 1));
    }
  }

  @Test
  void whatTheTreeAnswersFitsOneOrderOfTheOperations() {
    check(Sound.class, SCENARIOS, 100);
  }

  @Test
  void theTwinWithoutTheLatchIsCaught() {
    assertThrows(LincheckAssertionError.class, () -> check(WithoutLatch.class, 100, 100));
  }

  /**
   * Allocation locks for itself, and what a page's bytes mean is a function of an immutable block.
   */
  private static boolean isSequential(String className) {
    return className.startsWith("io.bg3.core.page.")
        || (className.startsWith("io.bg3.storage.memory.")
            && !className.startsWith("io.bg3.storage.memory.Epoch"));
  }

  private static void check(Class<? extends Sound> run, int scenarios, int schedules) {
    new ModelCheckingOptions()
        .iterations(scenarios)
        .invocationsPerIteration(schedules)
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(4)
        .actorsAfter(3)
        .minimizeFailedScenario(false)
        .invocationTimeout$lincheck(600_000)
        .addGuarantee(forClasses(TreeLincheckIT::isSequential).allMethods().ignore())
        .sequentialSpecification(Sequential.class)
        .check(run);
  }
}

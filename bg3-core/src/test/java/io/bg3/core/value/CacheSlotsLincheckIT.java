package io.bg3.core.value;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * The slots of large values under the schedules of a model checker: every answer has to fit an
 * order of the operations that an array could have given. Changes follow one another, as under the
 * lock of the cache, and readers set the read bit beside them. The values are of one set, so that
 * they take each other's slots. The twins leave out a step each and have to be caught.
 */
class CacheSlotsLincheckIT {
  private static final int SCENARIOS = Integer.getInteger("bg3.torture.scenarios", 20);

  /** Scenarios in which a twin has to be caught. */
  private static final int TWIN_SCENARIOS = 200;

  private static final int VALUES = 3;

  /** What a visit of the clock's hand has found. */
  private static final int ABSENT = 0;

  private static final int SPARED = 1;
  private static final int GONE = 2;

  /** Locations whose hashes begin with the same bits, so that they are in one set of any size. */
  private static final long[] LOCATIONS = ofOneSet();

  private static long[] ofOneSet() {
    long[] locations = new long[VALUES];
    int count = 0;
    for (long location = 1; count < VALUES; location++) {
      if (CacheSlots.hash(location) >>> (Long.SIZE - CacheSlots.FEWEST_BITS - 2) == 0) {
        locations[count++] = location;
      }
    }
    return locations;
  }

  /** The sequential model that the answers are compared with. */
  public static class Sequential {
    private final boolean[] present = new boolean[VALUES];
    private final boolean[] read = new boolean[VALUES];

    public boolean put(int value) {
      boolean isNew = !present[value];
      if (isNew) {
        present[value] = true;
        read[value] = false;
      }
      return isNew;
    }

    public int visit(int value) {
      if (!present[value]) {
        return ABSENT;
      }
      present[value] = read[value];
      read[value] = false;
      return present[value] ? SPARED : GONE;
    }

    public boolean take(int value) {
      boolean found = present[value];
      present[value] = false;
      return found;
    }

    public boolean move(int value) {
      return present[value] && read[value];
    }

    public boolean read(int value) {
      read[value] = present[value];
      return present[value];
    }

    public void grow() {}
  }

  /** A table and what is done to it. */
  private static class Table {
    volatile CacheSlots slots;
    private int moves;

    Table(CacheSlots slots) {
      this.slots = slots;
    }

    static long hash(int value) {
      return CacheSlots.hash(LOCATIONS[value]);
    }

    /** The block of a value; each has two, one of which it has moved to. */
    private static boolean isOf(long word, int value) {
      return CacheSlots.mayBe(word, hash(value)) && CacheSlots.address(word) >>> 32 == 1 + value;
    }

    /** Keeps the tables small. */
    final boolean mayGrow() {
      return slots.count() < CacheSlots.WAYS << (CacheSlots.FEWEST_BITS + 2);
    }

    /** As the cache finds a slot to change. */
    final int slotOf(int value) {
      CacheSlots now = slots;
      int first = now.first(hash(value));
      for (int slot = first; slot < first + CacheSlots.WAYS; slot++) {
        if (isOf(now.word(slot), value)) {
          return slot;
        }
      }
      return -1;
    }

    final boolean putIfAbsent(int value) {
      if (slotOf(value) >= 0) {
        return false;
      }
      CacheSlots now = slots;
      int slot = now.first(hash(value));
      while (now.word(slot) != 0) {
        slot++;
      }
      now.fill(slot, hash(value), (1L + value) << 32 | 16);
      return true;
    }

    /** As the hand of the clock does. */
    final int visitBy(CacheSlots now, int value) {
      int slot = slotOf(value);
      if (slot < 0) {
        return ABSENT;
      }
      while (true) {
        long word = now.word(slot);
        if (CacheSlots.isRead(word)) {
          now.forgetRead(slot, word);
          return SPARED;
        } else if (now.free(slot, word)) {
          return GONE;
        }
      }
    }

    final boolean moveIfRead(int value) {
      int slot = slotOf(value);
      if (slot < 0 || !CacheSlots.isRead(slots.word(slot))) {
        return false;
      }
      slots.move(slot, (1L + value) << 32 | (++moves % 2 == 0 ? 16 : 32));
      return true;
    }

    /**
     * As a reader, which does not know whether it was the one to set the bit: so it looks again.
     */
    final boolean readAndMark(int value) {
      CacheSlots now = slots;
      int first = now.first(hash(value));
      for (int slot = first; slot < first + CacheSlots.WAYS; slot++) {
        long word = now.word(slot);
        while (isOf(word, value)) {
          if (CacheSlots.isRead(word) || now.change(slot, word, word | CacheSlots.READ)) {
            return true;
          }
          word = now.word(slot);
        }
      }
      return false;
    }

    final boolean readOnly(int value) {
      CacheSlots now = slots;
      int first = now.first(hash(value));
      for (int slot = first; slot < first + CacheSlots.WAYS; slot++) {
        long word = now.word(slot);
        if (isOf(word, value)) {
          now.markRead(slot, word);
          return true;
        }
      }
      return false;
    }
  }

  /** Values come, are read, move, and go if they were not read. */
  @Param(name = "value", gen = IntGen.class, conf = "0:2")
  public static class Sound extends Table {
    public Sound() {
      this(new CacheSlots());
    }

    Sound(CacheSlots slots) {
      super(slots);
    }

    @Operation(params = "value", nonParallelGroup = "writing")
    public boolean put(int value) {
      return putIfAbsent(value);
    }

    @Operation(params = "value", nonParallelGroup = "writing")
    public int visit(int value) {
      return visitBy(slots, value);
    }

    @Operation(params = "value", nonParallelGroup = "writing")
    public boolean move(int value) {
      return moveIfRead(value);
    }

    @Operation(params = "value")
    public boolean read(int value) {
      return readAndMark(value);
    }
  }

  @Test
  void whatTheSlotsAnswerFitsOneOrderOfTheOperations() {
    check(Sound.class, SCENARIOS, 300);
  }

  /** Changes a slot behind another thread's back. */
  private static final class NotAtOnce extends CacheSlots {
    @Override
    boolean change(int slot, long from, long to) {
      boolean same = word(slot) == from;
      if (same) {
        set(slot, to);
      }
      return same;
    }
  }

  /** Compares a slot and sets it in two steps. */
  public static class ComparesAndSets extends Sound {
    public ComparesAndSets() {
      super(new NotAtOnce());
    }
  }

  @Test
  void theTwinThatComparesAndSetsInTwoStepsIsCaught() {
    assertCaught(ComparesAndSets.class);
  }

  /** Values come and go while the table grows, and marks of reads may get lost. */
  @Param(name = "value", gen = IntGen.class, conf = "0:2")
  public static class Growing extends Table {
    public Growing() {
      super(new CacheSlots());
    }

    @Operation(params = "value", nonParallelGroup = "writing")
    public boolean put(int value) {
      return putIfAbsent(value);
    }

    @Operation(params = "value", nonParallelGroup = "writing")
    public boolean take(int value) {
      int slot = slotOf(value);
      return slot >= 0 && slots.take(slot) != 0;
    }

    @Operation(nonParallelGroup = "writing")
    public void grow() {
      if (mayGrow()) {
        slots = slots.grown();
      }
    }

    @Operation(params = "value")
    public boolean read(int value) {
      return readOnly(value);
    }
  }

  @Test
  void whatAGrowingTableAnswersFitsOneOrderOfTheOperations() {
    check(Growing.class, SCENARIOS, 300);
  }

  /** Publishes the larger table before it is filled. */
  @Param(name = "value", gen = IntGen.class, conf = "0:2")
  public static class PublishesFirst extends Growing {
    @Override
    @Operation(nonParallelGroup = "writing")
    public void grow() {
      CacheSlots old = slots;
      if (mayGrow()) {
        slots = new CacheSlots();
        slots = old.grown();
      }
    }
  }

  @Test
  void theTwinThatPublishesATableBeforeItIsFilledIsCaught() {
    assertCaught(PublishesFirst.class);
  }

  private static void assertCaught(Class<?> twin) {
    LincheckAssertionError found =
        assertThrows(LincheckAssertionError.class, () -> check(twin, TWIN_SCENARIOS, 300));
    assertTrue(found.getMessage().contains("Invalid execution results"), found.getMessage());
  }

  private static void check(Class<?> run, int scenarios, int schedules) {
    new ModelCheckingOptions()
        .iterations(scenarios)
        .invocationsPerIteration(schedules)
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(3)
        .actorsAfter(3)
        .minimizeFailedScenario(false)
        .invocationTimeout$lincheck(600_000)
        .addGuarantee(forClasses(CacheSlots.class.getName()).methods("grown").treatAsAtomic())
        .sequentialSpecification(Sequential.class)
        .check(run);
  }
}

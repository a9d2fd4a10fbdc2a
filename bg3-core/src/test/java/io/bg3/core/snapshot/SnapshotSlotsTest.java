package io.bg3.core.snapshot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.Horizon;
import io.bg3.testing.Together;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/**
 * Registers snapshots while another thread prunes: a snapshot that a reader goes away with must be
 * among the slots of every horizon made since, or be at or above its cut. The twin that does not
 * look at the cut again must be caught.
 */
class SnapshotSlotsTest {
  @Test
  void theHorizonIsCutFloorAndOpenSnapshots() {
    AtomicLong visible = new AtomicLong(10);
    SnapshotSlots slots = new SnapshotSlots(visible::get);
    int ten = slots.register();
    visible.set(50);
    int fifty = slots.register();
    visible.set(90);
    Horizon horizon = slots.horizon();
    assertEquals(90, horizon.cut());
    assertEquals(10, horizon.floor());
    assertArrayEquals(new long[] {10, 50}, horizon.snapshots());
    slots.release(ten);
    assertEquals(50, slots.horizon().floor());
    slots.release(fifty);
    assertEquals(90, slots.horizon().floor());
    assertEquals(0, slots.count());
  }

  @Test
  void hundredsOfSnapshotsMayBeOpen() {
    AtomicLong visible = new AtomicLong();
    SnapshotSlots slots = new SnapshotSlots(visible::incrementAndGet);
    List<Integer> open = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      open.add(slots.register());
    }
    assertEquals(500, slots.horizon().snapshots().length);
    assertEquals(500, open.stream().distinct().count());
    open.forEach(slots::release);
    assertEquals(0, slots.count());
  }

  /**
   * Stops a reader between reading visible and storing its slot, which is where a preempted thread
   * stops: then others commit and a pruner runs.
   */
  private static SnapshotSlots pausedBeforePublishing(
      AtomicLong visible, AtomicBoolean pause, Runnable meanwhile, boolean broken) {
    SnapshotSlots[] self = new SnapshotSlots[1];
    LongSupplier paused =
        () -> {
          long seen = visible.get();
          if (pause.getAndSet(false)) {
            meanwhile.run();
          }
          return seen;
        };
    self[0] = broken ? new LateSnapshotSlots(paused) : new SnapshotSlots(paused);
    return self[0];
  }

  private static boolean keepsWhatALateReaderSees(boolean broken) {
    AtomicLong visible = new AtomicLong(50);
    AtomicBoolean pause = new AtomicBoolean();
    SnapshotSlots[] slots = new SnapshotSlots[1];
    Horizon[] horizon = new Horizon[1];
    slots[0] =
        pausedBeforePublishing(
            visible,
            pause,
            () -> {
              visible.set(90);
              horizon[0] = slots[0].horizon();
            },
            broken);
    pause.set(true);
    int slot = slots[0].register();
    long snapshot = slots[0].snapshot(slot);
    for (long open : horizon[0].snapshots()) {
      if (open == snapshot) {
        return true;
      }
    }
    return snapshot >= horizon[0].cut();
  }

  @Test
  void aReaderThatRegistersLateTakesANewSnapshot() {
    assertTrue(keepsWhatALateReaderSees(false));
  }

  @Test
  void aTwinThatDoesNotLookAtTheCutAgainIsCaught() {
    assertEquals(false, keepsWhatALateReaderSees(true));
  }

  /** Looks for a horizon each time that a reader is about to look at the cut again. */
  private static final class Watched extends SnapshotSlots {
    final List<Horizon> horizons = new ArrayList<>();

    Watched(LongSupplier visible) {
      super(visible);
    }

    @Override
    boolean mustTakeAnother(long snapshot) {
      horizons.add(horizon());
      return super.mustTakeAnother(snapshot);
    }
  }

  @Test
  void aHorizonKeepsNothingThatAnEarlierOneHasLetGoOf() {
    AtomicLong visible = new AtomicLong(10);
    AtomicBoolean pause = new AtomicBoolean(true);
    Watched[] slots = new Watched[1];
    slots[0] =
        new Watched(
            () -> {
              long seen = visible.get();
              if (slots[0] != null && pause.getAndSet(false)) {
                visible.set(20);
                assertArrayEquals(new long[0], slots[0].horizon().snapshots());
              }
              return seen;
            });
    int slot = slots[0].register();
    assertEquals(20, slots[0].snapshot(slot));
    assertArrayEquals(new long[0], slots[0].horizons.get(0).snapshots(), "10 is let go of");
    assertArrayEquals(new long[] {20}, slots[0].horizon().snapshots());
  }

  @Test
  void everySnapshotIsKeptByEveryHorizonMadeWhileItIsOpen() throws InterruptedException {
    AtomicLong visible = new AtomicLong();
    SnapshotSlots slots = new SnapshotSlots(visible::get);
    AtomicLong cut = new AtomicLong();
    int readers = 3;
    AtomicLong running = new AtomicLong(readers);
    Together.run(
        readers + 1,
        thread -> {
          if (thread == readers) {
            while (running.get() > 0) {
              visible.incrementAndGet();
              Horizon horizon = slots.horizon();
              assertTrue(horizon.cut() >= cut.get(), "the cut fell");
              cut.set(horizon.cut());
            }
            return;
          }
          try {
            for (int i = 0; i < 100_000; i++) {
              int slot = slots.register();
              long snapshot = slots.snapshot(slot);
              // Whatever was pruned before now was pruned by a cut that this snapshot is not below.
              Horizon now = slots.horizon();
              boolean kept = snapshot >= now.cut();
              for (long open : now.snapshots()) {
                kept |= open == snapshot;
              }
              assertTrue(kept, () -> "snapshot=" + snapshot + ", " + now);
              slots.release(slot);
            }
          } finally {
            running.decrementAndGet();
          }
        });
    assertEquals(0, slots.count());
  }
}

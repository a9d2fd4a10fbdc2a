package io.bg3.core.snapshot;

import io.bg3.core.entry.Expiry;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Lifetimes;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * The snapshots that are open, so that the thread that prunes versions knows which are still read.
 *
 * <p>A snapshot is registered without a lock while others prune:
 *
 * <pre>
 *   reader                              pruner
 *   1 s = visible                       a raise cut to visible
 *   2 slot = s                          b fence
 *   3 fence                             c read the slots
 *   4 read cut; above s: again from 1   d keep the newest version at or below each slot and cut, and all above cut
 * </pre>
 *
 * <p>Either c sees the slot of 2, and the versions of s are kept; or 2 comes after c in the order
 * of the fences, then 4 sees the cut of a, and s is at or above it, where everything is kept.
 * Without 4 a reader that took its s early and stored it late would find its versions pruned.
 *
 * <ul>
 *   <li>S1: {@code cut} never falls and is never above visible.
 *   <li>S2: a snapshot returned by {@link #register} was at or above {@code cut} after it stood in
 *       its slot.
 *   <li>S3: a horizon stays good for ever: later snapshots are at or above its cut (S2).
 *   <li>S4: what one horizon lets go of, no later one keeps. A reader may store its slot between
 *       the two and find in 4 that it must take another; until then the later pruner sees a
 *       snapshot below the cut of the earlier one. Nobody reads it, and a page that is loaded with
 *       its versions would refer to large values that were given up (R7).
 * </ul>
 *
 * <p>A transaction holds its slot by a claim, which can be taken from it when it is too old:
 *
 * <pre>
 *   reader                              who ends what is too old
 *   1 read pages                        a claim: held to expired
 *   2 claim still held? else fail       b slot = FREE
 * </pre>
 *
 * <p>What a reader gets in 1 may lack versions only after b, hence after a, and then 2 sees it. A
 * claim that is kept (a commit) is not taken, and one is given back only by the thread that holds
 * it.
 *
 * <p>Threads: any. A slot is taken by a compare-and-set from {@link #FREE}; the array of chunks
 * only grows, so a slot that was taken in an old array is seen in every newer one.
 */
public class SnapshotSlots {
  private static final long FREE = Long.MAX_VALUE;
  private static final int CHUNK = 64;
  private static final int STRIDE =
      16; // longs, so that two slots never share a pair of cache lines

  /** Of a slot: the snapshot, the claim, the tick at which the claim was made, and the clock. */
  private static final int CLAIM = 1;

  private static final int BORN = 2;

  /** 0 while it has not been taken: then it is not below the milliseconds of the snapshot. */
  private static final int CLOCK = 3;

  private static final long NEVER = Long.MAX_VALUE;
  private static final long KEPT = 1L << 62;

  private final LongSupplier visible;
  private StoreClock clock; // set before there are transactions
  private Lifetimes lifetimes; // so is this
  private final AtomicLong cut;
  private final AtomicReference<AtomicLongArray[]> chunks;

  /** The last horizon; {@code this} is the guard. */
  private Horizon last;

  /**
   * @param visible the newest snapshot to be had; never falls
   */
  public SnapshotSlots(LongSupplier visible) {
    this.visible = visible;
    this.cut = new AtomicLong(visible.getAsLong());
    this.chunks = new AtomicReference<>(new AtomicLongArray[] {newChunk()});
    this.last = Horizon.at(cut.get());
  }

  /** Says by which clock edges expire, and which; once, before a snapshot is registered. */
  public void expireBy(StoreClock newClock, Lifetimes newLifetimes) {
    clock = newClock;
    lifetimes = newLifetimes;
  }

  /**
   * Takes the clock of a snapshot that was just registered (R13). A snapshot is older than every
   * edge whose label gets a time to live behind it, so it needs none where no label has one.
   */
  Expiry takeClock(int slot) {
    if (lifetimes == null || lifetimes.isEmpty()) {
      return Expiry.NEVER;
    }
    long now = clock.now();
    clock.noteGiven(now);
    chunks.get()[slot / CHUNK].setRelease(slot % CHUNK * STRIDE + CLOCK, now);
    return new Expiry(lifetimes, now);
  }

  /** Registers a new snapshot and returns its slot. */
  public int register() {
    int slot = claim(visible.getAsLong());
    AtomicLongArray chunk = chunks.get()[slot / CHUNK];
    int index = slot % CHUNK * STRIDE;
    while (true) {
      VarHandle.fullFence();
      if (!mustTakeAnother(chunk.get(index))) {
        return slot;
      }
      chunk.set(index, visible.getAsLong());
    }
  }

  /**
   * Makes a claim to a slot that was just registered, so that it can be too old.
   *
   * @param tick now; later ones are larger
   * @return the claim
   */
  public long claim(int slot, long tick) {
    AtomicLongArray chunk = chunks.get()[slot / CHUNK];
    int index = slot % CHUNK * STRIDE;
    long claim = Math.abs(chunk.get(index + CLAIM)) + 1;
    chunk.setRelease(index + CLAIM, claim);
    chunk.setRelease(index + BORN, tick);
    return claim;
  }

  /** Whether a claim has not been taken away. */
  public boolean holds(int slot, long claim) {
    long now = chunks.get()[slot / CHUNK].get(slot % CHUNK * STRIDE + CLAIM);
    return (now & ~KEPT) == claim;
  }

  /** Lets a claim not be taken away until {@link #unkeep}; false if it has been. */
  public boolean keep(int slot, long claim) {
    return chunks.get()[slot / CHUNK].compareAndSet(
        slot % CHUNK * STRIDE + CLAIM, claim, claim | KEPT);
  }

  /** Ends {@link #keep}. */
  public void unkeep(int slot, long claim) {
    chunks.get()[slot / CHUNK].set(slot % CHUNK * STRIDE + CLAIM, claim);
  }

  /** Gives a claimed slot back, unless the claim has been taken away, and the slot with it. */
  public void release(int slot, long claim) {
    AtomicLongArray chunk = chunks.get()[slot / CHUNK];
    int at = slot % CHUNK * STRIDE + CLAIM;
    if (chunk.get(at) == (claim | KEPT)) { // then nobody takes it away
      chunk.setRelease(at, -claim);
      release(slot);
    } else if (chunk.compareAndSet(at, claim, -claim)) {
      release(slot);
    }
  }

  /** Takes away the claims made before a tick, and gives their slots back; returns how many. */
  public int expire(long before) {
    int expired = 0;
    AtomicLongArray[] now = chunks.get();
    for (int slot = 0; slot < now.length * CHUNK; slot++) {
      AtomicLongArray chunk = now[slot / CHUNK];
      int index = slot % CHUNK * STRIDE;
      long claim = chunk.get(index + CLAIM);
      if (claim > 0
          && (claim & KEPT) == 0
          && chunk.get(index + BORN) < before
          && chunk.compareAndSet(index + CLAIM, claim, -claim)) {
        release(slot);
        expired++;
      }
    }
    return expired;
  }

  /** Whether versions that the snapshot sees may have been pruned before it stood in its slot. */
  boolean mustTakeAnother(long snapshot) {
    return snapshot < cut.get();
  }

  /** The snapshot that stands in a slot. */
  public long snapshot(int slot) {
    return chunks.get()[slot / CHUNK].get(slot % CHUNK * STRIDE);
  }

  /** Gives a slot without a claim back: its snapshot is not read any more. */
  public void release(int slot) {
    AtomicLongArray chunk = chunks.get()[slot / CHUNK];
    assert chunk.get(slot % CHUNK * STRIDE) != FREE : "released twice: slot=" + slot;
    chunk.setRelease(slot % CHUNK * STRIDE + BORN, NEVER);
    chunk.setRelease(slot % CHUNK * STRIDE + CLOCK, 0);
    chunk.setRelease(
        slot % CHUNK * STRIDE, FREE); // a thread that prunes may see it open a little longer
  }

  /** Raises the cut and says which versions a transaction may still read. */
  public synchronized Horizon horizon() {
    long target = visible.getAsLong();
    long raised = cut.accumulateAndGet(target, Math::max);
    boolean expires = lifetimes != null && !lifetimes.isEmpty();
    long now = expires ? clockAt(raised) : 0; // a snapshot whose slot is not seen has a later clock
    VarHandle.fullFence();
    long[] open = registered(open());
    long floor = open.length == 0 ? raised : Math.min(raised, open[0]);
    Expiry expiry = expires ? new Expiry(lifetimes, earliestClock(now)) : Expiry.NEVER;
    last = new Horizon(raised, floor, open, expiry);
    return last;
  }

  /**
   * The time by which entries may go from the leaves: not above the newest commit's. The manifest
   * that names such a leaf names a commit at least as new, so the clock of the next opening is not
   * before that time, and finds no edge of which one entry went and another one did not.
   */
  private long clockAt(long newest) {
    return Math.min(clock.now(), newest >>> Expiry.STAMP_SHIFT);
  }

  /** The earliest of a time and the clocks of the open snapshots. */
  private long earliestClock(long now) {
    long earliest = now;
    for (AtomicLongArray chunk : chunks.get()) {
      for (int i = 0; i < CHUNK * STRIDE; i += STRIDE) {
        long taken = chunk.get(i + CLOCK);
        long snapshot = chunk.get(i);
        if (snapshot != FREE) {
          long known = taken == 0 ? snapshot >>> Expiry.STAMP_SHIFT : taken;
          earliest = Math.min(earliest, known);
        }
      }
    }
    return earliest;
  }

  /** Those of the snapshots in the slots that the last horizon has not let go of (S4). */
  private long[] registered(long[] open) {
    int kept = 0;
    for (long snapshot : open) {
      if (snapshot >= last.cut() || Arrays.binarySearch(last.snapshots(), snapshot) >= 0) {
        open[kept++] = snapshot;
      }
    }
    return kept == open.length ? open : Arrays.copyOf(open, kept);
  }

  /** Number of open snapshots. */
  public int count() {
    return open().length;
  }

  private long[] open() {
    long[] found = new long[8];
    int count = 0;
    for (AtomicLongArray chunk : chunks.get()) {
      for (int i = 0; i < CHUNK * STRIDE; i += STRIDE) {
        long snapshot = chunk.get(i);
        if (snapshot != FREE) {
          if (count == found.length) {
            found = Arrays.copyOf(found, 2 * count);
          }
          found[count++] = snapshot;
        }
      }
    }
    long[] sorted = Arrays.copyOf(found, count);
    Arrays.sort(sorted);
    return sorted;
  }

  private int claim(long snapshot) {
    int start = (int) Thread.currentThread().getId() & (CHUNK - 1);
    while (true) {
      AtomicLongArray[] now = chunks.get();
      for (int c = 0; c < now.length; c++) {
        for (int i = 0; i < CHUNK; i++) {
          int at = (start + i) & (CHUNK - 1);
          if (now[c].get(at * STRIDE) == FREE
              && now[c].compareAndSet(at * STRIDE, FREE, snapshot)) {
            return c * CHUNK + at;
          }
        }
      }
      AtomicLongArray[] larger = Arrays.copyOf(now, now.length + 1);
      larger[now.length] = newChunk();
      chunks.compareAndSet(now, larger);
    }
  }

  private static AtomicLongArray newChunk() {
    AtomicLongArray chunk = new AtomicLongArray(CHUNK * STRIDE);
    for (int i = 0; i < CHUNK * STRIDE; i += STRIDE) {
      chunk.setPlain(i, FREE);
      chunk.setPlain(i + BORN, NEVER);
    }
    return chunk;
  }
}

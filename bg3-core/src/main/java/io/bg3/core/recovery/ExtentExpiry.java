package io.bg3.core.recovery;

import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.Horizon;
import io.bg3.core.forest.Forest;
import io.bg3.core.table.PageRow;
import io.bg3.core.table.PageTable;
import io.bg3.core.tree.RenewedLeaf;
import io.bg3.core.tree.Tree;
import io.bg3.core.tree.TreeSpace;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.ExtentUsage;
import io.bg3.storage.extent.Location;
import io.bg3.storage.extent.Stream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Frees extents of families in which everything has expired (R46), without moving any of it: the
 * leaves whose images are in them are written anew in memory, empty as a rule, and the extents go
 * with the next manifest.
 *
 * <pre>
 *   round     choose extents │ slice │ slice │ … │ checkpoint: the extents are dead, deleted
 *   slice     next pages: write the leaf anew in memory ({@link RenewedLeaf})
 * </pre>
 *
 * <ul>
 *   <li>X-1: an extent is chosen when its newest entry has expired by the earliest clock of all
 *       snapshots that are open or may be taken.
 *   <li>X-2: this decides nowhere that an extent is dead, as a {@link Reclaimer} does not. A leaf
 *       that is passed over, because there is no memory for it or it cannot be read, keeps its
 *       extent, which a later round chooses again.
 * </ul>
 *
 * <p>Threads: guarded by the {@link RowLock}, but for the figures.
 */
final class ExtentExpiry {
  /** Pages that are written anew in one slice; each may be loaded. */
  private static final int SLICE_PAGES = 256;

  /** Rows that are looked at in one slice. */
  private static final int SLICE_ROWS = 1 << 16;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * How long a round that would free less than one extent waits for the one before: its checkpoint
   * writes what lives into extents that expire soon, too.
   */
  private static final long SMALL_REST_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Extents that expire within this part of their time to live are not emptied by copying. */
  private static final int NEAR_SHARE = 10;

  private final CheckpointSource source;
  private final Forest forest;
  private final TreeSpace space;
  private final PageTable table;
  private final ExtentStore extents;

  /** Extents that have expired, with their families. */
  private Map<Integer, Integer> victims = Map.of();

  /** Of the families of {@link #victims}, the trees that were there when the round met one. */
  private final Map<Integer, Function<PageHeader, Tree>> trees = new HashMap<>();

  private int next;

  // Read by any thread.
  private volatile long looksAt = System.nanoTime();
  private long smallAt = looksAt; // guarded by the lock
  private volatile boolean awaitsCheckpoint;
  private volatile boolean awaitsClock;
  private volatile boolean active;
  private final AtomicLongArray expired = new AtomicLongArray(1 << Byte.SIZE);
  private final AtomicLong rewritten = new AtomicLong();

  ExtentExpiry(OpenedStore store, CheckpointSource source) {
    this.source = source;
    this.forest = store.forest();
    this.space = store.space();
    this.table = space.table();
    this.extents = store.extents();
  }

  /** Whether a round is under way, or it is time to look whether extents have expired. */
  boolean mayHaveWork() {
    return active
        || (!awaitsCheckpoint && forest.families() > 0 && System.nanoTime() - looksAt >= 0);
  }

  /** Whether a round is under way, whose next slice writes leaves anew. */
  boolean isActive() {
    return active;
  }

  /** Whether all leaves of a round are written anew, so that the next checkpoint frees extents. */
  boolean awaitsCheckpoint() {
    return awaitsCheckpoint;
  }

  /** Whether extents have expired by the clock and wait for a commit that is as new. */
  boolean awaitsClock() {
    return awaitsClock;
  }

  /** Extents of a family that have gone because everything in them had expired. */
  long expired(int family) {
    return expired.get(family);
  }

  /** Bytes of leaves that were partly alive and are written again, of all families. */
  long rewrittenBytes() {
    return rewritten.get();
  }

  /** Whether an extent is to be left to its expiry, which is near, and not emptied by copying. */
  static boolean isNear(ExtentUsage usage, Horizon horizon) {
    return usage.family() > 0
        && isOfImages(usage)
        && horizon.nearlyLetsFamily(usage.family(), usage.newest(), NEAR_SHARE);
  }

  private static boolean isOfImages(ExtentUsage usage) {
    return usage.stream() == Stream.BASE || usage.stream() == Stream.DELTA;
  }

  /**
   * Writes some leaves anew, or chooses the extents of a round first.
   *
   * @return whether there is more to do before the next checkpoint
   * @throws IOException if the disk fails
   */
  boolean slice() throws IOException {
    Horizon horizon = source.horizon();
    if (!active) {
      begin(horizon);
      return active;
    }
    int pages = 0;
    int end = Math.min(table.end(), next + SLICE_ROWS);
    for (; next < end && pages < SLICE_PAGES; next++) {
      int family = family(table.row(next));
      if (family > 0 && table.block(next) != PageTable.DEAD) {
        rewritten.addAndGet(Math.max(0, renew(family, next, horizon)));
        pages++;
      }
    }
    if (next >= table.end()) {
      trees.clear();
      active = false;
      awaitsCheckpoint = true;
    }
    return active;
  }

  private long renew(int family, int page, Horizon horizon) {
    Function<PageHeader, Tree> of = trees.computeIfAbsent(family, forest::treesOfPages);
    return RenewedLeaf.renew(space, of, page, horizon);
  }

  /** The family of the extents of this round that have an image of a page; 0 if none has. */
  private int family(PageRow row) {
    int family = family(row.base());
    return family > 0 ? family : family(row.delta());
  }

  private int family(long location) {
    return location == Location.NONE ? 0 : victims.getOrDefault(Location.extent(location), 0);
  }

  private void begin(Horizon horizon) throws IOException {
    long now = System.nanoTime();
    looksAt = now + LOOK_NANOS;
    Map<Integer, Integer> chosen = new HashMap<>();
    long bytes = 0;
    boolean early = false;
    for (ExtentUsage usage : extents.usage()) {
      if (usage.family() > 0 && isOfImages(usage) && hasExpired(usage, horizon)) {
        chosen.put(usage.extent(), usage.family());
        bytes += usage.written();
      } else if (usage.family() > 0 && isOfImages(usage)) {
        early |= source.awaitsClock(usage.family(), usage.newest());
      } else if (usage.family() > 0 && usage.stored() > 0 && usage.live() == 0) {
        extents.sealTail(usage.extent()); // of values: the next checkpoint finds it dead
      }
    }
    awaitsClock = early;
    if (chosen.isEmpty() || (bytes < extents.extentSize() && now - smallAt < 0)) {
      return;
    }
    for (int extent : chosen.keySet()) {
      extents.sealTail(extent);
    }
    victims = chosen;
    smallAt = now + SMALL_REST_NANOS;
    next = 1;
    active = true;
  }

  /** */
  private static boolean hasExpired(ExtentUsage usage, Horizon horizon) {
    return horizon.letsFamily(usage.family(), usage.newest());
  }

  /** Says that a manifest has been written, and what was dead has been deleted. */
  void checkpointed() {
    if (!awaitsCheckpoint) {
      return;
    }
    awaitsCheckpoint = false;
    var left = extents.usage().stream().map(ExtentUsage::extent).collect(Collectors.toSet());
    boolean vain = true;
    for (Map.Entry<Integer, Integer> victim : victims.entrySet()) {
      if (!left.contains(victim.getKey())) {
        expired.incrementAndGet(victim.getValue());
        vain = false;
      }
    }
    victims = Map.of();
    looksAt = System.nanoTime() + (vain ? REST_NANOS : LOOK_NANOS);
  }
}

package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.LargeValueLocations;
import io.bg3.core.page.LeafFormat;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.StoredState;
import io.bg3.storage.Waiting;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.Location;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.UnreadableException;
import io.bg3.storage.memory.MemoryBudget;
import io.bg3.storage.memory.MemoryExceededException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/**
 * Loads pages from storage into memory when a thread needs them, each once for all threads that do.
 *
 * <pre>
 *   reader A                     reader B                  page
 *   meets it, leaves its epoch                             stored
 *   memory, claim                meets it, leaves its epoch
 *   reads base and delta         memory, waits for claim
 *   builds, publishes                                      its block, from now on
 *   lets go of claim             claim: it is there
 *   starts again at the root     starts again at the root
 * </pre>
 *
 * <p><b>Memory</b> is requested before the claim, since a thread that waits for memory may hold
 * nothing; a request that is not granted fails this reader alone. (Replay, which applies what has
 * been acknowledged, overdraws the budget instead, as every application does.) <b>Damage</b>
 * likewise fails only the thread that needs the page: it stays {@link StoredState stored}, and the
 * next thread tries again.
 *
 * <p>A page that was loaded may be evicted again at once. So a reader looks for it anew, and a
 * commit pins it ({@link io.bg3.core.table.Pins}).
 *
 * <p>Threads: any, outside of epochs. {@link #load} and {@link #tryLoad} are called without a latch
 * in hand.
 */
public final class PageLoader {
  /** Pages that share a claim wait for one another; a power of two. */
  private static final int CLAIMS = 1_024;

  /** By how much of the average a page may be larger than its images, before they are read. */
  private static final double GROWTH_MARGIN = 1.5;

  private final TreeSpace space;
  private final PageTable table;
  private final ImageReader reader;
  private final MemoryBudget budget;
  private final Listener listener;
  private final ReentrantLock[] claims = new ReentrantLock[CLAIMS];
  private final LongAdder loads = new LongAdder();
  private final RejoinedLeaf rejoined;
  private volatile Supplier<Horizon> horizon;

  /** Bytes of the images of the pages that were loaded: in extents, and in memory. */
  private final LongAdder storedBytes = new LongAdder();

  private final LongAdder plainBytes = new LongAdder();

  /** How much of a page a thread needs. */
  enum Part {
    /** All of it. */
    ALL,
    /** Of a leaf of edges, all but the values of its base, if there are such. */
    TOPOLOGY,
    /** Its base, for a leaf whose delta is in memory. */
    BASE
  }

  /** Is told what pages refer to, before anybody can change them. */
  public interface Listener {
    /** A page is about to be published, whose stored images refer to these values. */
    void loaded(int page, LargeValueLocations references);

    /**
     * A page is about to leave memory, and nobody can load it before this returns. The latch of the
     * page is held.
     */
    default void evicted(int page) {}
  }

  /**
   * A loader of the pages of a store.
   *
   * @param newest no image that the store was opened with holds a newer stamp, and no snapshot will
   *     be older
   */
  public PageLoader(TreeSpace space, ExtentStore extents, long newest, Listener listener) {
    this.space = space;
    this.table = space.table;
    this.reader = new ImageReader(table, extents);
    this.budget = space.memory.budget();
    Horizon opened = new Horizon(newest, 0, new long[0]);
    this.horizon = () -> opened;
    this.listener = listener;
    this.rejoined = new RejoinedLeaf(space);
    for (int i = 0; i < CLAIMS; i++) {
      claims[i] = new ReentrantLock();
    }
  }

  /**
   * Says by what pages are pruned that are merged when they are loaded, once there are snapshots
   * and pages that were stored since the opening. A version that was pruned in memory may still be
   * in the stored base, and the large value that it refers to be gone: a horizon that is not older
   * than that of the pruning leaves it out again.
   */
  public void pruneBy(Supplier<Horizon> now) {
    horizon = now;
  }

  /** Says that a page leaves memory, before another thread can load it. */
  void evicted(int page) {
    listener.evicted(page);
  }

  /** The sizes that the topology of images has had. For tests. */
  TopologyShare topologies() {
    return reader.topologies();
  }

  /** Adds the sizes of the stored images of a page, if it has any that can be read. */
  void addSizes(int page, ImageSizes sizes) {
    reader.addSizes(page, sizes);
  }

  /** Pages that were loaded so far. */
  public long loads() {
    return loads.sum();
  }

  /**
   * Sees to it that a page is in memory.
   *
   * @throws io.bg3.storage.WouldWaitException if the thread may not read from the disk now (R58)
   * @throws MemoryExceededException if the budget does not suffice
   * @throws CorruptionException if what is stored is damaged
   * @throws UncheckedIOException if it cannot be read
   */
  void load(int page) {
    load(page, Part.ALL);
  }

  /** As {@link #load(int)}, for a thread that needs a part of the page. */
  void load(int page, Part part) {
    load(page, part, Waiting.isForbidden() ? this::takeAtOnce : budget::request);
  }

  /**
   * As {@link #load(int, Part)}, for a thread that does not wait for memory: leaves that nobody
   * needs are evicted for it.
   *
   * @throws MemoryExceededException if there is not enough at once
   */
  void loadWithoutWaiting(int page, Part part) {
    load(page, part, this::takeAtOnce);
  }

  private void takeAtOnce(long bytes) {
    if (!budget.tryRequest(bytes)) {
      throw new MemoryExceededException(
          "no memory at once", budget.settingName(), bytes, budget.used(), budget.limit());
    }
  }

  private void load(int page, Part part, LongConsumer take) {
    Waiting.requireRead();
    long bytes = 0;
    for (long needed = bytes(page); needed > bytes; ) {
      bytes = needed;
      take.accept(bytes);
      try {
        needed = claimAndLoad(page, part, bytes);
      } finally {
        budget.release(bytes);
      }
    }
  }

  /**
   * Loads a page for a caller that must not fail for want of memory: the budget may be overdrawn.
   *
   * @throws CorruptionException if what is stored is damaged
   * @throws UncheckedIOException if it cannot be read
   */
  void loadNow(int page) {
    claimAndLoad(page, Part.ALL, Long.MAX_VALUE);
  }

  /**
   * Loads a page if there is memory for it without waiting, and the thread may read from the disk.
   *
   * @return whether the page is in memory now
   */
  boolean tryLoad(int page) {
    return tryLoad(page, Part.ALL, budget::tryReserve);
  }

  /**
   * Loads a page if there is memory for it without waiting, once leaves that nobody needs have been
   * evicted.
   *
   * @return whether the page is in memory now, or has been for a moment
   */
  boolean tryLoadEvicting(int page) {
    return tryLoadEvicting(page, Part.ALL);
  }

  /** As {@link #tryLoadEvicting(int)}, for a thread that needs a part of the page. */
  boolean tryLoadEvicting(int page, Part part) {
    return tryLoadEvicting(page, part, 0);
  }

  /**
   * As {@link #tryLoadEvicting(int, Part)}, for a thread that waits for memory, but not for long.
   *
   * @param millis how long it waits at most
   */
  boolean tryLoadEvicting(int page, Part part, long millis) {
    return tryLoad(page, part, bytes -> budget.tryRequest(bytes, millis));
  }

  private boolean tryLoad(int page, Part part, LongPredicate take) {
    if (!Waiting.mayRead()) {
      return false;
    }
    long bytes = 0;
    for (long needed = bytes(page); needed > bytes; ) {
      bytes = needed;
      if (!take.test(bytes)) {
        return false;
      }
      try {
        needed = claimAndLoad(page, part, bytes);
      } catch (UnreadableException | UncheckedIOException | MemoryExceededException e) {
        return false; // the thread that needs the page is told
      } finally {
        budget.release(bytes);
      }
    }
    return true;
  }

  /**
   * Loads a page with memory that the caller was granted before, and gives back afterwards.
   *
   * @return the bytes that its images take: if there are more than were granted, it was not loaded;
   *     0 if the page was there
   * @throws CorruptionException if what is stored is damaged
   * @throws UncheckedIOException if it cannot be read
   */
  long loadGranted(int page, Part part, long granted) {
    return claimAndLoad(page, part, granted);
  }

  /**
   * Loads a page if its images take no more than the bytes that the budget granted.
   *
   * @return what they take; 0 if the page was there
   */
  private long claimAndLoad(int page, Part part, long granted) {
    assert !space.epochs.inside() : "R12: page=" + page;
    int ticket = space.busy.enter();
    try {
      return loadClaimed(page, part, granted);
    } finally {
      space.busy.exit(ticket);
    }
  }

  private long loadClaimed(int page, Part asked, long granted) {
    Part part = space.keepsLeavesWhole() ? Part.ALL : asked;
    ReentrantLock claim = claims[page & (CLAIMS - 1)];
    claim.lock();
    try {
      while (isMissing(table.block(page), part)) {
        boolean rejoins = rejoined.isWanted(page);
        ImageReader.Images images = reader.read(page, rejoins ? Part.BASE : part);
        long bytes = images.bytes();
        storedBytes.add(images.storedBytes());
        plainBytes.add(bytes);
        if (bytes > granted || publish(page, built(page, images, part), rejoins)) {
          return bytes;
        }
      }
      return 0;
    } finally {
      claim.unlock();
    }
  }

  /** The page in blocks; as a whole where a part of it does not suffice. */
  private long built(int page, ImageReader.Images images, Part part) {
    long block = build(page, images, part);
    if (block != 0 && images.isPart()) {
      reader.topologies().worked();
    }
    return block != 0 ? block : build(page, reader.whole(page, images), Part.ALL);
  }

  private static boolean isMissing(long state, Part part) {
    return StoredState.isStored(part == Part.TOPOLOGY ? StoredState.topology(state) : state);
  }

  /**
   * Publishes a page.
   *
   * @param rejoins whether it is a base that belongs under the delta that the page has in memory
   * @return false if it has to be loaded in another way: the delta has been evicted
   */
  private boolean publish(int page, long block, boolean rejoins) {
    if (space.lacksValues(block)) { // then it refers to no large value
      publishTopology(page, block);
    } else if (!rejoins) {
      publishAll(page, block);
    } else if (!rejoin(page, block)) {
      return false;
    }
    loads.increment();
    return true;
  }

  /**
   * The topology and the delta of such a leaf refer to no large value, but its stored base may: it
   * has older versions and expired entries that the base in memory was rid of.
   */
  private boolean rejoin(int page, long base) {
    LargeValueLocations references;
    try {
      references = references(base);
    } catch (RuntimeException | Error e) {
      space.free(base);
      throw e;
    }
    return rejoined.publish(page, base, () -> listener.loaded(page, references));
  }

  private void publishAll(int page, long block) {
    try {
      listener.loaded(page, references(block));
    } catch (RuntimeException | Error e) {
      space.free(block);
      throw e;
    }
    table.latch(page);
    try {
      long before = table.block(page);
      table.publishLoaded(page, block);
      if (StoredState.hasTopology(before)) {
        space.retireTopology(StoredState.topology(before));
      }
    } finally {
      table.unlatch(page);
    }
  }

  private void publishTopology(int page, long block) {
    table.latch(page);
    try {
      table.publishTopology(page, block);
    } finally {
      table.unlatch(page);
    }
  }

  /**
   * Reads a stored page into blocks that nobody else sees. For {@link #load}, and for checking
   * without keeping: then the caller frees them.
   *
   * <p>Entries of a leaf that are in memory over its topology are in the copy as well. The stored
   * delta of such a leaf is read only to find damage.
   */
  long read(int page) {
    while (rejoined.isWanted(page)) {
      verifyDelta(page);
      long block = readJoined(page);
      if (block != 0) {
        return block;
      }
    }
    return readStored(page);
  }

  private void verifyDelta(int page) {
    if (table.delta(page) != Location.NONE) {
      space.free(readStored(page));
    }
  }

  private long readStored(int page) {
    return build(page, reader.read(page, Part.ALL), Part.ALL);
  }

  /** Reads the base of a page and joins its delta in memory; 0 if that has been evicted. */
  private long readJoined(int page) {
    long base = build(page, reader.read(page, Part.BASE), Part.ALL);
    long block = 0;
    try {
      block = rejoined.join(page, base);
      return block;
    } finally {
      if (block == 0) {
        space.free(base);
      }
    }
  }

  /** Makes the block of a page; 0 if all of its images is needed and was not read. */
  private long build(int page, ImageReader.Images images, Part part) {
    ByteBuffer base = images.base().payload();
    String source = images.source();
    int kind = images.base().kind();
    long block =
        kind == PageHeader.INNER ? space.inner.load(base, source) : leaf(kind, images, part);
    if (block == 0) {
      return 0;
    }
    int found = space.header(block).pageId();
    if (found != page) {
      space.free(block);
      throw new CorruptionException(source, 0, "page " + page, "page " + found);
    }
    return block;
  }

  private long leaf(int kind, ImageReader.Images images, Part part) {
    LeafFormat format = space.leaf(kind);
    ByteBuffer base = images.base().payload();
    return part == Part.TOPOLOGY && kind == PageHeader.EDGE_LEAF
        ? format.loadTopology(base, images.delta(), space.consolidate, images.source())
        : format.load(base, images.delta(), space.consolidate, horizon.get(), images.source());
  }

  /**
   * The large values that the images of a page refer to, once it has been {@linkplain #read read}.
   */
  LargeValueLocations references(long block) {
    int kind = space.header(block).kind();
    return kind == PageHeader.INNER ? LargeValueLocations.NONE : space.leaf(kind).references(block);
  }

  /**
   * About what a page takes of memory, by how much larger than their images others were; the images
   * tell it exactly. Too much is better than too little, which takes a second read.
   */
  long bytes(int page) {
    long stored = ImageReader.recordBytes(table.row(page));
    long all = storedBytes.sum();
    double growth = all == 0 ? 0 : Math.max(0, (double) plainBytes.sum() / all - 1);
    return stored + (long) (stored * growth * GROWTH_MARGIN);
  }
}

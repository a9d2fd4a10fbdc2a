package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import io.bg3.core.block.PageImage;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.LargeValueLocations;
import io.bg3.core.page.LeafFormat;
import io.bg3.core.table.PageRow;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.StoredState;
import io.bg3.storage.Waiting;
import io.bg3.storage.extent.ExtentRecord;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.Location;
import io.bg3.storage.extent.NoSuchExtentException;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.UnreadableException;
import io.bg3.storage.memory.MemoryBudget;
import io.bg3.storage.memory.MemoryExceededException;
import java.io.IOException;
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

  /** Images of both kinds of a page of the default capacity fit with room to spare. */
  private static final int LEAST_BUFFER = 64 << 10;

  /** Enough for pages of the largest capacity; larger images are read through the heap. */
  private static final int MOST_BUFFER = 512 << 10;

  /**
   * The buffer through which a thread reads images: outside of the heap, where the kernel puts
   * bytes without another copy, and where the views of pages look at all other bytes too.
   */
  private static final ThreadLocal<ByteBuffer> BUFFERS =
      ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(LEAST_BUFFER));

  private final TreeSpace space;
  private final PageTable table;
  private final ExtentStore extents;
  private final MemoryBudget budget;
  private final Listener listener;
  private final ReentrantLock[] claims = new ReentrantLock[CLAIMS];
  private final LongAdder loads = new LongAdder();
  private final TopologyShare topologies = new TopologyShare();
  private volatile Supplier<Horizon> horizon;

  /** Bytes of the images of the pages that were loaded: in extents, and in memory. */
  private final LongAdder storedBytes = new LongAdder();

  private final LongAdder plainBytes = new LongAdder();

  /** How much of a page a thread needs. */
  enum Part {
    /** All of it. */
    ALL,
    /** Of a leaf of edges, all but the values of its base, if there are such. */
    TOPOLOGY
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
    this.extents = extents;
    this.budget = space.memory.budget();
    Horizon opened = new Horizon(newest, 0, new long[0]);
    this.horizon = () -> opened;
    this.listener = listener;
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

  /** What is known of the topology in images. For tests. */
  TopologyShare topologies() {
    return topologies;
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
    return tryLoad(page, budget::tryReserve);
  }

  /**
   * Loads a page if there is memory for it without waiting, once leaves that nobody needs have been
   * evicted.
   *
   * @return whether the page is in memory now, or has been for a moment
   */
  boolean tryLoadEvicting(int page) {
    return tryLoad(page, budget::tryRequest);
  }

  private boolean tryLoad(int page, LongPredicate take) {
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
        needed = claimAndLoad(page, Part.ALL, bytes);
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
      if (!isMissing(table.block(page), part)) {
        return 0;
      }
      Images images = images(page, part);
      storedBytes.add(images.storedBytes());
      plainBytes.add(images.bytes());
      if (images.bytes() <= granted) {
        long block = build(page, images, part);
        if (block != 0 && images.isPart()) {
          topologies.worked();
        }
        publish(page, block != 0 ? block : build(page, whole(page, images), Part.ALL));
      }
      return images.bytes();
    } finally {
      claim.unlock();
    }
  }

  private static boolean isMissing(long state, Part part) {
    return StoredState.isStored(part == Part.TOPOLOGY ? StoredState.topology(state) : state);
  }

  private void publish(int page, long block) {
    if (space.lacksValues(block)) { // then it refers to no large value
      publishTopology(page, block);
    } else {
      publishAll(page, block);
    }
    loads.increment();
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
   * <p>An extent that is not there is damage only if the page's row still names it: the row may
   * have changed, and the extent been deleted, between reading the one and opening the other.
   */
  long read(int page) {
    return build(page, images(page, Part.ALL), Part.ALL);
  }

  /**
   * The stored images of a page, valid until the thread reads others.
   *
   * @param base all of it, or up to its topology's end or further
   */
  private record Images(ExtentRecord base, ByteBuffer delta, String source) {
    /** Whether only the beginning of the base was read. */
    boolean isPart() {
      return base.payload().remaining() < PageImage.storedBytes(base.payload());
    }

    /** Bytes of the images in extents. */
    long storedBytes() {
      return PageImage.storedBytes(base.payload()) + (delta == null ? 0 : delta.remaining());
    }

    /** Bytes that the images take in memory. */
    long bytes() {
      return PageImage.plainBytes(base.payload())
          + (delta == null ? 0 : PageImage.plainBytes(delta));
    }
  }

  private Images images(int page, Part part) {
    while (true) {
      PageRow row = table.row(page);
      String source = "page " + page + " at " + Location.toString(row.base());
      try {
        return images(row, part, source);
      } catch (NoSuchExtentException e) {
        if (row.equals(table.row(page))) {
          CorruptionException damage =
              new CorruptionException(
                  source, 0, "an extent that the manifest names", e.getMessage());
          damage.addSuppressed(e);
          throw damage;
        }
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read " + source, e);
      }
    }
  }

  /** Adds the sizes of the stored images of a page, if it has any that can be read. */
  void addSizes(int page, ImageSizes sizes) {
    PageRow row = table.row(page);
    if (row.base() == Location.NONE) {
      return;
    }
    try {
      Images images = images(row, Part.ALL, "page " + page);
      sizes.add(Stream.BASE, images.base.payload());
      if (images.delta != null) {
        sizes.add(Stream.DELTA, images.delta);
      }
    } catch (NoSuchExtentException | UnreadableException | IOException e) {
      return; // moved meanwhile, or damaged
    }
  }

  private Images images(PageRow row, Part part, String source) throws IOException {
    ByteBuffer buffer = buffer(recordBytes(row));
    ExtentRecord stored =
        part == Part.TOPOLOGY
            ? topologyImage(row.base(), buffer)
            : counted(extents.read(row.base(), buffer));
    boolean isPlain = row.delta() == Location.NONE;
    ByteBuffer over = isPlain ? null : deltaImage(row.delta(), buffer, row.base());
    return new Images(stored, over, source);
  }

  /**
   * Reads the image of a base up to the end of its topology, if it is one of a leaf of edges. How
   * far that is, only the image tells; so this reads as far as the topology of most others went,
   * and reads again where that was not far enough.
   */
  private ExtentRecord topologyImage(long location, ByteBuffer buffer) throws IOException {
    long all = Location.bytes(location);
    int guess = topologies.guess(all);
    ExtentRecord first = extents.readFirst(location, guess, buffer);
    if (first == null) {
      ReadTally.ofThread().addDeviceReads(1, guess);
      topologies.refused();
      return counted(extents.read(location, buffer));
    }
    ByteBuffer image = counted(first).payload();
    long needed = PageImage.storedBytes(image);
    if (first.kind() == PageHeader.EDGE_LEAF) {
      needed = PageImage.topologyBytes(image);
      topologies.add(needed, all);
    }
    return needed <= image.remaining()
        ? first
        : counted(extents.readFirst(location, (int) Math.min(needed, all), buffer));
  }

  /** The images of a page that cannot be loaded without its values: all of them. */
  private Images whole(int page, Images part) {
    if (!part.isPart()) {
      return part;
    }
    topologies.refused();
    try {
      // the image of the delta is behind the place of the whole base in the buffer
      ExtentRecord base = counted(extents.read(part.base.location(), BUFFERS.get().clear()));
      return new Images(base, part.delta, part.source);
    } catch (NoSuchExtentException e) {
      return images(page, Part.ALL); // moved meanwhile
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + part.source, e);
    }
  }

  private static ExtentRecord counted(ExtentRecord read) {
    ReadTally.ofThread().addDeviceReads(1, read.payload().remaining());
    return read;
  }

  /** The thread's buffer, with room for so many bytes if they are not too many. */
  private static ByteBuffer buffer(long bytes) {
    ByteBuffer buffer = BUFFERS.get();
    if (bytes > buffer.capacity() && bytes <= MOST_BUFFER) {
      buffer = ByteBuffer.allocateDirect(Integer.highestOneBit((int) bytes - 1) << 1);
      BUFFERS.set(buffer);
    }
    return buffer.clear();
  }

  private static long recordBytes(PageRow row) {
    return Location.bytes(row.base())
        + (row.delta() == Location.NONE ? 0 : Location.bytes(row.delta()));
  }

  private ByteBuffer deltaImage(long delta, ByteBuffer buffer, long base) throws IOException {
    buffer.position((int) Math.min(buffer.limit(), Location.bytes(base)));
    return counted(extents.read(delta, buffer)).payload();
  }

  /** Makes the block of a page; 0 if all of its images is needed and was not read. */
  private long build(int page, Images images, Part part) {
    ByteBuffer base = images.base.payload();
    String source = images.source;
    int kind = images.base.kind();
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

  private long leaf(int kind, Images images, Part part) {
    LeafFormat format = space.leaf(kind);
    ByteBuffer base = images.base.payload();
    return part == Part.TOPOLOGY && kind == PageHeader.EDGE_LEAF
        ? format.loadTopology(base, images.delta, space.consolidate, images.source)
        : format.load(base, images.delta, space.consolidate, horizon.get(), images.source);
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
    long stored = recordBytes(table.row(page));
    long all = storedBytes.sum();
    double growth = all == 0 ? 0 : Math.max(0, (double) plainBytes.sum() / all - 1);
    return stored + (long) (stored * growth * GROWTH_MARGIN);
  }
}

package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import io.bg3.core.page.InnerFormat;
import io.bg3.core.page.LeafFormat;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.Pins;
import io.bg3.core.table.StoredState;
import io.bg3.core.value.LargeValueCache;
import io.bg3.storage.codec.Compressor;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.Epochs;
import java.util.concurrent.Executor;

/**
 * The resources that all trees of a store share: the page table, the memory their pages live in,
 * and how large pages may grow.
 */
public final class TreeSpace implements AutoCloseable {
  final PageTable table;
  final Pins pins = new Pins();
  final BlockMemory memory;
  final Epochs epochs;

  /**
   * Entered by threads that load or change pages while no reader's epoch protects them. Only {@link
   * #close} waits for it, so I/O and locks are allowed inside.
   */
  final Epochs busy = new Epochs();

  final HeavyOwners heavy = new HeavyOwners();
  final BarrenLeaves barren = new BarrenLeaves();
  final DeferredMaintenance putOff = new DeferredMaintenance();
  final InnerFormat inner;
  final LeafFormat edges;
  final LeafFormat bytes;
  final LeafHints hints;
  final NotedCounts counts;
  final DirtyPages dirtyPages;
  final LargeValueCache largeValues;
  final int capacity;
  final int consolidate;

  /** Each stream has a compressor for its images. */
  private Compressor baseImages = Compressor.none();

  private Compressor deltaImages = Compressor.none();

  /** Whether a leaf is in memory as a whole or not at all. */
  private boolean keepsLeavesWhole;

  /** Null in a space without extents. */
  private PageLoader loader;

  /** Of pages of {@link #loader}; null without one. */
  private GroupLoader groups;

  private GroupReads groupReads = new GroupReads(Runnable::run, 1);

  private final FlushedPages flushed = new FlushedPages();

  /**
   * A space without trees.
   *
   * @param capacity bytes of a page; a larger one is split
   * @param consolidate entries that a delta may hold
   */
  public TreeSpace(
      PageTable table, BlockMemory memory, Epochs epochs, int capacity, int consolidate) {
    this.table = table;
    this.memory = memory;
    this.epochs = epochs;
    this.capacity = capacity;
    this.consolidate = consolidate;
    this.inner = new InnerFormat(memory);
    this.edges = LeafFormat.edges(memory);
    this.bytes = LeafFormat.bytes(memory);
    this.hints = new LeafHints(memory.budget());
    this.counts = new NotedCounts(this);
    this.largeValues = new LargeValueCache(memory, epochs);
    this.dirtyPages = new DirtyPages(table, memory, largeValues, capacity);
  }

  /** The memory that the pages live in. */
  public BlockMemory memory() {
    return memory;
  }

  /** The page table of all trees. */
  public PageTable table() {
    return table;
  }

  /** Sets what compresses the images of pages; once, before any is written. */
  public void compressBy(Compressor base, Compressor delta) {
    baseImages = base;
    deltaImages = delta;
  }

  /** Compresses the images of bases. */
  Compressor baseImages() {
    return baseImages;
  }

  /** Compresses the images of deltas. */
  Compressor deltaImages() {
    return deltaImages;
  }

  /**
   * Has leaves of edges loaded and evicted with their values always, instead of topology first
   * (R31); once, before anybody reads. It is what topology first is measured against.
   */
  public void keepLeavesWhole() {
    keepsLeavesWhole = true;
  }

  /** Whether leaves of edges are never in memory without their values. */
  boolean keepsLeavesWhole() {
    return keepsLeavesWhole;
  }

  /** Says who loads pages that are in storage; once, before anybody reads. */
  public void loadBy(PageLoader pages) {
    loader = pages;
    loadTogether(Runnable::run, 1);
  }

  /**
   * Says how many pages or large values one group of reads reads at the same time; behind {@link
   * #loadBy}, and before there are groups.
   *
   * @param helpers the threads that load them beside the one that reads
   */
  public void loadTogether(Executor helpers, int reads) {
    groupReads = new GroupReads(helpers, reads);
    groups = new GroupLoader(loader, memory.budget(), groupReads);
  }

  /** The loader of several pages at once. */
  GroupLoader groups() {
    return groups;
  }

  /** The reads of groups. */
  public GroupReads groupReads() {
    return groupReads;
  }

  /** The owners that were noticed to have many entries in a shared tree. */
  public HeavyOwners heavyOwners() {
    return heavy;
  }

  /** The leaves that scans have found nothing to read in. */
  public BarrenLeaves barrenLeaves() {
    return barren;
  }

  /** The pins by which commits keep leaves in memory. */
  public Pins pins() {
    return pins;
  }

  /** The loader of pages that are in storage only. */
  public PageLoader loader() {
    return loader;
  }

  /** The large values in memory, which take what the pages leave of the budget. */
  public LargeValueCache largeValues() {
    return largeValues;
  }

  /** How much memory the pages take that differ from what is stored. */
  public DirtyPages dirtyPages() {
    return dirtyPages;
  }

  /** The epochs, which keep blocks from being reused while a thread reads them. */
  public Epochs epochs() {
    return epochs;
  }

  /**
   * Ends all use of the pages: waits for the threads that read, load or settle pages; those that
   * come later get an IllegalStateException. Only then may memory and extents be closed. The tables
   * of owners are given back to the heap.
   */
  @Override
  public void close() {
    busy.close();
    epochs.close();
    hints.end();
    counts.end();
  }

  PageHeader header(long block) {
    return new PageHeader(memory).wrap(block);
  }

  /** Bytes of memory of a page: its block, the base under that, and their values. */
  long bytes(long block) {
    PageHeader header = header(block);
    long base = header.isDelta() ? header.base() : 0;
    return bytes(block, header) + (base == 0 ? 0 : bytes(base, header(base)));
  }

  private long bytes(long block, PageHeader header) {
    long values = header.valueBlock();
    return (long) memory.capacity(block) + (values == 0 ? 0 : memory.capacity(values));
  }

  LeafFormat leaf(int kind) {
    return kind == PageHeader.EDGE_LEAF ? edges : bytes;
  }

  /**
   * The noted block of a page, which a flush reads from now on: it stays where it is until the note
   * ends. {@link FlushedPages#MOST} pages at a time. The latch is held.
   */
  long takeNoted(int page) {
    assert table.isLatched(page) : page;
    flushed.add(page);
    return table.noted(page);
  }

  /**
   * Whether a flush is going to read the page's block by the note, and does not do so yet. The
   * latch is held.
   */
  boolean isNoteMovable(int page) {
    return !flushed.contains(page) && table.noted(page) == StoredState.topology(table.block(page));
  }

  /**
   * Gives back a block that was just replaced, unless it is the one that a checkpoint has noted of
   * the page or the base under that: {@link #unnote} gives those back. The latch is held.
   */
  void retire(int page, long block) {
    assert table.isLatched(page) : page;
    long noted = table.noted(page);
    if (noted == 0 || (block != noted && block != header(noted).base())) {
      retireNow(block);
    }
  }

  /**
   * Ends the note of a page, whose block is written, and gives back what of that block and the base
   * under it has been replaced meanwhile. The latch is held.
   */
  void unnote(int page) {
    long noted = table.noted(page);
    long base = header(noted).base();
    long newest = StoredState.topology(table.block(page));
    long newestBase = PageTable.isBlock(newest) ? header(newest).base() : 0;
    table.unnote(page);
    flushed.remove(page);
    if (noted != newest && noted != newestBase) {
      retireNow(noted);
    }
    if (base != 0 && base != newest && base != newestBase) {
      retireNow(base);
    }
  }

  /** Gives back a page's newest block, and the base under it, that nobody has ever seen. */
  void free(long block) {
    PageHeader header = header(block);
    int kind = header.kind();
    long base = header.base();
    if (kind == PageHeader.INNER) {
      inner.free(block);
      return;
    }
    leaf(kind).free(block);
    if (base != 0) {
      leaf(kind).free(base);
    }
  }

  /** Whether a page's block, or the base under it, has values that were not loaded with it. */
  boolean lacksValues(long block) {
    PageHeader header = header(block);
    PageHeader base = header.base() == 0 ? header : header(header.base());
    return base.ownsValues() && base.valueBlock() == 0;
  }

  /** Gives back the values of a page's base when the readers of now are gone. */
  void retireValues(long block) {
    long base = header(block).base();
    epochs.retire(header(base == 0 ? block : base).valueBlock(), memory);
  }

  /**
   * Gives back a page's newest block, and the base under it, whose values are not there, when the
   * readers of now are gone.
   */
  void retireTopology(long block) {
    long base = header(block).base();
    epochs.retire(block, memory);
    if (base != 0) {
      epochs.retire(base, memory);
    }
  }

  /** Gives back a block when the readers of now are gone. */
  void retireNow(long block) {
    int kind = header(block).kind();
    if (kind == PageHeader.INNER) {
      inner.retire(block, epochs);
    } else {
      leaf(kind).retire(block, epochs);
    }
  }
}

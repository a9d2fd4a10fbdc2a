package io.bg3.core.tree;

import io.bg3.core.page.InnerFormat;
import io.bg3.core.page.LeafFormat;
import io.bg3.core.page.PageHeader;
import io.bg3.core.table.PageTable;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.Epochs;

/**
 * What all trees of a store share: the page table, the memory their pages live in, and how large
 * pages may grow.
 */
public final class TreeSpace {
  final PageTable table;
  final BlockMemory memory;
  final Epochs epochs;
  final InnerFormat inner;
  final LeafFormat edges;
  final LeafFormat bytes;
  final int capacity;
  final int consolidate;

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
  }

  /** The page table of all trees. */
  public PageTable table() {
    return table;
  }

  /**
   * Loads the stored images of a page into memory and publishes them; for opening a store.
   *
   * @return locations of the values that the page refers to
   * @throws CorruptionException if the images are not those of this page
   */
  public long[] load(PageImages images) {
    int kind = images.kind();
    long block;
    if (kind == PageHeader.INNER) {
      block = inner.load(images.base(), images.source());
    } else {
      block = leaf(kind).loadBase(images.base(), images.source());
      if (images.delta() != null) {
        block = leaf(kind).loadDelta(images.delta(), block, images.source());
      }
    }
    if (header(block).pageId() != images.page()) {
      throw new CorruptionException(
          images.source(), 0, "page " + images.page(), "page " + header(block).pageId());
    }
    table.publish(images.page(), block);
    return kind == PageHeader.INNER ? new long[0] : leaf(kind).locations(block);
  }

  /** What keeps blocks from being reused while somebody reads them. */
  public Epochs epochs() {
    return epochs;
  }

  PageHeader header(long block) {
    return new PageHeader(memory).wrap(block);
  }

  LeafFormat leaf(int kind) {
    return kind == PageHeader.EDGE_LEAF ? edges : bytes;
  }

  /**
   * Gives back a block that was just replaced, or leaves it to the checkpoint that noted the page.
   * The latch is held.
   */
  void retire(int page, long block) {
    assert table.isLatched(page) : page;
    if (!table.keepIfNoted(page, block)) {
      retireNow(block);
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

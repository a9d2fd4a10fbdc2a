package io.bg3.core.page;

import io.bg3.core.block.RunPrefetch;
import io.bg3.core.block.ValuePrefetch;
import io.bg3.storage.memory.BlockMemory;

/**
 * The run of an owner's neighbours in which a look-up found its key, for the hint of the next
 * look-up of that owner. Belongs to one thread.
 */
public final class FoundRun {
  private EdgeLeaf leaf;
  private BlockMemory memory;
  private long lines;
  private long expected;
  private float part;

  /**
   * Says where the key is expected.
   *
   * @param linesThen the lines that the last look-up has read, see {@link #lines}; none if that is
   *     not known
   * @param partBefore of the run that is before the key, as {@link ValuePrefetch#part} gives it
   */
  public void expect(long linesThen, float partBefore) {
    expected = linesThen;
    part = partBefore;
  }

  long expected() {
    return expected;
  }

  float part() {
    return part;
  }

  /** Says in which block, which is placed, the key was found, and where that is. */
  void set(LeafBlock block, long address, BlockMemory from) {
    leaf = block instanceof EdgeLeaf edges && !edges.isDelta() ? edges : null;
    memory = from;
    lines = leaf == null ? RunPrefetch.NONE : leaf.lines(address, leaf.runFound());
  }

  /** The {@link RunPrefetch} that the look-up read; none if it ended in a delta. */
  public long lines() {
    return lines;
  }

  /**
   * The {@link ValuePrefetch} of the run of {@link #lines}, which are not none; never unknown. To
   * be asked in the epoch of the look-up.
   */
  public long valueLines() {
    if (!leaf.ownsValueBlock()) {
      return ValuePrefetch.NONE;
    }
    int run = leaf.runFound();
    return leaf.values(memory).lines(leaf.valuesAddress(), leaf.start(run), leaf.start(run + 1));
  }

  /** Between which neighbours those values are. */
  public long span() {
    int run = leaf.runFound();
    return ValuePrefetch.span(leaf.other(leaf.start(run)), leaf.other(leaf.start(run + 1) - 1));
  }
}

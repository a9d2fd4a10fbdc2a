package io.bg3.core.page;

import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.Epochs;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * What can be done with an inner page: children, and the separators between them.
 *
 * <p>Child {@code i} holds the keys at or above separator {@code i - 1} (the low fence for the
 * first) and below separator {@code i} (the high fence for the last). An inner page has no delta,
 * no stamps and no ops; a change writes it anew.
 *
 * <p>Threads: as {@link LeafFormat}.
 */
@SuppressWarnings("DoNotCallSuggester") // bodies follow
public final class InnerFormat {
  private final BlockMemory memory;

  /** Inner pages in this memory. */
  public InnerFormat(BlockMemory memory) {
    this.memory = memory;
  }

  /** Page id of the child whose range holds the key. */
  public int child(long block, byte[] key) {
    throw unfinished();
  }

  /**
   * Page id of the child whose range holds the keys just below a bound: the way of a backward scan.
   *
   * @param bound null for the last child
   */
  public int childBelow(long block, byte[] bound) {
    throw unfinished();
  }

  /** Number of children, at least 1. */
  public int count(long block) {
    throw unfinished();
  }

  /** Page id of the child at an index. */
  public int childAt(long block, int index) {
    throw unfinished();
  }

  /** All children, a new array. */
  public int[] children(long block) {
    throw unfinished();
  }

  /** All separators, one fewer than children; a new list that may be changed. */
  public List<byte[]> separators(long block) {
    throw unfinished();
  }

  /**
   * Writes an inner page.
   *
   * @param level 1 if the children are leaves
   * @param separators ascending, inside the fences
   * @param children one more than separators
   */
  public long write(PageFrame frame, int level, List<byte[]> separators, int[] children) {
    throw unfinished();
  }

  /** Bytes of a page with these separators, to be compared with the capacity. */
  public int bytes(List<byte[]> separators) {
    throw unfinished();
  }

  /** Frees the block at once. */
  public void free(long block) {
    memory.free(block);
  }

  /** Frees the block when the readers of now are gone. */
  public void retire(long block, Epochs epochs) {
    epochs.retire(block, memory);
  }

  /** The image of the page, on the heap. */
  public ByteBuffer[] image(long block) {
    throw unfinished();
  }

  /**
   * Loads an image into memory.
   *
   * @param source where the image comes from, for messages
   * @throws io.bg3.storage.format.CorruptionException if the image is not what {@link #image} wrote
   */
  public long load(ByteBuffer image, String source) {
    throw unfinished();
  }

  /**
   * Checks the numbered invariants.
   *
   * @throws AssertionError naming the first that does not hold
   */
  public void check(long block) {
    throw unfinished();
  }

  /** The page in words. */
  public String print(long block) {
    throw unfinished();
  }

  private static UnsupportedOperationException unfinished() {
    return new UnsupportedOperationException();
  }
}

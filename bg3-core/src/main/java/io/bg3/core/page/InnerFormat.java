package io.bg3.core.page;

import io.bg3.core.block.ByteKeysWriter;
import io.bg3.core.block.DecodeBuffers;
import io.bg3.core.block.PageFrame;
import io.bg3.core.block.PageHeader;
import io.bg3.core.block.PageImage;
import io.bg3.core.entry.Bytes;
import io.bg3.storage.codec.Compressor;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.Epochs;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The operations on an inner page: its children, and the separators between them.
 *
 * <p>Child {@code i} holds the keys at or above separator {@code i - 1} (the low fence for the
 * first) and below separator {@code i} (the high fence for the last). An inner page has no delta,
 * no stamps and no ops; a change writes it anew.
 *
 * <p>Threads: as {@link LeafFormat}.
 */
public final class InnerFormat {
  private final BlockMemory memory;

  /** Inner pages in this memory. */
  public InnerFormat(BlockMemory memory) {
    this.memory = memory;
  }

  /** Page id of the child whose range holds the key. */
  public int child(long block, byte[] key) {
    return child(view(block), key);
  }

  /** As {@link #child(long, byte[])}, through the view of a thread. */
  public int child(long block, byte[] key, PageViews views) {
    return child(views.inner().place(memory.slab(block), BlockMemory.offset(block)), key);
  }

  private static int child(InnerBlock inner, byte[] key) {
    return inner.child(indexOf(inner, key));
  }

  /** Index of the child whose range holds the key. */
  public int indexOf(long block, byte[] key) {
    return indexOf(view(block), key);
  }

  private static int indexOf(InnerBlock inner, byte[] key) {
    int above = inner.separators().find(key);
    boolean onSeparator = above < inner.count && inner.separators().hasKey(above, key);
    return onSeparator ? above + 1 : above;
  }

  /** Where the range of the child at an index ends; null if it is the last one of the tree. */
  public byte[] end(long block, int index) {
    InnerBlock inner = view(block);
    return index < inner.count
        ? inner.separators().key(index)
        : new PageHeader(memory).wrap(block).high();
  }

  /**
   * Page id of the child whose range holds the keys just below a bound: the way of a backward scan.
   *
   * @param bound null for the last child
   */
  public int childBelow(long block, byte[] bound) {
    InnerBlock inner = view(block);
    return inner.child(bound == null ? inner.count : inner.separators().find(bound));
  }

  /** Number of children, at least 1. */
  public int count(long block) {
    return view(block).count + 1;
  }

  /** Page id of the child at an index. */
  public int childAt(long block, int index) {
    InnerBlock inner = view(block);
    if (index < 0 || index > inner.count) {
      throw new IllegalArgumentException(
          "no such child: index=" + index + ", separators=" + inner.count);
    }
    return inner.child(index);
  }

  /** All children, a new array. */
  public int[] children(long block) {
    InnerBlock inner = view(block);
    int[] children = new int[inner.count + 1];
    for (int i = 0; i < children.length; i++) {
      children[i] = inner.child(i);
    }
    return children;
  }

  /** All separators, one fewer than children; a new list that may be changed. */
  public List<byte[]> separators(long block) {
    InnerBlock inner = view(block);
    List<byte[]> separators = new ArrayList<>(inner.count + 1);
    for (int i = 0; i < inner.count; i++) {
      separators.add(inner.separators().key(i));
    }
    return separators;
  }

  /**
   * Writes an inner page.
   *
   * @param level 1 if the children are leaves
   * @param separators ascending, inside the fences
   * @param children one more than separators
   */
  public long write(PageFrame frame, int level, List<byte[]> separators, int[] children) {
    InnerWriter writer = new InnerWriter(frame, level, separators.toArray(new byte[0][]), children);
    long block = memory.allocateFixed(writer.length());
    writer.write(memory.slab(block), BlockMemory.offset(block));
    return block;
  }

  /**
   * Writes an inner page with one separator and the child behind it more.
   *
   * @param separator inside the fences, not there yet
   * @param capacity of a page
   * @return 0 if it is too large then, or the general way has to be taken; nothing is written
   */
  public long insert(long block, byte[] separator, int child, int capacity) {
    InnerInsert insert = new InnerInsert(view(block), separator, child);
    if (!insert.isPossible() || insert.bytes() > capacity) {
      return 0;
    }
    long wider = memory.allocateFixed(insert.length());
    insert.write(memory.slab(wider), BlockMemory.offset(wider));
    return wider;
  }

  /** Bytes of a page with these separators, to be compared with the capacity. */
  public int bytes(List<byte[]> separators) {
    int bytes = SplitPoints.OVERHEAD + 2 * Integer.BYTES;
    for (int cost : ByteKeysWriter.costs(separators.toArray(new byte[0][]), 0, separators.size())) {
      bytes = Math.addExact(bytes, cost + Integer.BYTES);
    }
    return bytes;
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
  public ByteBuffer[] image(long block, Compressor compressor) {
    InnerBlock inner = view(block);
    ByteBuffer topology = PageImage.part(inner.length);
    topology.put(0, inner.slab, inner.at, inner.length);
    return PageImage.write(PageHeader.INNER, topology, inner.columns(), null, null, compressor);
  }

  /**
   * Loads an image into memory.
   *
   * @param image from its position on, to its limit
   * @param source where the image comes from, for messages
   * @throws CorruptionException if the image is not what {@link #image} wrote
   */
  public long load(ByteBuffer image, String source) {
    ByteBuffer topology =
        PageImage.load(
                image, PageHeader.INNER, source, DecodeBuffers.ofThread(), InnerFormat::check)
            .topology();
    long block = memory.allocateFixed(topology.capacity());
    memory.slab(block).put(BlockMemory.offset(block), topology, 0, topology.capacity());
    return block;
  }

  /**
   * Checks the numbered invariants.
   *
   * @throws AssertionError naming the first that does not hold
   */
  public void check(long block) {
    try {
      new InnerCheck(view(block)).run();
    } catch (CorruptionException e) {
      throw new AssertionError(e.getMessage() + "\n" + print(block), e);
    }
  }

  /** The page in words. */
  public String print(long block) {
    InnerBlock inner = view(block);
    StringBuilder text = new StringBuilder("inner ");
    text.append(new PageHeader(memory).wrap(block).frame())
        .append(" level=")
        .append(inner.level())
        .append(" bytes=")
        .append(inner.length)
        .append("\n  ")
        .append(inner.child(0));
    for (int i = 0; i < inner.count; i++) {
      text.append(" | ")
          .append(Bytes.text(inner.separators().key(i)))
          .append(" | ")
          .append(inner.child(i + 1));
    }
    return text.append('\n').toString();
  }

  private static void check(PageImage parts) {
    InnerBlock inner = new InnerBlock().place(parts.topology(), 0);
    if (inner.length != parts.topology().capacity() || parts.properties() != null) {
      throw new CorruptionException(
          "inner page",
          PageHeader.LENGTH,
          "I5: the part's length and no values",
          Integer.toString(inner.length));
    }
    new InnerCheck(inner).run();
  }

  private InnerBlock view(long block) {
    return new InnerBlock().place(memory.slab(block), BlockMemory.offset(block));
  }
}

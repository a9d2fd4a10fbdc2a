package io.bg3.core.page;

import io.bg3.core.block.DecodeBuffers;
import io.bg3.core.block.FrameCodec;
import io.bg3.core.block.PageFrame;
import io.bg3.core.block.PageHeader;
import io.bg3.core.block.PageImage;
import io.bg3.core.block.ValueBlock;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Op;
import io.bg3.core.entry.Pruning;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.memory.BlockMemory;
import java.nio.ByteBuffer;

/**
 * Brings images of leaves into memory. Everything is checked on the heap, before memory is taken.
 */
final class LeafLoader {
  private LeafLoader() {}

  /**
   * Loads a page.
   *
   * @param delta null if there is none
   * @param most entries that a delta may keep
   * @param settled what versions are left out where the page is merged
   * @return address of its newest block
   */
  static long page(
      LeafFormat format,
      ByteBuffer base,
      ByteBuffer delta,
      int most,
      Horizon settled,
      String source) {
    DecodeBuffers buffers = DecodeBuffers.ofThread();
    PageImage baseParts = read(format, base, source, buffers, null);
    LeafBlock under = view(format, baseParts);
    if (delta == null) {
      return isWhole(under) ? place(format, baseParts) : merge(format, under, null, settled);
    }
    PageImage deltaParts = read(format, delta, source, buffers, under);
    LeafBlock over = view(format, deltaParts);
    if (over.count > most || hasLocations(under) || hasLocations(over)) {
      return merge(format, under, over, settled);
    }
    long block = place(format, baseParts);
    try {
      return placeOver(format, deltaParts, block, under.newest);
    } catch (RuntimeException | Error e) {
      format.free(block);
      throw e;
    }
  }

  /**
   * Loads a page without the values of its base.
   *
   * @return address of its newest block; 0 if the values are needed to load it
   */
  static long topology(
      LeafFormat format, ByteBuffer base, ByteBuffer delta, int most, String source) {
    DecodeBuffers buffers = DecodeBuffers.ofThread();
    PageImage baseParts =
        PageImage.loadTopology(
            base, format.kind(), source, buffers, parts -> checkTopology(format, parts, null));
    LeafBlock under = format.view(baseParts.topology(), 0);
    if (hasLocations(under)) {
      return 0;
    }
    if (delta == null) {
      return place(format, baseParts);
    }
    PageImage deltaParts = read(format, delta, source, buffers, under);
    LeafBlock over = view(format, deltaParts);
    if (over.count > most || hasLocations(over)) {
      return 0;
    }
    long block = place(format, baseParts);
    try {
      return placeOver(format, deltaParts, block, under.newest);
    } catch (RuntimeException | Error e) {
      format.free(block);
      throw e;
    }
  }

  /** Whether a base can be used as it is stored. */
  private static boolean isWhole(LeafBlock base) {
    return !hasLocations(base) || (base.opsUnion & Op.OLDER) == 0;
  }

  private static boolean hasLocations(LeafBlock block) {
    return (block.opsUnion & Op.LOCATION) != 0;
  }

  private static long merge(LeafFormat format, LeafBlock base, LeafBlock delta, Horizon settled) {
    Entries entries = format.scratch().merged();
    new LeafMerge(base, delta, format.memory).copyAll(entries);
    Pruning.apply(entries, settled);
    LeafBlock top = delta == null ? base : delta;
    PageFrame frame = FrameCodec.read(top.slab, top.at);
    return format.writeBase(frame, entries, 0, entries.count(), Math.max(top.cut(), settled.cut()));
  }

  private static long place(LeafFormat format, PageImage parts) {
    BlockMemory memory = format.memory;
    ByteBuffer topology = parts.topology();
    ByteBuffer properties = parts.properties();
    long values = 0;
    if (properties != null) {
      values = memory.allocate(properties.capacity());
      memory.slab(values).put(BlockMemory.offset(values), properties, 0, properties.capacity());
    }
    long base = format.allocateBeside(values, topology.capacity());
    ByteBuffer slab = memory.slab(base);
    int at = BlockMemory.offset(base);
    slab.put(at, topology, 0, topology.capacity());
    slab.putLong(at + PageHeader.VALUES, values);
    return base;
  }

  private static long placeOver(LeafFormat format, PageImage parts, long base, long newest) {
    BlockMemory memory = format.memory;
    ByteBuffer topology = parts.topology();
    ByteBuffer properties = parts.properties();
    int columns = topology.capacity();
    int length = columns + (properties == null ? 0 : properties.capacity());
    long delta = memory.allocate(length);
    ByteBuffer slab = memory.slab(delta);
    int at = BlockMemory.offset(delta);
    slab.put(at, topology, 0, columns);
    slab.putLong(at + PageHeader.BASE, base);
    slab.putLong(
        at + PageHeader.NEWEST_STAMP, Math.max(newest, topology.getLong(PageHeader.NEWEST_STAMP)));
    if (properties != null) {
      slab.put(at + columns, properties, 0, properties.capacity());
      slab.put(
          at + PageHeader.FLAGS,
          (byte) (topology.get(PageHeader.FLAGS) | PageHeader.FLAG_VALUES_INSIDE));
      slab.putInt(at + PageHeader.LENGTH, length);
    }
    return delta;
  }

  /**
   * Takes an image apart and checks it.
   *
   * @param base what the image of a delta lies over, null for the image of a base
   */
  private static PageImage read(
      LeafFormat format, ByteBuffer image, String source, DecodeBuffers buffers, LeafBlock base) {
    int kind = format.kind();
    return base == null
        ? PageImage.load(image, kind, source, buffers, parts -> check(format, parts, null))
        : PageImage.loadDelta(
            image, kind, base.slab, source, buffers, parts -> check(format, parts, base));
  }

  /** A view of checked parts, with the values that belong to it. */
  private static LeafBlock view(LeafFormat format, PageImage parts) {
    LeafBlock block = format.view(parts.topology(), 0);
    if (parts.properties() != null) {
      ValueBlock values = new ValueBlock();
      values.place(parts.properties(), 0, block.count);
      block.values(values);
    }
    return block;
  }

  private static void check(LeafFormat format, PageImage parts, LeafBlock base) {
    LeafBlock block = checkTopology(format, parts, base);
    ValueBlock values = null;
    if (parts.properties() != null) {
      values = new ValueBlock();
      values.place(parts.properties(), 0, block.count);
      require(
          values.length() == parts.properties().capacity(),
          PageHeader.VALUES,
          "I5: the part's length",
          values.length());
    }
    new LeafCheck(block).runValues(values);
  }

  /** Checks all but the values. */
  private static LeafBlock checkTopology(LeafFormat format, PageImage parts, LeafBlock base) {
    ByteBuffer topology = parts.topology();
    LeafBlock block = format.view(topology, 0);
    require(
        block.length() == topology.capacity(),
        PageHeader.LENGTH,
        "I5: the part's length",
        block.length());
    require(
        block.isDelta() == (base != null),
        PageHeader.FLAGS,
        "I5: a delta or not, as stored",
        block.isDelta());
    require(
        !block.has(PageHeader.FLAG_VALUES_INSIDE),
        PageHeader.FLAGS,
        "I5: values in their own part",
        block.flags);
    require(block.base() == 0, PageHeader.BASE, "I5: no address", block.base());
    require(block.valuesAddress() == 0, PageHeader.VALUES, "I5: no address", block.valuesAddress());
    LeafCheck check = new LeafCheck(block);
    check.runTopology();
    if (base == null) {
      require(
          !Op.isUnstored(block.opsUnion),
          PageHeader.OP,
          "I5: no marks in a stored base",
          block.opsUnion);
    } else {
      check.runOver(base);
    }
    return block;
  }

  private static void require(boolean holds, int offset, String expected, Object found) {
    if (!holds) {
      throw new CorruptionException("leaf", offset, expected, String.valueOf(found));
    }
  }
}

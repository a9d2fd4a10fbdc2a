package io.bg3.core.page;

import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.memory.BlockMemory;
import java.nio.ByteBuffer;

/**
 * Brings images of leaves into memory. Everything is checked on the heap, before memory is taken.
 */
final class LeafLoader {
  private LeafLoader() {}

  static long base(LeafFormat format, ByteBuffer image, String source) {
    PageImage parts = read(format, image, source, null);
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

  static long delta(LeafFormat format, ByteBuffer image, long base, String source) {
    LeafBlock under = format.view(base);
    PageImage parts = read(format, image, source, under);
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
        at + PageHeader.NEWEST_STAMP,
        Math.max(under.newest, topology.getLong(PageHeader.NEWEST_STAMP)));
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
      LeafFormat format, ByteBuffer image, String source, LeafBlock base) {
    return PageImage.load(image, format.kind(), source, parts -> check(format, parts, base));
  }

  private static void check(LeafFormat format, PageImage parts, LeafBlock base) {
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
    LeafCheck check = new LeafCheck(block);
    check.run(values);
    if (base == null) {
      require(
          !Op.isUnstored(block.opsUnion),
          PageHeader.OP,
          "I5: no marks in a stored base",
          block.opsUnion);
    } else {
      check.runOver(base);
    }
  }

  private static void require(boolean holds, int offset, String expected, Object found) {
    if (!holds) {
      throw new CorruptionException("leaf", offset, expected, String.valueOf(found));
    }
  }
}

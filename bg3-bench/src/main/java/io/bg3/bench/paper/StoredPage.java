package io.bg3.bench.paper;

import io.bg3.core.block.PageFrame;
import io.bg3.core.block.PageHeader;
import io.bg3.core.block.PageImage;
import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.page.LeafFormat;
import io.bg3.core.page.PageRead;
import io.bg3.storage.codec.Compressor;
import io.bg3.storage.extent.ExtentRecord;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.Stream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A leaf as its writer has it in memory, and where its records are stored: a base, and the deltas
 * that belong to it. The writer follows the steps of the engine's flush; a look-up reads the
 * records and nothing in memory. Belongs to one thread.
 */
final class StoredPage {
  /** Entries of a delta in memory before it is merged with its base. */
  private static final int CONSOLIDATE = 10;

  private final LeafFormat format;
  private final ExtentStore extents;
  private final FlushRule rule;
  private final PageFrame frame;
  private final Compressor compressor;

  /** The image of the page without entries: what a delta of the chain is loaded over. */
  private final ByteBuffer empty;

  private long block;
  private long base;
  private final List<Long> deltas = new ArrayList<>();
  private int written; // deltas since the base, with those that later ones have replaced
  private long writtenBytes; // before compression, as the engine counts them

  /** Stores the base of a new page. */
  StoredPage(
      LeafFormat format,
      ExtentStore extents,
      FlushRule rule,
      Compressor compressor,
      PageFrame frame,
      Entries entries,
      int from,
      int to)
      throws IOException {
    this.format = format;
    this.extents = extents;
    this.rule = rule;
    this.compressor = compressor;
    this.frame = frame;
    this.block = format.writeBase(frame, entries, from, to, 0);
    this.base = append(Stream.BASE, format.baseImage(block, compressor));
    long none = format.writeBase(frame, format.newEntries(), 0, 0, 0);
    this.empty = joined(format.baseImage(none, compressor));
    format.free(none);
  }

  /**
   * Adds an entry, and stores what the rule asks for.
   *
   * @param entry one entry, of this page's range
   */
  void write(EdgeEntries entry) throws IOException {
    long changed = format.writeDelta(block, entry, 0, 1);
    if (changed == block) {
      throw new IllegalStateException("the entry is not newer than the page's: " + frame);
    }
    freeDelta(block);
    block = changed;
    Horizon settled = Horizon.at(entry.stamp(0));
    if (rule.writesBase(format, block, written, writtenBytes)) {
      storeBase(settled);
    } else {
      storeDelta(entry);
      if (format.deltaCount(block) > CONSOLIDATE) {
        Entries all = format.mergedForNow(block, settled);
        replace(format.writeBase(frame, all, 0, all.count(), settled.cut()));
      }
    }
  }

  private void storeBase(Horizon settled) throws IOException {
    base = append(Stream.BASE, format.baseImage(block, compressor));
    deltas.clear();
    written = 0;
    writtenBytes = 0;
    replace(format.withoutMarks(block, settled));
  }

  private void storeDelta(EdgeEntries entry) throws IOException {
    boolean isChain = rule == FlushRule.CHAIN;
    ByteBuffer[] image = isChain ? imageOfOne(entry) : format.deltaImage(block, compressor);
    long delta = append(Stream.DELTA, image);
    if (!isChain) {
      deltas.clear();
    }
    deltas.add(delta);
    written++;
    writtenBytes += PageImage.plainBytes(image[0]);
  }

  private ByteBuffer[] imageOfOne(EdgeEntries entry) {
    long none = format.writeBase(frame, format.newEntries(), 0, 0, 0);
    long one = format.writeDelta(none, entry, 0, 1);
    ByteBuffer[] image = format.deltaImage(one, compressor);
    format.free(one);
    format.free(none);
    return image;
  }

  private void replace(long by) {
    long under = format.base(block);
    freeDelta(block);
    format.free(under);
    block = by;
  }

  private void freeDelta(long old) {
    if (format.base(old) != old) {
      format.free(old);
    }
  }

  private long append(Stream stream, ByteBuffer[] image) throws IOException {
    return extents.append(stream, (byte) PageHeader.EDGE_LEAF, frame.pageId(), image);
  }

  /** Records that a look-up reads: the base and its deltas. */
  int records() {
    return 1 + deltas.size();
  }

  /**
   * Reads all records of the page, as a neighbour scan has to, and returns the value of a key.
   *
   * @return null if the key is not there
   */
  byte[] lookUp(byte[] key, PageRead read) throws IOException {
    ExtentRecord stored = extents.read(base);
    List<ExtentRecord> over = new ArrayList<>();
    for (long delta : deltas) {
      over.add(extents.read(delta));
    }
    if (rule == FlushRule.CHAIN) {
      for (int i = over.size() - 1; i >= 0; i--) {
        byte[] value = value(empty.duplicate(), over.get(i).payload(), key, read);
        if (value != null) {
          return value;
        }
      }
      return value(stored.payload(), null, key, read);
    }
    return value(stored.payload(), over.isEmpty() ? null : over.get(0).payload(), key, read);
  }

  private byte[] value(ByteBuffer image, ByteBuffer delta, byte[] key, PageRead read) {
    long loaded =
        format.load(
            image.order(empty.order()), delta, Integer.MAX_VALUE, Horizon.KEEP_ALL, "" + frame);
    byte[] value = format.get(loaded, key, Long.MAX_VALUE, read) ? read.version().value() : null;
    long under = format.base(loaded);
    if (under != loaded) {
      format.free(under);
    }
    format.free(loaded);
    return value;
  }

  private static ByteBuffer joined(ByteBuffer[] parts) {
    int length = Arrays.stream(parts).mapToInt(ByteBuffer::remaining).sum();
    ByteBuffer joined = ByteBuffer.allocate(length).order(parts[0].order());
    for (ByteBuffer part : parts) {
      joined.put(part.duplicate());
    }
    return joined.flip();
  }
}

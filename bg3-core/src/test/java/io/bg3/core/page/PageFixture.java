package io.bg3.core.page;

import io.bg3.core.block.PageFrame;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Op;
import io.bg3.storage.codec.Compression;
import io.bg3.storage.codec.Compressor;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.MemoryBudget;
import java.util.Arrays;
import java.util.Random;
import java.util.TreeSet;

/** Memory and random entries for tests of pages. */
public final class PageFixture implements AutoCloseable {
  static final PageFrame WHOLE = new PageFrame(7, 3, null, null, 0);

  public final BlockMemory memory = new BlockMemory(new MemoryBudget(256 << 20, "test"));
  public final Random random;

  /** Compresses the images of this fixture. */
  final Compressor compressor;

  public PageFixture(long seed) {
    random = new Random(seed);
    compressor = anyCompressor(random);
  }

  /** One of the ways to compress images. */
  static Compressor anyCompressor(Random random) {
    String[] ways = {"none", "packed", "lz4", "zstd", "zstd:5"};
    return new Compressor(Compression.of(ways[random.nextInt(ways.length)]));
  }

  /**
   * Sorted entries: some keys with older versions, some stamps, some values, some tombstones and
   * locations.
   */
  Entries entries(LeafKind kind, int keys) {
    TreeSet<byte[]> sorted = new TreeSet<>(Arrays::compareUnsigned);
    for (int i = 0; i < keys; i++) {
      sorted.add(kind.key(random));
    }
    Entries entries = kind.format(memory).newEntries();
    boolean stamps = random.nextBoolean();
    boolean versions = random.nextBoolean();
    boolean values = random.nextBoolean();
    boolean ops = random.nextBoolean();
    for (byte[] key : sorted) {
      long stamp = stamps && random.nextBoolean() ? 1 + random.nextInt(1000) : 0;
      append(entries, key, stamp, ops, values);
      while (versions && stamp > 1 && random.nextInt(3) == 0) {
        stamp = random.nextLong(stamp);
        append(entries, key, stamp, ops, values);
      }
    }
    return entries;
  }

  private void append(Entries entries, byte[] key, long stamp, boolean ops, boolean values) {
    int choice = ops ? random.nextInt(4) : 0;
    if (choice == 1) {
      entries.append(key, Op.TOMBSTONE, stamp, null);
    } else {
      byte op = choice == 2 ? Op.LOCATION : Op.PUT;
      byte[] value = new byte[op == Op.LOCATION ? Long.BYTES : values ? random.nextInt(30) : 0];
      random.nextBytes(value);
      entries.append(key, op, stamp, value);
    }
  }

  long base(LeafKind kind, int keys) {
    Entries entries = entries(kind, keys);
    entries.dropSettledTombstones(false);
    return kind.format(memory).writeBase(WHOLE, entries, 0, entries.count(), 5);
  }

  @Override
  public void close() {
    memory.close();
  }
}

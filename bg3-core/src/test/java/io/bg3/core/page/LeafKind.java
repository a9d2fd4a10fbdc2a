package io.bg3.core.page;

import io.bg3.core.entry.EdgeKey;
import io.bg3.storage.memory.BlockMemory;
import java.util.Arrays;
import java.util.Random;

/** The kinds of leaf, and random keys for them that share much and differ little. */
enum LeafKind {
  EDGES {
    @Override
    LeafFormat format(BlockMemory memory) {
      return LeafFormat.edges(memory);
    }

    @Override
    byte[] key(Random random) {
      int tag = random.nextInt(3);
      return edge(random, tag == EdgeKey.INDEX ? EdgeKey.COUNTER : tag);
    }

    @Override
    byte[] bound(Random random) {
      return edgeBound(random, key(random));
    }
  },
  /** Edges among which are entries of indexes. */
  SORTED_EDGES {
    @Override
    LeafFormat format(BlockMemory memory) {
      return LeafFormat.edges(memory);
    }

    @Override
    byte[] key(Random random) {
      return edge(random, random.nextBoolean() ? EdgeKey.INDEX : random.nextInt(4));
    }

    @Override
    byte[] bound(Random random) {
      return edgeBound(random, key(random));
    }
  },
  BYTES {
    @Override
    LeafFormat format(BlockMemory memory) {
      return LeafFormat.bytes(memory);
    }

    @Override
    byte[] key(Random random) {
      int prefix = random.nextInt(3) == 0 ? 0 : 5;
      byte[] key = new byte[prefix + random.nextInt(14)];
      for (int i = prefix; i < key.length; i++) {
        key[i] = (byte) (random.nextInt(3) - 1);
      }
      return key;
    }

    @Override
    byte[] bound(Random random) {
      return key(random);
    }
  };

  private static final long[] NUMBERS = {
    Long.MIN_VALUE, -2, -1, 0, 1, 2, 3, 1L << 40, Long.MAX_VALUE
  };

  private static byte[] edge(Random random, int tag) {
    long owner = NUMBERS[random.nextInt(NUMBERS.length)];
    int tagLabel = EdgeKey.tagLabel(tag, random.nextInt(2));
    long other = NUMBERS[random.nextInt(NUMBERS.length)];
    int sequence = random.nextInt(4) == 0 ? random.nextInt(3) - 1 : 0;
    return tag == EdgeKey.INDEX
        ? EdgeKey.encode(owner, tagLabel, NUMBERS[random.nextInt(NUMBERS.length)], other, sequence)
        : EdgeKey.encode(owner, tagLabel, other, sequence);
  }

  private static byte[] edgeBound(Random random, byte[] key) {
    return switch (random.nextInt(6)) {
      case 0 -> EdgeKey.prefix(EdgeKey.owner(key));
      case 1 -> EdgeKey.prefix(EdgeKey.owner(key), EdgeKey.tagLabel(key));
      case 2 -> Arrays.copyOf(key, random.nextInt(key.length + 1));
      case 3 -> Arrays.copyOf(key, key.length + 1);
      case 4 -> Arrays.copyOf(key, 20);
      default -> key;
    };
  }

  abstract LeafFormat format(BlockMemory memory);

  /** A key, out of few enough that some come again. */
  abstract byte[] key(Random random);

  /** A bound of a range, which need not be a key. */
  abstract byte[] bound(Random random);
}

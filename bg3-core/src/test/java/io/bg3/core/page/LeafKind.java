package io.bg3.core.page;

import io.bg3.storage.memory.BlockMemory;
import java.util.Random;

/** The two kinds of leaf, and random keys for them that share much and differ little. */
enum LeafKind {
  EDGES {
    @Override
    LeafFormat format(BlockMemory memory) {
      return LeafFormat.edges(memory);
    }

    @Override
    byte[] key(Random random) {
      long[] numbers = {Long.MIN_VALUE, -2, -1, 0, 1, 2, 3, 1L << 40, Long.MAX_VALUE};
      long owner = numbers[random.nextInt(numbers.length)];
      int tagLabel = EdgeKey.tagLabel(random.nextInt(3), random.nextInt(2));
      long other = numbers[random.nextInt(numbers.length)];
      int sequence = random.nextInt(4) == 0 ? random.nextInt(3) - 1 : 0;
      return EdgeKey.encode(owner, tagLabel, other, sequence);
    }

    @Override
    byte[] bound(Random random) {
      byte[] key = key(random);
      return switch (random.nextInt(5)) {
        case 0 -> EdgeKey.prefix(EdgeKey.owner(key));
        case 1 -> EdgeKey.prefix(EdgeKey.owner(key), EdgeKey.tagLabel(key));
        case 2 -> java.util.Arrays.copyOf(key, random.nextInt(EdgeKey.LENGTH + 1));
        case 3 -> java.util.Arrays.copyOf(key, EdgeKey.LENGTH + 1);
        default -> key;
      };
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

  abstract LeafFormat format(BlockMemory memory);

  /** A key, out of few enough that some come again. */
  abstract byte[] key(Random random);

  /** A bound of a range, which need not be a key. */
  abstract byte[] bound(Random random);
}

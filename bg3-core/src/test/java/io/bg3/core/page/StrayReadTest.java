package io.bg3.core.page;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.testing.Seeds;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reads pages whose bytes another thread has written over. The answer may be anything, but there is
 * one, or a RuntimeException. A failure prints its seed; repeat it with {@code -Dbg3.seed=…}.
 */
class StrayReadTest {
  static LongStream seeds() {
    return Seeds.of(20);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aReadOfForeignBytesEnds(long seed) {
    assertTimeoutPreemptively(
        Duration.ofMinutes(2), () -> readForeignBytes(seed), () -> "-Dbg3.seed=" + seed);
  }

  private static void readForeignBytes(long seed) {
    try (PageFixture fixture = new PageFixture(seed)) {
      for (LeafKind kind : LeafKind.values()) {
        LeafFormat format = kind.format(fixture.memory);
        for (int i = 0; i < 50; i++) {
          long block = fixture.base(kind, fixture.random.nextInt(60));
          scribble(fixture, block);
          for (int j = 0; j < 5; j++) {
            read(kind, format, block, fixture.random, seed);
          }
        }
      }
    }
  }

  /** Writes over a few bytes, most often of the header, or over everything. */
  private static void scribble(PageFixture fixture, long block) {
    ByteBuffer slab = fixture.memory.slab(block);
    int at = BlockMemory.offset(block);
    int length = slab.getInt(at + PageHeader.LENGTH);
    Random random = fixture.random;
    if (random.nextInt(5) == 0) {
      for (int i = PageHeader.LENGTH + Integer.BYTES; i < length; i++) {
        slab.put(at + i, (byte) random.nextInt());
      }
      return;
    }
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      int limit = random.nextBoolean() ? PageHeader.FENCES : length;
      slab.put(at + random.nextInt(limit), (byte) random.nextInt());
    }
  }

  private static void read(LeafKind kind, LeafFormat format, long block, Random random, long seed) {
    Entries into = format.newEntries();
    byte[] low = kind.bound(random);
    byte[] high = random.nextBoolean() ? null : kind.bound(random);
    Runnable[] reads = {
      () -> format.get(block, kind.key(random), random.nextInt(1000), new PageRead()),
      () -> format.copy(block, low, high, random.nextInt(1000), true, into),
      () -> format.copy(block, null, null, Long.MAX_VALUE, true, into),
      () -> format.count(block, low, high, random.nextInt(1000), new PageRead()),
      () -> format.newest(block, low, high),
      () -> format.merged(block, Horizon.at(500)),
      () -> format.memoryBytes(block),
      () -> format.imageBytes(block),
      () -> format.markedBytes(block),
    };
    for (Runnable read : reads) {
      try {
        read.run();
      } catch (RuntimeException | AssertionError expected) {
        // an assertion is the audit's of the memory, where that is switched on
      } catch (Error e) {
        throw new AssertionError("-Dbg3.seed=" + seed + " " + kind, e);
      }
    }
  }
}

package io.bg3.core.block;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Op;
import io.bg3.core.page.EdgeLeaf;
import io.bg3.core.page.LeafFormat;
import io.bg3.core.page.PageFixture;
import io.bg3.testing.Seeds;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The searches for numbers and owners find what going through the column finds, however the numbers
 * are spread: dense, far apart, equal, negative, at both ends of what a long holds.
 */
class SortedLongsTest {
  static LongStream seeds() {
    return Seeds.of(40);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theFirstNumberNotBelowIsFoundInEveryPartOfAColumn(long seed) {
    Random random = new Random(seed);
    int count = random.nextInt(3) == 0 ? random.nextInt(1_500) : random.nextInt(40);
    long[] numbers = numbers(random, count);
    int stride = random.nextBoolean() ? Long.BYTES : EdgeLeaf.RUN;
    long flip = random.nextBoolean() ? Long.MIN_VALUE : 0;
    int at = 8 * random.nextInt(10);
    ByteBuffer slab = ByteBuffer.allocate(at + count * stride).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      slab.putLong(at + i * stride, numbers[i] ^ flip);
    }
    for (int i = 0; i < 300; i++) {
      int low = random.nextInt(count + 1);
      int high = low + random.nextInt(count - low + 1);
      long key = near(random, numbers);
      int expected = low;
      while (expected < high && numbers[expected] < key) {
        expected++;
      }
      int found = SortedLongs.firstNotBelow(slab, at, stride, low, high, key ^ flip, flip);
      assertEquals(
          expected, found, "-Dbg3.seed=" + seed + ", key " + key + " in " + low + " to " + high);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theRunOfAnOwnerIsFoundHoweverTheOwnersOfALeafAreSpread(long seed) {
    try (PageFixture fixture = new PageFixture(seed)) {
      Random random = fixture.random;
      TreeSet<Long> owners = new TreeSet<>();
      for (long number : numbers(random, 1 + random.nextInt(300))) {
        owners.add(number);
      }
      int labels = 1 + random.nextInt(3);
      LeafFormat format = LeafFormat.edges(fixture.memory);
      Entries entries = format.newEntries();
      for (long owner : owners) {
        for (int label = 1; label <= labels; label++) {
          if (label == 1 || random.nextBoolean()) {
            int tagLabel = EdgeKey.tagLabel(EdgeKey.OUT, 2 * label);
            entries.append(EdgeKey.encode(owner, tagLabel, 1, 0), Op.PUT, 0, null);
          }
        }
      }
      PageFrame frame = frame(random, entries);
      EdgeLeaf leaf =
          (EdgeLeaf) format.view(format.writeBase(frame, entries, 0, entries.count(), 0));
      long[] all = owners.stream().mapToLong(Long::longValue).toArray();
      for (int i = 0; i < 300; i++) {
        long owner = near(random, all);
        int tagLabel = EdgeKey.tagLabel(EdgeKey.OUT, random.nextInt(2 * labels + 2));
        int expected = -1;
        for (int run = 0; run < leaf.runs; run++) {
          if (leaf.owner(run) == owner && leaf.tagLabel(run) == tagLabel) {
            expected = run;
          }
        }
        String at = "-Dbg3.seed=" + seed + ", owner " + owner + ", frame " + frame;
        assertEquals(expected, leaf.runAt(owner, tagLabel), at);
        leaf.touchRun(owner);
      }
    }
  }

  /** Fences that are prefixes of keys, of any length, or none. */
  private static PageFrame frame(Random random, Entries entries) {
    byte[] first = entries.key(0);
    byte[] last = entries.key(entries.count() - 1);
    byte[] low = Arrays.copyOf(first, random.nextInt(first.length + 1));
    byte[] high = EdgeKey.after(Arrays.copyOf(last, 1 + random.nextInt(last.length)));
    boolean bounded = high != null && random.nextInt(4) > 0;
    return new PageFrame(
        7, 3, random.nextInt(4) == 0 ? null : low, bounded ? high : null, bounded ? 9 : 0);
  }

  /** Ascending numbers, some of them alike. */
  private static long[] numbers(Random random, int count) {
    int kind = random.nextInt(5);
    long base = random.nextInt(3) == 0 ? Long.MAX_VALUE - 5_000 : random.nextInt(1_000) - 500L;
    long[] numbers = new long[count];
    for (int i = 0; i < count; i++) {
      numbers[i] =
          switch (kind) {
            case 0 -> base + i;
            case 1 -> base + random.nextInt(1 + count);
            case 2 -> random.nextLong();
            case 3 -> random.nextInt(20) == 0 ? random.nextLong() : base + random.nextInt(5_000);
            default -> random.nextBoolean() ? Long.MIN_VALUE + i / 2 : Long.MAX_VALUE - i / 3;
          };
    }
    Arrays.sort(numbers);
    return numbers;
  }

  private static long near(Random random, long[] numbers) {
    if (numbers.length == 0 || random.nextInt(10) == 0) {
      return random.nextInt(3) == 0 ? Long.MIN_VALUE : random.nextLong();
    }
    return numbers[random.nextInt(numbers.length)] + random.nextInt(3) - 1;
  }
}

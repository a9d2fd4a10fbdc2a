package io.bg3.core.page;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.block.PageHeader;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.testing.Seeds;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Looks keys up in random inner pages and in a plain loop over the separators. */
class InnerFormatTest {
  static LongStream seeds() {
    return Seeds.of(30);
  }

  /** Ascending separators, any bytes but the empty key. */
  static List<byte[]> separators(Random random, int most) {
    TreeSet<byte[]> sorted = new TreeSet<>(Arrays::compareUnsigned);
    int count = random.nextInt(most + 1);
    for (int i = 0; i < count; i++) {
      byte[] key = anyBound(random);
      if (key.length > 0) {
        sorted.add(key);
      }
    }
    return new ArrayList<>(sorted);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aKeyFindsTheChildBetweenItsSeparators(long seed) {
    try (PageFixture fixture = new PageFixture(seed)) {
      InnerFormat format = new InnerFormat(fixture.memory);
      List<byte[]> separators = separators(fixture.random, 80);
      int[] children = children(separators.size() + 1);
      long written = format.write(PageFixture.WHOLE, 3, separators, children);
      ByteBuffer image = LeafSimulation.join(format.image(written, fixture.compressor));
      long loaded = format.load(image, "image");
      for (long block : new long[] {written, loaded}) {
        format.check(block);
        assertTrue(format.print(block).contains("level=3"));
        assertEquals(children.length, format.count(block));
        assertArrayEquals(children, format.children(block));
        assertArrayEquals(
            separators.toArray(new byte[0][]), format.separators(block).toArray(new byte[0][]));
        for (int i = 0; i < 200; i++) {
          byte[] key = anyBound(fixture.random);
          int at = 0;
          int below = 0;
          for (byte[] separator : separators) {
            at += Arrays.compareUnsigned(separator, key) <= 0 ? 1 : 0;
            below += Arrays.compareUnsigned(separator, key) < 0 ? 1 : 0;
          }
          assertEquals(children[at], format.child(block, key), "-Dbg3.seed=" + seed);
          assertEquals(children[below], format.childBelow(block, key), "-Dbg3.seed=" + seed);
        }
        assertEquals(children[children.length - 1], format.childBelow(block, null));
      }
      int length = new PageHeader(fixture.memory).wrap(written).length();
      assertTrue(
          length <= format.bytes(separators), () -> "-Dbg3.seed=" + seed + " bytes=" + length);
      format.free(written);
      format.free(loaded);
      assertEquals(0, fixture.memory.used());
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aSeparatorMoreLeadsToThePageThatIsWrittenOfAll(long seed) {
    int quick = 0;
    try (PageFixture fixture = new PageFixture(seed)) {
      InnerFormat format = new InnerFormat(fixture.memory);
      for (int round = 0; round < 50; round++) {
        List<byte[]> all = separators(fixture.random, 80);
        if (all.isEmpty()) {
          continue;
        }
        List<Integer> ids = new ArrayList<>();
        for (int id : children(all.size() + 1)) {
          ids.add(id);
        }
        long whole = format.write(PageFixture.WHOLE, 1, all, unboxed(ids));
        int at = fixture.random.nextInt(all.size());
        byte[] separator = all.remove(at);
        int child = ids.remove(at + 1);
        long less = format.write(PageFixture.WHOLE, 1, all, unboxed(ids));
        int capacity = fixture.random.nextInt(4) == 0 ? 1024 : 1 << 20;
        long wider = format.insert(less, separator, child, capacity);
        if (wider != 0) {
          quick++;
          assertEquals(bytes(fixture, whole), bytes(fixture, wider), "-Dbg3.seed=" + seed);
          all.add(at, separator);
          assertTrue(format.bytes(all) <= capacity, "-Dbg3.seed=" + seed);
        }
      }
    }
    assertTrue(quick > 0, "-Dbg3.seed=" + seed);
  }

  private static ByteBuffer bytes(PageFixture fixture, long block) {
    byte[] bytes = new byte[new PageHeader(fixture.memory).wrap(block).length()];
    fixture.memory.slab(block).get(BlockMemory.offset(block), bytes);
    return ByteBuffer.wrap(bytes);
  }

  private static int[] unboxed(List<Integer> ids) {
    return ids.stream().mapToInt(Integer::intValue).toArray();
  }

  @Test
  void aPageWithoutOneChildMoreThanSeparatorsIsRefused() {
    try (PageFixture fixture = new PageFixture(1)) {
      InnerFormat format = new InnerFormat(fixture.memory);
      IllegalArgumentException refused =
          assertThrows(
              IllegalArgumentException.class,
              () -> format.write(PageFixture.WHOLE, 1, List.of(new byte[] {1}), new int[] {5}));
      assertTrue(refused.getMessage().contains("children=1, separators=1"), refused.getMessage());
    }
  }

  @Test
  void checkNamesWhatIsWrong() {
    try (PageFixture fixture = new PageFixture(1)) {
      InnerFormat format = new InnerFormat(fixture.memory);
      long twice = format.write(PageFixture.WHOLE, 1, List.of(new byte[] {1}), new int[] {5, 5});
      AssertionError found = assertThrows(AssertionError.class, () -> format.check(twice));
      assertTrue(found.getMessage().contains("N4"), found.getMessage());
      long unordered =
          format.write(
              PageFixture.WHOLE, 1, List.of(new byte[] {2}, new byte[] {1}), new int[] {5, 6, 8});
      found = assertThrows(AssertionError.class, () -> format.check(unordered));
      assertTrue(found.getMessage().contains("N3"), found.getMessage());
    }
  }

  private static byte[] anyBound(Random random) {
    LeafKind kind = random.nextInt(3) == 0 ? LeafKind.EDGES : LeafKind.BYTES;
    return kind.bound(random);
  }

  private static int[] children(int count) {
    int[] children = new int[count];
    for (int i = 0; i < count; i++) {
      children[i] = 1000 + i;
    }
    return children;
  }
}

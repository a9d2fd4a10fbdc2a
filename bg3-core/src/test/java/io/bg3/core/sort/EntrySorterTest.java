package io.bg3.core.sort;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeKey;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.format.CorruptionException;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares what a sorter shows with a stable sort of a list, for random entries and bounds. */
class EntrySorterTest {
  private static final Comparator<Entry> IN_ORDER =
      Comparator.comparingLong(Entry::owner)
          .thenComparing(Entry::tagLabel, Integer::compareUnsigned)
          .thenComparingLong(Entry::other);

  private record Entry(long owner, int tagLabel, long other, List<Byte> value) {}

  private static List<Byte> bytes(byte[] value) {
    List<Byte> list = new ArrayList<>();
    for (byte each : value) {
      list.add(each);
    }
    return list;
  }

  private static void add(EntrySorter sorter, List<Entry> model, Random random, int range)
      throws IOException {
    long owner = id(random, range);
    int tagLabel = EdgeKey.tagLabel(random.nextInt(4), 1 + random.nextInt(2));
    long other = id(random, range);
    byte[] value = new byte[random.nextInt(8) == 0 ? random.nextInt(200) : random.nextInt(4)];
    random.nextBytes(value);
    if (random.nextBoolean()) {
      Arrays.fill(value, (byte) 7);
    }
    sorter.add(owner, tagLabel, other, value);
    model.add(new Entry(owner, tagLabel, other, bytes(value)));
  }

  /** One of few ids, dense or all over the range of numbers, its ends among them. */
  private static long id(Random random, int range) {
    int drawn = random.nextInt(range);
    return switch (range % 3) {
      case 0 -> drawn;
      case 1 ->
          drawn == 0 ? Long.MIN_VALUE : drawn == 1 ? Long.MAX_VALUE : new Random(drawn).nextLong();
      default -> Long.MIN_VALUE + drawn;
    };
  }

  private static List<Entry> read(SortedEntries sorted) throws IOException {
    List<Entry> read = new ArrayList<>();
    while (sorted.next()) {
      read.add(new Entry(sorted.owner(), sorted.tagLabel(), sorted.other(), bytes(sorted.value())));
    }
    assertFalse(sorted.next());
    return read;
  }

  @Test
  void showsEntriesInTheOrderOfTheirKeysAndEqualOnesAsTheyWereAdded() throws IOException {
    long seed = Seeds.one();
    Random random = new Random(seed);
    for (int run = 0; run < 60; run++) {
      String at = "seed=" + seed + ", run=" + run;
      MemoryDisk disk = new MemoryDisk();
      List<Entry> model = new ArrayList<>();
      int most = 1 + random.nextInt(500);
      try (EntrySorter sorter = new EntrySorter(disk, most, 1 + random.nextInt(3_000))) {
        int count = random.nextInt(2_000);
        int range = 2 + random.nextInt(300);
        for (int i = 0; i < count; i++) {
          add(sorter, model, random, range);
        }
        assertTrue(sorter.runs() >= (count - 1) / most, at);
        model.sort(IN_ORDER);
        assertEquals(model, read(sorter.sorted()), at);
        assertEquals(List.of(), disk.list(), at);
      }
    }
  }

  @Test
  void aRunHasManyFilesThatGoWhileTheyAreRead() throws IOException {
    MemoryDisk disk = new MemoryDisk();
    byte[] value = new byte[5_000];
    Random random = new Random(1);
    try (EntrySorter sorter = new EntrySorter(disk, 2_000, 1 << 24)) {
      for (int i = 0; i < 2_001; i++) {
        random.nextBytes(value);
        sorter.add(i, 1, i, value);
      }
      int files = disk.list().size();
      assertTrue(files >= 5, () -> "files=" + files);
      SortedEntries sorted = sorter.sorted();
      for (int i = 0; i < 1_000; i++) {
        assertTrue(sorted.next());
      }
      int left = disk.list().size();
      assertTrue(left > 1 && left < files - 1, () -> "files=" + files + ", left=" + left);
    }
    assertEquals(List.of(), disk.list());
  }

  @Test
  void filesOfAnEarlierSorterAreDeletedAndOthersAreNot() throws IOException {
    MemoryDisk disk = new MemoryDisk();
    disk.create("manifest").close();
    EntrySorter left = new EntrySorter(disk, 1, 1);
    left.add(1, 1, 1, new byte[0]);
    left.add(1, 1, 2, new byte[0]);
    assertEquals(2, disk.list().size());
    try (EntrySorter sorter = new EntrySorter(disk, 1, 1)) {
      assertFalse(sorter.sorted().next());
      assertEquals(new HashSet<>(List.of("manifest")), new HashSet<>(disk.list()));
    }
  }

  @Test
  void aFlippedBitIsNoticed() throws IOException {
    for (int position : new int[] {0, 5, 20}) {
      MemoryDisk disk = new MemoryDisk();
      try (EntrySorter sorter = new EntrySorter(disk, 10, 1_000)) {
        for (int i = 0; i < 20; i++) {
          sorter.add(i, 1, i, new byte[] {1, 2, 3});
        }
        String name = disk.list().get(0);
        try (DiskFile file = disk.open(name)) {
          ByteBuffer bit = ByteBuffer.allocate(1);
          file.read(bit, position);
          bit.put(0, (byte) (bit.get(0) ^ 0x40));
          file.write(bit.flip(), position);
        }
        SortedEntries sorted = sorter.sorted();
        CorruptionException refused =
            assertThrows(CorruptionException.class, () -> read(sorted), "position=" + position);
        assertTrue(refused.getMessage().contains(name), refused.getMessage());
      }
    }
  }

  @Test
  void isReadOnceAndTakesNothingAfterwards() throws IOException {
    try (EntrySorter sorter = new EntrySorter(new MemoryDisk(), 10, 10)) {
      assertFalse(sorter.sorted().next());
      assertThrows(IllegalStateException.class, sorter::sorted);
      assertThrows(IllegalStateException.class, () -> sorter.add(1, 1, 1, new byte[0]));
    }
  }
}

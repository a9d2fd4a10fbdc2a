package io.bg3.storage.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.testing.Seeds;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Gives out and takes back blocks and looks at addresses, contents and accounts; debug mode is on.
 */
class BlockMemoryTest {
  private static final String SETTING = "bg3.memory.budget";

  private final MemoryBudget budget = new MemoryBudget(64 << 20, SETTING);
  private final BlockMemory memory = new BlockMemory(budget);

  static LongStream seeds() {
    return Seeds.of(4);
  }

  @Test
  void debugModeIsOnInTests() {
    assertTrue(BlockAudit.ON, BlockAudit.PROPERTY);
  }

  @Test
  void sizeClassesAscendAndAreAligned() {
    int previous = 0;
    for (int c = 0; c < SizeClasses.count(); c++) {
      int size = SizeClasses.size(c);
      assertTrue(size > previous, "Z1: class=" + c);
      assertEquals(0, size % (size < 1024 ? 16 : 64), "Z2: size=" + size);
      assertEquals(c, SizeClasses.classOf(size));
      assertEquals(c, SizeClasses.classOf(previous + 1));
      assertTrue(previous == 0 || previous >= 64 << 10 || size <= previous * 1.251, "size=" + size);
      previous = size;
    }
    assertEquals(SizeClasses.LARGEST, previous);
  }

  @Test
  void aBlockIsChargedWithItsCapacityAndNothingElse() {
    long address = memory.allocate(1000);
    assertEquals(1024, memory.capacity(address));
    assertEquals(1024, BlockMemory.capacityFor(1000));
    assertEquals(1024, budget.used());
    assertEquals(1024, memory.used());
    memory.free(address);
    assertEquals(0, budget.used());
    assertEquals(0, memory.used());
    assertEquals(1 << 20, memory.held());
  }

  @Test
  void freeBlocksOfASpanInUseServeTheirSizeOnly() {
    assertFalse(memory.hasFree(1000));
    memory.allocate(1000);
    assertTrue(memory.hasFree(1000));
    assertTrue(memory.hasFree(1024));
    assertFalse(memory.hasFree(1025));
    memory.allocate(BlockMemory.SPAN); // fills its span
    assertFalse(memory.hasFree(BlockMemory.SPAN));
  }

  @Test
  void aLargeBlockHasASlabOfItsOwnThatGoesWithIt() {
    long address = memory.allocate(1_000_000);
    assertEquals(1_000_000, memory.capacity(address));
    assertEquals(1_000_000, budget.used());
    assertEquals(1_000_000, memory.held());
    memory.slab(address).putLong(BlockMemory.offset(address) + 999_992, 7);
    memory.free(address);
    assertEquals(0, budget.used());
    assertEquals(0, memory.held());
  }

  @Test
  void largeBlocksAmongSmallOnesAreFreedWithThem() {
    long[] addresses = new long[40];
    long charged = 0;
    for (int i = 0; i < addresses.length; i++) {
      addresses[i] = memory.allocate(i % 5 == 2 ? 300_000 : 100 * i + 1);
      charged += memory.capacity(addresses[i]);
    }
    long held = memory.held();
    long large = memory.allocate(400_000);
    assertEquals(charged, memory.free(addresses, addresses.length));
    assertEquals(memory.capacity(large), budget.used());
    assertEquals(memory.capacity(large), memory.used());
    memory.free(large);
    assertEquals(0, memory.used());
    assertEquals(held - 8L * BlockMemory.capacityFor(300_000), memory.held());
  }

  @Test
  void linesOfFreedBlocksAndOfNoneCanBeFetched() {
    long small = memory.allocate(1000);
    long large = memory.allocate(1_000_000);
    memory.free(small);
    memory.free(large);
    memory.fetch(small, 0, 16);
    assertEquals(0, memory.fetch(large, 0, 16));
    assertEquals(0, memory.fetch(0, 0, 1));
    long smaller = memory.allocate(300_000);
    assertEquals(large, smaller, "its slot is used again");
    memory.fetch(large, 0, 1_000_000 / 64);
  }

  @Test
  void slabsAreLittleEndian() {
    long address = memory.allocate(8);
    assertEquals(ByteOrder.LITTLE_ENDIAN, memory.slab(address).order());
  }

  @Test
  void emptySpansServeBlocksOfOtherSizes() {
    long held = 0;
    for (int size = 64; size <= 128 << 10; size = size * 5 / 4) {
      List<Long> blocks = new ArrayList<>();
      for (int bytes = 0; bytes < 8 << 20; bytes += size) {
        blocks.add(memory.allocate(size));
      }
      blocks.forEach(memory::free);
      held = Math.max(held, memory.held());
    }
    assertEquals(0, budget.used());
    assertTrue(held <= 24 << 20, "held=" + held);
  }

  /** Blocks of 8 KiB that fill so many bytes. */
  private List<Long> fill(int bytes) {
    List<Long> blocks = new ArrayList<>();
    for (int i = 0; i < bytes / (8 << 10); i++) {
      blocks.add(memory.allocate(8 << 10));
    }
    return blocks;
  }

  /** Frees three quarters of the blocks at random. */
  private void thin(List<Long> blocks, Random random) {
    blocks.removeIf(
        block -> {
          boolean goes = random.nextInt(4) > 0;
          if (goes) {
            memory.free(block);
          }
          return goes;
        });
  }

  private void moveLeaving(List<Long> blocks) {
    blocks.replaceAll(
        block -> {
          if (!memory.isLeaving(block)) {
            return block;
          }
          long copy = memory.allocate(8 << 10);
          memory.free(block);
          return copy;
        });
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void spansWhoseBlocksAreMovedServeBlocksOfOtherSizes(long seed) {
    List<Long> blocks = fill(16 << 20);
    long held = memory.held();
    thin(blocks, new Random(seed));
    long used = memory.used();
    assertTrue(memory.occupied() > 3 * used / 2, "-Dbg3.seed=" + seed);
    memory.vacate(Long.MAX_VALUE);
    moveLeaving(blocks);
    assertEquals(used, memory.used());
    memory.vacate(0); // what waits in caches goes back
    assertTrue(
        memory.occupied() <= used + 4 * BlockMemory.SPAN,
        "occupied=" + memory.occupied() + ", used=" + used + ", -Dbg3.seed=" + seed);
    while (memory.held() - memory.occupied() >= BlockMemory.SPAN) {
      memory.allocate(2 << 10);
    }
    assertEquals(held, memory.held());
  }

  @Test
  void noMoreSpansAreVacatedThanTheOthersHaveRoomFor() {
    List<Long> blocks = fill(4 << 20);
    assertEquals(0, memory.vacate(Long.MAX_VALUE), "all are full");
    int inSpan = BlockMemory.SPAN / (8 << 10);
    for (int i = 0; i <= inSpan; i++) { // one of many spans each
      memory.free(blocks.get(i * (blocks.size() / (inSpan + 2))));
    }
    assertEquals(BlockMemory.SPAN, memory.vacate(Long.MAX_VALUE));
  }

  @Test
  void aSpanThatWasNotVacatedServesBlocksAgain() {
    List<Long> blocks = fill(4 << 20);
    thin(blocks, new Random(1));
    long held = memory.held();
    assertTrue(memory.vacateAll() > 0);
    assertEquals(0, memory.vacate(0));
    assertTrue(blocks.stream().noneMatch(memory::isLeaving));
    fill((int) (held - memory.used()));
    assertEquals(held, memory.held());
  }

  @Test
  void aSpanThatWasNotVacatedServesBlocksWhenTheOthersAreFull() {
    List<Long> blocks = fill(4 << 20);
    for (int i = 0; i < blocks.size(); i += 2) {
      memory.free(blocks.get(i));
    }
    assertEquals(BlockMemory.SPAN, memory.vacate(1));
    long left = -1;
    for (int i = 1; i < blocks.size(); i += 2) {
      left = memory.isLeaving(blocks.get(i)) ? blocks.get(i) / BlockMemory.SPAN : left;
    }
    memory.vacate(0);
    long held = memory.held();
    for (int i = 0; i < blocks.size() / 4; i++) {
      assertNotEquals(left, memory.allocate(8 << 10) / BlockMemory.SPAN);
    }
    for (int i = blocks.size() / 4; i < blocks.size() / 2; i++) {
      memory.allocate(8 << 10);
    }
    assertEquals(held, memory.held());
  }

  @Test
  void blocksThatAreNotMovedLieInSpansOfTheirOwn() {
    long fixed = memory.allocateFixed(8 << 10);
    List<Long> blocks = fill(1 << 20);
    thin(blocks, new Random(1));
    assertTrue(memory.vacateAll() > 0);
    assertTrue(blocks.stream().anyMatch(memory::isLeaving));
    assertFalse(memory.isLeaving(fixed));
    long used = memory.used();
    memory.free(fixed);
    assertEquals(used - (8 << 10), memory.used());
  }

  @Test
  void largeBlocksThatAreNotMovedCountAsFixed() {
    long used = memory.used();
    long small = memory.allocateFixed(8 << 10);
    long large = memory.allocateFixed(1 << 20);
    long movable = memory.allocate(2 << 20);
    assertEquals(memory.capacity(small) + memory.capacity(large), memory.fixed());
    assertEquals(used + memory.fixed() + memory.capacity(movable), memory.used());
    memory.free(large);
    memory.free(movable);
    assertEquals(8 << 10, memory.fixed());
    memory.free(small);
    assertEquals(0, memory.fixed());
    assertEquals(used, memory.used());
  }

  @Test
  void slabsAreGivenBackWhenMuchMoreIsHeldThanWanted() {
    List<Long> blocks = fill(16 << 20);
    memory.setMost(8 << 20, 1 << 20);
    assertTrue(budget.isPressed());
    assertTrue(memory.held() >= 16 << 20, "nothing is free");
    blocks.forEach(memory::free);
    memory.vacate(0);
    assertTrue(memory.held() <= (8 << 20) + (8 << 20) / 8, "held=" + memory.held());
    assertTrue(memory.held() >= 8 << 20, "held=" + memory.held());
    assertFalse(budget.isPressed());
  }

  @Test
  void blocksFreedOnOneThreadAreUsedAgainByAnother() throws InterruptedException {
    SynchronousQueue<Long> handOver = new SynchronousQueue<>();
    Thread consumer =
        new Thread(
            () -> {
              try {
                for (long address = handOver.take(); address != 0; address = handOver.take()) {
                  memory.free(address);
                }
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    consumer.start();
    for (int i = 0; i < 20_000; i++) {
      handOver.put(memory.allocate(16 << 10));
    }
    handOver.put(0L);
    consumer.join();
    assertEquals(0, budget.used());
    assertTrue(memory.held() <= 4 << 20, "held=" + memory.held());
  }

  @Test
  void findsABlockThatIsFreedTwice() {
    long address = memory.allocate(100);
    memory.free(address);
    assertThrows(AssertionError.class, () -> memory.free(address));
  }

  @Test
  void findsAWriteAfterTheFree() {
    long address = memory.allocate(100);
    ByteBuffer slab = memory.slab(address);
    memory.free(address);
    slab.put(BlockMemory.offset(address) + 99, (byte) 1);
    AssertionError error = assertThrows(AssertionError.class, () -> memory.allocate(100));
    assertTrue(error.getMessage().startsWith("written after it was freed: "), error.getMessage());
  }

  @Test
  void findsAReadBehindTheBytesAskedForAndOneAfterTheFree() {
    long address = memory.allocate(100);
    ByteBuffer slab = memory.slab(address);
    int offset = BlockMemory.offset(address);
    slab.getInt(offset + 96);
    assertThrows(IndexOutOfBoundsException.class, () -> slab.getInt(offset + 97));
    memory.free(address);
    assertThrows(AssertionError.class, () -> memory.slab(address));
    assertEquals(BlockAudit.FREED, slab.get(offset));
  }

  @Test
  void closingReleasesEverythingToTheBudget() {
    memory.allocate(100);
    memory.allocate(1_000_000);
    memory.free(memory.allocate(200));
    memory.close();
    assertEquals(0, budget.used());
    assertThrows(IllegalStateException.class, () -> memory.allocate(100));
  }

  @Test
  void refusesASizeThatIsNone() {
    assertThrows(IllegalArgumentException.class, () -> memory.allocate(0));
    assertThrows(IllegalArgumentException.class, () -> memory.allocate(-1));
    assertThrows(IllegalArgumentException.class, () -> memory.allocate(Integer.MAX_VALUE));
  }

  /** As many spans as wanted are held, and none is free, but blocks in each. */
  @Test
  void whereNoSpanIsFreeABlockMayBeOneOfALargerSize() {
    List<Long> blocks = fill(16 << 20);
    memory.vacate(0); // empties the caches
    while (memory.held() > memory.occupied()) {
      blocks.add(memory.allocate(8 << 10));
      memory.vacate(0);
    }
    memory.setMost(memory.held(), 1 << 20);
    long held = memory.held();
    Set<Long> spans = new HashSet<>();
    List<Long> freed =
        blocks.stream().filter(block -> !spans.add(block / BlockMemory.SPAN)).toList();
    freed.forEach(memory::free);
    memory.vacate(0);
    long before = memory.used();
    List<Long> smaller = new ArrayList<>();
    for (int i = 0; i < freed.size(); i++) {
      smaller.add(memory.allocate(5 << 10));
      assertEquals(8 << 10, memory.capacity(smaller.get(smaller.size() - 1)));
    }
    assertEquals(held, memory.held());
    assertEquals(before + smaller.size() * (8L << 10), memory.used());
    assertEquals(memory.used(), budget.used());
    long small = memory.allocate(3 << 10); // which would waste more than a half
    assertEquals(BlockMemory.capacityFor(3 << 10), memory.capacity(small));
    assertTrue(memory.held() > held, "more is held only where nothing fits");
    memory.free(small);
    smaller.forEach(memory::free);
    assertEquals(before, memory.used());
    assertEquals(before, budget.used());
  }

  /**
   * Blocks in use never overlap, keep what was written into them, and add up to what the budget
   * says, however much is to be held.
   */
  @ParameterizedTest
  @MethodSource("seeds")
  void behavesLikeAMapOfDisjointRanges(long seed) {
    Random random = new Random(seed);
    int mostBytes = 1 << (7 + random.nextInt(13));
    TreeMap<Long, Integer> model = new TreeMap<>();
    List<Long> addresses = new ArrayList<>();
    long used = 0;
    int bias = 30 + random.nextInt(50);
    for (int step = 0; step < 8_000; step++) {
      String at = "-Dbg3.seed=" + seed + ", step " + step;
      if (random.nextInt(200) == 0) {
        memory.setMost((long) random.nextInt(64) << 20, 1 << 20);
      }
      if (random.nextInt(100) < bias && used < 32 << 20) {
        int bytes = 1 + random.nextInt(1 + random.nextInt(mostBytes));
        long address = memory.allocate(bytes);
        assertNotEquals(0, address, at);
        int capacity = memory.capacity(address);
        assertTrue(capacity >= bytes, at);
        assertEquals(0, address % (bytes < 1024 ? 16 : 64), at);
        var before = model.floorEntry(address);
        assertTrue(before == null || before.getKey() + before.getValue() <= address, at);
        var after = model.ceilingKey(address);
        assertTrue(after == null || address + capacity <= after, at);
        fill(address, bytes);
        model.put(address, bytes);
        addresses.add(address);
        used += capacity;
      } else if (!addresses.isEmpty()) {
        int chosen = random.nextInt(addresses.size());
        long address = addresses.set(chosen, addresses.get(addresses.size() - 1));
        addresses.remove(addresses.size() - 1);
        check(address, model.remove(address), at);
        used -= memory.capacity(address);
        memory.free(address);
      }
      assertEquals(used, budget.used(), at);
    }
    assertEquals(used, memory.used());
  }

  @Test
  void threadsThatPassBlocksToEachOtherKeepTheAccounts() throws InterruptedException {
    int threads = 4;
    AtomicReference<Throwable> failure = new AtomicReference<>();
    long[][] shared = new long[threads][0];
    List<Thread> running = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int number = t;
      Thread thread =
          new Thread(
              () -> {
                Random random = new Random(number);
                try {
                  for (int round = 0; round < 200; round++) {
                    long[] mine = new long[50];
                    for (int i = 0; i < mine.length; i++) {
                      int bytes = 8 + random.nextInt(20_000);
                      mine[i] = memory.allocate(bytes);
                      memory.slab(mine[i]).putLong(BlockMemory.offset(mine[i]), mine[i]);
                    }
                    long[] others;
                    synchronized (shared) {
                      int victim = random.nextInt(threads);
                      others = shared[victim];
                      shared[victim] = mine;
                    }
                    for (long address : others) {
                      assertEquals(
                          address, memory.slab(address).getLong(BlockMemory.offset(address)));
                      memory.free(address);
                    }
                  }
                } catch (Throwable e) {
                  failure.compareAndSet(null, e);
                }
              });
      running.add(thread);
      thread.start();
    }
    for (Thread thread : running) {
      thread.join();
    }
    assertEquals(null, failure.get());
    long left = 0;
    for (long[] blocks : shared) {
      for (long address : blocks) {
        left += memory.capacity(address);
      }
    }
    assertEquals(left, budget.used());
    assertEquals(left, memory.used());
  }

  private void fill(long address, int bytes) {
    ByteBuffer slab = memory.slab(address);
    for (int i = 0; i < bytes; i += 61) {
      slab.put(BlockMemory.offset(address) + i, (byte) (address >> 4 ^ i));
    }
  }

  private void check(long address, int bytes, String at) {
    ByteBuffer slab = memory.slab(address);
    for (int i = 0; i < bytes; i += 61) {
      assertEquals((byte) (address >> 4 ^ i), slab.get(BlockMemory.offset(address) + i), at);
    }
  }
}

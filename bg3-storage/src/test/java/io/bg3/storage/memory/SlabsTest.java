package io.bg3.storage.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

/** Looks for slabs by words that are no addresses, as readers with stale hints do. */
class SlabsTest {
  @Test
  void aWordThatIsNoAddressHasNoSlab() {
    Slabs slabs = new Slabs(new MemoryBudget(1 << 20, "bg3.memory.budget"));
    for (long word : new long[] {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32, -1L << 32}) {
      assertNull(slabs.bufferOrNull(word), Long.toHexString(word));
    }
    assertNull(slabs.bufferOrNull((long) slabs.buffers.length << 32));
    assertNull(slabs.bufferOrNull(Long.MIN_VALUE | 1_700_000_000_000L << 20));
    int size = SizeClasses.size(0);
    Span span = slabs.acquire(size, new BlockPool(slabs, size, false));
    long address = (long) span.slab << 32 | span.start;
    assertEquals(slabs.buffers[span.slab], slabs.bufferOrNull(address));
    slabs.close();
  }
}

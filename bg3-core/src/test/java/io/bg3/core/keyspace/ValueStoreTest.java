package io.bg3.core.keyspace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.value.LargeValueCache;
import io.bg3.storage.codec.Codec;
import io.bg3.storage.codec.Compression;
import io.bg3.storage.codec.Compressor;
import io.bg3.storage.extent.ExtentSettings;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.Varints;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.Epochs;
import io.bg3.storage.memory.MemoryBudget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Records of large values that say what is not so. */
class ValueStoreTest {
  private static final byte COMPRESSED = 2;
  private static final byte[] KEY = {1};
  private static final int SPACE = 1; // any but that of edges

  /** As large as lz4 may take for the length, so that only the length itself is wrong. */
  private static final int STORED = 17 << 20;

  private final BlockMemory memory =
      new BlockMemory(new MemoryBudget(8 << 20, "bg3.memory.budget"));
  private final LargeValueCache cache = new LargeValueCache(memory, new Epochs());

  private static ExtentStore extents() throws IOException {
    return ExtentStore.open(new MemoryDisk(), ExtentSettings.of(1, 64 << 20), List.of());
  }

  private ValueStore values(ExtentStore extents) {
    return new ValueStore(extents, 10, new Compressor(Compression.of("none")), cache);
  }

  @Test
  void aValueOfAnotherKeyIsDamageAndIsNotKeptInMemory() throws Exception {
    try (ExtentStore extents = extents()) {
      ValueStore values = values(extents);
      byte[] value = new byte[1_000];
      long location = values.append(SPACE, KEY, value);
      for (int times = 0; times < 2; times++) {
        byte[] other = {2};
        assertThrows(
            CorruptionException.class,
            () -> values.read(SPACE, other, ValueStore.encode(location)));
        assertEquals(times, cache.count());
        assertArrayEquals(value, values.read(SPACE, KEY, ValueStore.encode(location)));
        assertEquals(1, cache.count());
      }
    }
  }

  @Test
  void aLengthThatNoRecordHasIsDamage() throws Exception {
    try (ExtentStore extents = extents()) {
      ValueStore values = values(extents);
      long wraps = (1L << 32) + 5;
      assertTrue(Codec.mayDecode(STORED, wraps), "the codec alone refuses it");
      for (long length : new long[] {wraps, ExtentStore.MAX_PAYLOAD + 1L}) {
        ByteBuffer record = ByteBuffer.allocate(STORED).order(ByteOrder.LITTLE_ENDIAN);
        Varints.put(record, 0);
        Varints.put(record, KEY.length);
        record.put(KEY).put((byte) Codec.LZ4.code());
        Varints.put(record, length);
        long location = extents.append(Stream.VALUE, COMPRESSED, 0, record.clear());
        CorruptionException e =
            assertThrows(
                CorruptionException.class, () -> values.read(0, KEY, ValueStore.encode(location)));
        assertTrue(e.getMessage().contains("length " + length), e.getMessage());
        assertEquals(0, cache.count());
      }
    }
  }
}

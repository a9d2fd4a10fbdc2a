package io.bg3;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.file.Disk;
import io.bg3.storage.file.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Opens stores with one way to compress after another, and reads what all of them have written. */
class StoreCompressionTest {
  private static final Settings SMALL =
      Settings.defaults()
          .with(Setting.MEMORY_BUDGET, "32m")
          .with(Setting.DURABILITY, "none")
          .with(Setting.EXTENT_SIZE, "256k");

  private static final List<String> WAYS = List.of("none", "packed", "lz4", "zstd", "zstd:9");
  private static final int KEYS = 600;

  @Test
  void aStoreOfOneSettingOpensWithAnyOther() throws Exception {
    Disk disk = new MemoryDisk();
    Random random = new Random(7);
    for (int round = 0; round < 2 * WAYS.size(); round++) {
      Settings settings = settings(WAYS.get(round % WAYS.size()));
      try (Bg3 store = Bg3.open(settings, disk)) {
        for (int key = 0; key < KEYS; key++) {
          int writer = round - 1 - Math.floorMod(round - 1 - key, WAYS.size());
          if (writer >= 0) { // each round writes every fifth key
            assertArrayEquals(value(key, writer), get(store, key), "round " + round);
          }
        }
        for (int key = round % WAYS.size(); key < KEYS; key += WAYS.size()) {
          put(store, key, value(key, round));
          if (random.nextInt(40) == 0) {
            store.checkpoint();
          }
        }
        assertEquals(List.of(), store.check(looked -> {}), "round " + round);
      }
    }
  }

  @Test
  void eachStreamIsCompressedByItsOwnSetting() throws Exception {
    Settings settings =
        SMALL
            .with(Setting.COMPRESSION_BASE, "packed")
            .with(Setting.COMPRESSION_DELTA, "none")
            .with(Setting.COMPRESSION_VALUE, "zstd");
    try (Bg3 store = Bg3.open(settings, new MemoryDisk())) {
      for (int round = 0; round < 3; round++) {
        for (int key = 0; key < KEYS; key += 1 + round * 100) {
          put(store, key, value(key, round));
        }
        store.checkpoint();
      }
      StoreStats stats = store.stats();
      StoreStats.StreamBytes base = stats.streams().get(Stream.BASE);
      StoreStats.StreamBytes delta = stats.streams().get(Stream.DELTA);
      StoreStats.StreamBytes value = stats.streams().get(Stream.VALUE);
      assertTrue(base.stored() < base.plain(), stats.toString());
      assertTrue(delta.stored() > 0 && delta.stored() == delta.plain(), stats.toString());
      assertTrue(value.stored() * 10 < value.plain() * 7, stats.toString());
      Map<Stream, Double> ratios = store.sampleImages(1_000);
      assertEquals(Set.of(Stream.BASE, Stream.DELTA), ratios.keySet());
      double ratio = ratios.get(Stream.BASE);
      assertTrue(ratio > 0.1 && ratio < 0.95, "ratio=" + ratio);
      assertEquals(1.0, ratios.get(Stream.DELTA));
    }
  }

  @Test
  void neighboursAndTextTakeLessOfTheDisk() throws Exception {
    long none = bytesOf("none");
    long packed = bytesOf("packed");
    long zstd = bytesOf("zstd");
    assertTrue(packed < none * 6 / 10, "none=" + none + ", packed=" + packed);
    assertTrue(zstd < packed, "packed=" + packed + ", zstd=" + zstd);
  }

  @Test
  void settingsThatAreNoneOfTheWaysAreRefused() {
    for (String text : List.of("gzip", "zstd:0", "zstd:20", "lz4:3", "")) {
      IllegalArgumentException refused =
          assertThrows(
              IllegalArgumentException.class,
              () -> Settings.defaults().with(Setting.COMPRESSION_BASE, text));
      assertTrue(refused.getMessage().contains("bg3.compression.base"), refused.getMessage());
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> Settings.defaults().with(Setting.COMPRESSION_VALUE, "packed"));
    assertFalse(settings("packed").text(Setting.COMPRESSION_VALUE).equals("packed"));
  }

  /** Bytes in BASE extents of a graph of edges and short texts. */
  private static long bytesOf(String way) throws IOException {
    try (Bg3 store = Bg3.open(settings(way), new MemoryDisk())) {
      Random random = new Random(1);
      for (int batch = 0; batch < 40; batch++) {
        try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
          for (int i = 0; i < 500; i++) {
            transaction.putEdge(
                random.nextInt(2_000), 1, 3_000 + random.nextInt(100_000), 0, new byte[0]);
          }
          transaction.put(
              TreeIds.META, key(batch), "a short text".getBytes(StandardCharsets.UTF_8));
          transaction.commit();
        }
      }
      store.checkpoint();
      return store.stats().streams().get(Stream.BASE).stored();
    }
  }

  private static Settings settings(String way) {
    return SMALL
        .with(Setting.COMPRESSION_BASE, way)
        .with(Setting.COMPRESSION_DELTA, way)
        .with(Setting.COMPRESSION_VALUE, way.equals("packed") ? "lz4" : way);
  }

  /** A value of which every third is too large for a page, and every second compresses well. */
  private static byte[] value(int key, int round) {
    byte[] value = new byte[key % 3 == 0 ? 3_000 + key : 20 + key % 50];
    if (key % 2 == 0) {
      new Random(key * 31L + round).nextBytes(value);
    } else {
      for (int i = 0; i < value.length; i++) {
        value[i] = (byte) (key + round + i / 100);
      }
    }
    return value;
  }

  private static void put(Bg3 store, int key, byte[] value) {
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
      transaction.put(TreeIds.META, key(key), value);
      transaction.commit();
    }
  }

  private static byte[] get(Bg3 store, int key) {
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, true)) {
      return transaction.get(TreeIds.META, key(key));
    }
  }

  private static byte[] key(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number + 1_000_000).array();
  }
}

package io.bg3.bench.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.bench.data.EdgeValue;
import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.work.StoreFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each system behind the benchmark's few calls does what they say. */
class ContendersTest {
  private static final int LABEL = 1;
  private static final int EXPIRING = 5;

  @TempDir private Path directory;

  private StoreOptions options(Sync sync) {
    return new StoreOptions(directory.resolve("store"), 64 << 20, sync, false);
  }

  private static void put(StoreWriter writer, long owner, int label, long other, int version) {
    byte[] value = new byte[EdgeValue.LONGEST];
    int length = EdgeValue.fill(owner, other, version, value);
    writer.put(owner, label, other, value, length);
  }

  private static long checksum(long owner, long other, int version) {
    byte[] value = new byte[EdgeValue.LONGEST];
    return EdgeValue.checksum(value, EdgeValue.fill(owner, other, version, value));
  }

  private static long first(long owner, long other, int version) {
    byte[] value = new byte[EdgeValue.LONGEST];
    EdgeValue.fill(owner, other, version, value);
    return EdgeValue.first(value);
  }

  @ParameterizedTest
  @EnumSource(names = {"BG3", "ROCKSDB", "LMDB"})
  void readsWhatWasWrittenAlsoAfterItWasClosed(Contender contender) throws IOException {
    PowerLawGraph graph = new PowerLawGraph(4, 2, 1);
    try (BenchStore store = contender.open(options(Sync.HANDED_OVER), graph);
        StoreWriter writer = store.writer(false)) {
      put(writer, 7, LABEL, 30, 0);
      put(writer, 7, LABEL, 20, 0);
      put(writer, 7, 2, 25, 0);
      put(writer, 8, LABEL, 10, 0);
      writer.commit();
      put(writer, 7, LABEL, 20, 1);
      writer.commit();
      check(store);
      store.settle();
      store.tidy();
    }
    try (BenchStore store = contender.open(options(Sync.EVERY_COMMIT), graph)) {
      check(store);
    }
  }

  private static void check(BenchStore store) {
    try (StoreReader reader = store.reader(LABEL)) {
      long[] others = new long[4];
      assertEquals(50, reader.sum(7));
      assertEquals(50 + first(7, 20, 1) + first(7, 30, 0), reader.sumValues(7));
      assertEquals(0, reader.sumValues(9));
      assertEquals(0, reader.sum(9));
      assertEquals(2, reader.first(7, 4, others));
      assertArrayEquals(new long[] {20, 30}, Arrays.copyOf(others, 2));
      assertEquals(1, reader.first(7, 1, others));
      assertEquals(checksum(7, 20, 1), reader.value(7, 20));
      assertEquals(checksum(7, 30, 0), reader.value(7, 30));
      assertThrows(NoSuchElementException.class, () -> reader.value(7, 25));
      assertTrue(reader.has(7, 20));
      assertFalse(reader.has(7, 25));
    }
  }

  private StoreOptions options(Lifetime lifetime, boolean blobs) {
    Path store = directory.resolve("store");
    return new StoreOptions(store, 64 << 20, Sync.HANDED_OVER, false, lifetime, blobs, Map.of());
  }

  @ParameterizedTest
  @EnumSource(names = {"BG3", "ROCKSDB"})
  void edgesThatExpireComeToAStoreWhoseOtherEdgesStay(Contender contender) throws IOException {
    PowerLawGraph graph = new PowerLawGraph(4, 2, 1);
    try (BenchStore store = contender.open(options(Sync.HANDED_OVER), graph);
        StoreWriter writer = store.writer(false)) {
      put(writer, 7, LABEL, 20, 0);
      writer.commit();
    }
    Lifetime lifetime = new Lifetime(100_000, Set.of(EXPIRING));
    try (BenchStore store = contender.open(options(lifetime, false), graph);
        StoreWriter writer = store.writer(false)) {
      put(writer, 7, EXPIRING, 30, 0);
      put(writer, 7, EXPIRING, 40, 0);
      writer.commit();
      checkBoth(store);
      store.settle();
    }
    try (BenchStore store = contender.open(options(lifetime, false), graph)) {
      checkBoth(store);
    }
  }

  private static void checkBoth(BenchStore store) {
    try (StoreReader staying = store.reader(LABEL);
        StoreReader expiring = store.reader(EXPIRING)) {
      assertEquals(checksum(7, 20, 0), staying.value(7, 20));
      assertEquals(20, staying.sum(7));
      for (int i = 0; i < 2; i++) {
        assertEquals(checksum(7, 30, 0), expiring.value(7, 30));
        assertEquals(70, expiring.sum(7));
        expiring.renew();
      }
    }
  }

  @Test
  void aCommitToRocksDbIsOfEdgesThatExpireOrOfOthers() throws IOException {
    Lifetime lifetime = new Lifetime(100_000, Set.of(EXPIRING));
    PowerLawGraph graph = new PowerLawGraph(4, 2, 1);
    try (BenchStore store = Contender.ROCKSDB.open(options(lifetime, false), graph);
        StoreWriter writer = store.writer(false)) {
      put(writer, 7, EXPIRING, 30, 0);
      assertThrows(IllegalArgumentException.class, () -> put(writer, 7, LABEL, 20, 0));
    }
  }

  @Test
  void noReaderOfBg3SeesAnEdgeThatHasExpired() throws Exception {
    Lifetime lifetime = new Lifetime(1, Set.of(EXPIRING));
    try (BenchStore store =
            Contender.BG3.open(options(lifetime, false), new PowerLawGraph(4, 2, 1));
        StoreWriter writer = store.writer(false);
        StoreReader reader = store.reader(EXPIRING)) {
      assertTrue(store.hidesExpired());
      put(writer, 7, EXPIRING, 30, 0);
      writer.commit();
      reader.renew();
      while (reader.has(7, 30)) {
        Thread.sleep(20);
        reader.renew();
      }
      assertEquals(0, reader.sum(7));
    }
  }

  @Test
  void valuesOfRocksDbMayStandInBlobFiles() throws IOException {
    PowerLawGraph graph = new PowerLawGraph(4, 2, 1);
    try (BenchStore store = Contender.ROCKSDB.open(options(Lifetime.NONE, true), graph);
        StoreWriter writer = store.writer(false)) {
      put(writer, 7, LABEL, 20, 0);
      writer.commit();
      store.settle();
      try (StoreReader reader = store.reader(LABEL)) {
        assertEquals(checksum(7, 20, 0), reader.value(7, 20));
      }
      String[] files = directory.resolve("store").toFile().list();
      assertTrue(Arrays.stream(files).anyMatch(name -> name.endsWith(".blob")));
    }
  }

  @Test
  void edgesLiveForASecondAtLeast() {
    assertThrows(IllegalArgumentException.class, () -> new Lifetime(0, Set.of(EXPIRING)));
  }

  @ParameterizedTest
  @EnumSource(names = {"BG3", "ROCKSDB", "LMDB"})
  void orderedEdgesAreReadNewestFirstAndCounted(Contender contender) throws IOException {
    PowerLawGraph graph = new PowerLawGraph(4, 2, 1);
    byte[] value = new byte[EdgeValue.LONGEST];
    long[] others = new long[4];
    try (BenchStore store = contender.open(options(Sync.HANDED_OVER), graph);
        OrderedLists lists = store.lists(LABEL)) {
      for (long other : new long[] {30, 10, 20}) {
        int length = EdgeValue.fill(7, other, 0, value);
        lists.put(7, 100 - other, other, value, length);
        lists.put(8, other, other + 1, value, length);
        lists.commit();
      }
      lists.renew();
      assertEquals(3, lists.newest(7, 4, others));
      assertArrayEquals(new long[] {10, 20, 30}, Arrays.copyOf(others, 3));
      assertEquals(2, lists.newest(8, 2, others));
      assertArrayEquals(new long[] {31, 21}, Arrays.copyOf(others, 2));
      assertEquals(0, lists.newest(9, 2, others));
      assertEquals(3, lists.count(7));
      assertEquals(0, lists.count(9));
      assertEquals(checksum(7, 20, 0), lists.value(7, 20));
      assertThrows(NoSuchElementException.class, () -> lists.value(7, 21));
      lists.delete(7, 90, 10);
      lists.commit();
      assertEquals(3, lists.count(7), "the snapshot is the same");
      lists.renew();
      assertEquals(2, lists.count(7));
      assertEquals(1, lists.newest(7, 1, others));
      assertEquals(20, others[0]);
      assertThrows(NoSuchElementException.class, () -> lists.value(7, 10));
    }
  }

  /** A kill leaves what the operating system has: the files, without those that are in memory. */
  @ParameterizedTest
  @EnumSource(names = {"BG3", "ROCKSDB", "LMDB"})
  void aCommitThatWasHandedOverSurvivesAKill(Contender contender) throws IOException {
    PowerLawGraph graph = new PowerLawGraph(4, 2, 1);
    Path copy = directory.resolve("copy");
    try (BenchStore store = contender.open(options(Sync.HANDED_OVER), graph);
        StoreWriter writer = store.writer(false)) {
      for (int i = 1; i <= 20; i++) {
        put(writer, 7, LABEL, i, 0);
        writer.commit();
        StoreFiles.delete(copy);
        StoreFiles.copy(directory.resolve("store"), copy);
        Files.deleteIfExists(copy.resolve("lock.mdb"));
        StoreOptions left = new StoreOptions(copy, 64 << 20, Sync.EVERY_COMMIT, false);
        try (BenchStore reopened = contender.open(left, graph);
            StoreReader reader = reopened.reader(LABEL)) {
          assertEquals(i * (i + 1L) / 2, reader.sum(7));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"BG3", "ROCKSDB", "LMDB"})
  void aReaderSeesWhatIsNewWhenItIsRenewed(Contender contender) throws IOException {
    PowerLawGraph graph = new PowerLawGraph(4, 2, 1);
    try (BenchStore store = contender.open(options(Sync.HANDED_OVER), graph);
        StoreWriter writer = store.writer(false);
        StoreReader reader = store.reader(LABEL)) {
      assertEquals(0, reader.sum(7));
      put(writer, 7, LABEL, 30, 0);
      writer.commit();
      reader.renew();
      assertEquals(30, reader.sum(7));
    }
  }

  @ParameterizedTest
  @EnumSource(names = "ARRAYS")
  void sortedArraysHoldTheGraph(Contender contender) throws IOException {
    PowerLawGraph graph = new PowerLawGraph(100, 1_000, 1);
    long[] targets = new long[graph.maxDegree()];
    long[] found = new long[graph.maxDegree()];
    long[] owners = new long[100];
    long all = 0;
    try (BenchStore store = contender.open(options(Sync.HANDED_OVER), graph);
        BatchReader reader = (BatchReader) store.reader(LABEL)) {
      for (int i = 0; i < graph.sources(); i++) {
        int count = graph.targets(i, targets);
        owners[i] = PowerLawGraph.id(i);
        assertEquals(count, reader.first(owners[i], found.length, found));
        assertArrayEquals(Arrays.copyOf(targets, count), Arrays.copyOf(found, count));
        all += reader.sum(owners[i]);
      }
      assertEquals(all, reader.sum(owners, 0, owners.length));
    }
  }
}

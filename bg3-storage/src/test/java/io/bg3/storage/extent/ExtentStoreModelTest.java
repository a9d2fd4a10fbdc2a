package io.bg3.storage.extent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.PowerCut;
import io.bg3.storage.file.Sites;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Gives an extent store and a map the same random operations and expects the same answers.
 *
 * <p>The test plays the manifest: a checkpoint syncs and notes the usage rows with what is in the
 * map, and whatever happens later, closing and reopening or a power cut at any write, the store
 * opened with these rows must hold what the map held then. How often each operation happens is
 * drawn per seed. A failure prints its seed; repeat it with {@code -Dbg3.seed=…}.
 */
class ExtentStoreModelTest {
  private static final Sites SITES = new Sites();

  private enum Op {
    APPEND,
    APPEND_SOME,
    MOVE,
    SEAL,
    READ,
    RELEASE,
    SYNC,
    CHECKPOINT,
    DELETE,
    REOPEN,
    CRASH
  }

  /** An appended record. */
  private record Content(byte kind, long key, ByteBuffer payload) {}

  static LongStream seeds() {
    return Seeds.of(40);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void answersLikeAMapAlsoAfterAPowerCut(long seed) throws IOException {
    try {
      new Run(seed).go();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("-Dbg3.seed=" + seed + ": " + e.getMessage(), e);
    }
  }

  @Test
  void everyPlaceThatWritesWasCutAtLeastOnce() throws IOException {
    for (long seed = 0; seed < 200 && !(seed > 3 && SITES.uncut().isEmpty()); seed++) {
      new Run(seed).go();
    }
    assertEquals(
        Set.of(
            "ExtentFiles.create:create",
            "ExtentFiles.create:write",
            "ExtentWriter.write:write",
            "ExtentRemoval.deleteFile:delete",
            "UnnamedFiles.deleteFound:delete",
            "UnsyncedExtents.sync:sync",
            "UnsyncedExtents.sync:syncDirectory"),
        SITES.changing().keySet());
    assertEquals(Set.of(), SITES.uncut());
  }

  /** Records that threads append and then sync survive a power cut, however their syncs overlap. */
  @Test
  void aSyncCoversWhatWasAppendedBeforeIt() throws Exception {
    Random random = new Random();
    for (int round = 0; round < 10; round++) {
      CrashingDisk disk = new CrashingDisk(new Sites(), random);
      ExtentSettings settings = ExtentSettings.of(7, 1 << 10);
      ExtentStore store = ExtentStore.open(disk, settings, List.of());
      Map<Long, Long> synced = new ConcurrentHashMap<>();
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        long first = t * 1000L;
        Thread thread =
            new Thread(
                () -> {
                  try {
                    for (long key = first; ; key++) {
                      long location =
                          store.append(Stream.VALUE, (byte) 0, key, ByteBuffer.allocate(100));
                      store.sync();
                      synced.put(location, key);
                    }
                  } catch (IOException | PowerCut e) {
                    // The power is gone, or was when another thread tried.
                  }
                });
        threads.add(thread);
        thread.start();
      }
      disk.cutAtWrite(1 + random.nextInt(400));
      for (Thread thread : threads) {
        thread.join();
      }
      try (ExtentStore after = ExtentStore.open(disk.crash(random), settings, store.usage())) {
        for (Map.Entry<Long, Long> entry : synced.entrySet()) {
          assertEquals(entry.getValue(), after.read(entry.getKey()).key());
        }
      }
    }
  }

  /** One run over one seed. */
  private static final class Run {
    private final Random random;
    private final ExtentSettings settings;
    private final Op[] bag;
    private CrashingDisk disk;
    private ExtentStore store;
    private final Map<Long, Content> live = new HashMap<>();
    private List<ExtentUsage> manifest = List.of();
    private Map<Long, Content> checkpointed = Map.of();

    Run(long seed) {
      this.random = new Random(seed);
      this.disk = new CrashingDisk(SITES, random);
      this.settings =
          new ExtentSettings(seed, 1 << (10 + random.nextInt(4)), 1 + random.nextInt(5), () -> 5);
      this.bag = bag();
    }

    private Op[] bag() {
      List<Op> ops = new ArrayList<>();
      for (Op op : Op.values()) {
        int most = op == Op.CRASH || op == Op.REOPEN ? 2 : op == Op.APPEND ? 30 : 10;
        int times = (op == Op.APPEND ? 5 : 0) + random.nextInt(most);
        for (int i = 0; i < times; i++) {
          ops.add(op);
        }
      }
      return ops.toArray(new Op[0]);
    }

    void go() throws IOException {
      open();
      for (int step = 0; step < 400; step++) {
        try {
          apply(bag[random.nextInt(bag.length)]);
        } catch (PowerCut e) {
          reset();
        }
      }
    }

    private void apply(Op op) throws IOException {
      switch (op) {
        case APPEND -> append();
        case APPEND_SOME -> appendSome();
        case MOVE -> move();
        case SEAL -> seal();
        case READ -> read();
        case RELEASE -> release();
        case SYNC -> store.sync();
        case CHECKPOINT -> checkpoint();
        case DELETE -> delete();
        case REOPEN -> reset();
        case CRASH -> disk.cutAtWrite(1 + random.nextInt(20));
        default -> throw new AssertionError(op);
      }
    }

    private Content content() {
      byte[] payload = new byte[random.nextInt(random.nextInt(10) == 0 ? 5000 : 300)];
      random.nextBytes(payload);
      return new Content((byte) random.nextInt(), random.nextLong(), ByteBuffer.wrap(payload));
    }

    /** The payload in two pieces. */
    private ByteBuffer[] parts(Content content) {
      int length = content.payload.capacity();
      int split = random.nextInt(length + 1);
      return new ByteBuffer[] {
        content.payload.slice(0, split), content.payload.slice(split, length - split)
      };
    }

    private void append() throws IOException {
      Content content = content();
      Stream stream = Stream.of(random.nextInt(4));
      appended(store.append(stream, content.kind, content.key, parts(content)), content);
    }

    /** Several records of several streams and families at once, in any order. */
    private void appendSome() throws IOException {
      List<Content> contents = new ArrayList<>();
      List<NewRecord> records = new ArrayList<>();
      for (int i = random.nextInt(12); i > 0; i--) {
        Content content = content();
        contents.add(content);
        Stream stream = Stream.of(random.nextInt(2));
        int family = random.nextInt(3);
        records.add(new NewRecord(stream, family, 5, content.kind, content.key, parts(content)));
      }
      long[] locations = store.append(records);
      assertEquals(records.size(), locations.length);
      for (int i = 0; i < locations.length; i++) {
        appended(locations[i], contents.get(i));
      }
    }

    private void appended(long location, Content content) {
      assertTrue(live.put(location, content) == null, "a place was given twice");
    }

    /** Copies a record and lets go of the old one. */
    private void move() throws IOException {
      if (!live.isEmpty()) {
        long location = some();
        Content content = live.get(location);
        ExtentRecord record = store.read(location);
        Stream stream =
            store.usage().stream()
                .filter(usage -> usage.extent() == Location.extent(location))
                .findFirst()
                .orElseThrow()
                .stream();
        long copy = store.appendMoved(stream, record.kind(), record.key(), record.payload());
        assertTrue(live.put(copy, content) == null, "a place was given twice");
        live.remove(location);
        store.release(location);
        assertEquals(List.of(true), origins(Location.extent(copy)));
      }
    }

    private List<Boolean> origins(int extent) {
      return store.usage().stream()
          .filter(usage -> usage.extent() == extent)
          .map(ExtentUsage::moved)
          .toList();
    }

    private void seal() throws IOException {
      if (!live.isEmpty()) {
        store.sealTail(Location.extent(some()));
      }
    }

    private void read() throws IOException {
      if (!live.isEmpty()) {
        check(some());
      }
    }

    private void release() {
      if (!live.isEmpty()) {
        long location = some();
        live.remove(location);
        store.release(location);
      }
    }

    private void checkpoint() throws IOException {
      store.sync();
      manifest = store.usage();
      checkpointed = new HashMap<>(live);
    }

    /** The extents that are dead now and were dead when the manifest was written. */
    private void delete() throws IOException {
      for (int extent : store.dead()) {
        boolean needed =
            checkpointed.keySet().stream().anyMatch(at -> Location.extent(at) == extent);
        if (!needed) {
          store.delete(extent);
          assertThrows(IllegalArgumentException.class, () -> store.delete(extent));
        }
      }
    }

    /** Closes or loses the store and opens what the manifest knows. */
    private void reset() throws IOException {
      if (disk.isCut()) {
        disk = disk.crash(random);
        if (random.nextInt(3) == 0) {
          disk.cutAtWrite(1 + random.nextInt(3)); // opening deletes files
        }
      } else if (random.nextBoolean()) {
        disk.heal();
        disk = disk.kill();
      } else {
        disk.heal();
        store.close();
      }
      live.clear();
      live.putAll(checkpointed);
      open();
      assertEquals(live(manifest), live(store.usage()));
      assertEquals(
          manifest.stream().mapToLong(ExtentUsage::live).sum(), store.liveBytes(), "live bytes");
      for (long location : live.keySet()) {
        check(location);
      }
    }

    /** Of extents without anything live the files may be gone already; they are sealed then. */
    private static List<ExtentUsage> live(List<ExtentUsage> rows) {
      return rows.stream().filter(row -> row.live() > 0).toList();
    }

    private void open() throws IOException {
      try {
        store = ExtentStore.open(disk, settings, manifest);
      } catch (PowerCut e) {
        reset();
      }
    }

    private void check(long location) throws IOException {
      Content content = live.get(location);
      ExtentRecord record = store.read(location);
      assertEquals(content.kind, record.kind());
      assertEquals(content.key, record.key());
      assertEquals(content.payload, record.payload());
    }

    private long some() {
      long[] locations = live.keySet().stream().mapToLong(Long::longValue).toArray();
      Arrays.sort(locations);
      return locations[random.nextInt(locations.length)];
    }
  }

  @Test
  void namesOfFilesSayStreamAndNumber() throws IOException {
    CrashingDisk disk = new CrashingDisk();
    try (ExtentStore store = ExtentStore.open(disk, ExtentSettings.of(7, 1 << 10), List.of())) {
      for (Stream stream : Stream.values()) {
        store.append(stream, (byte) 0, 0);
      }
    }
    assertEquals(
        Set.of(
            "extent-base-00000001",
            "extent-delta-00000002",
            "extent-value-00000003",
            "extent-map-00000004"),
        new TreeSet<>(disk.list()));
  }
}

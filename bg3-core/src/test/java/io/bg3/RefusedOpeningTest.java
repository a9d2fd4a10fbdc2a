package io.bg3;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.StoreFailedException;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.storage.extent.NoSuchExtentException;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.CrashingDisk.Fault;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.file.PowerCut;
import io.bg3.storage.file.Sites;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.FormatTooNewException;
import io.bg3.storage.format.UnreadableException;
import io.bg3.storage.memory.MemoryExceededException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Opens a store with every kind of damage to every one of its files. Either it opens, and each
 * answer is right or refused, or it does not open, and then every file is as it was.
 *
 * <p>The store was killed with a log to replay, large values in it, a torn tail behind it, extents
 * that the manifest does not name, and a manifest that was about to replace it: everything that an
 * opening which succeeds writes over or deletes.
 *
 * <p>Takes about 6 s for every kind of damage to every file: it proves that a refused opening keeps
 * the evidence. It has no longer form.
 */
class RefusedOpeningTest {
  private static final int TREE = TreeIds.EXTERNAL_IDS;
  private static final int KEYS = 500;
  private static final long FILLER = 1_000_000;
  private static final Settings SMALL =
      Settings.defaults()
          .with(Setting.MEMORY_BUDGET, "64m")
          .with(Setting.PAGE_CAPACITY, "1k")
          .with(Setting.EXTENT_SIZE, "64k")
          .with(Setting.VALUE_THRESHOLD, "64")
          .with(Setting.LOG_LIMIT, "8m")
          .with(Setting.LOG_SEGMENT_MIN, "64k")
          .with(Setting.LOG_SEGMENT_MAX, "64k");

  private static final Map<Long, byte[]> MODEL = new TreeMap<>();
  private static StoreImage killed;

  @TempDir Path directory;

  /** The outcome of opening a damaged store. */
  private interface Opening {
    Bg3 open(Settings settings, StoreImage image) throws IOException;

    StoreImage after() throws IOException;
  }

  @BeforeAll
  static void killAStore() throws IOException {
    Random random = new Random(3);
    MemoryDisk disk = new MemoryDisk();
    try (Bg3 store = Bg3.open(SMALL, disk)) {
      for (long key = 0; key < KEYS; key++) {
        put(store, random, key);
      }
      store.checkpoint();
      for (long key = KEYS / 2; key < KEYS + KEYS / 2; key++) {
        put(store, random, key);
      }
      // No later record claims what the last segments hold, so that its loss looks like a
      // torn tail.
      int segments = segments(disk);
      for (long key = FILLER; segments(disk) < segments + 2; key++) {
        put(store, random, key);
      }
      killed = tornTail(StoreImage.of(disk));
    }
    MODEL.keySet().removeIf(key -> key >= FILLER);
    byte[] litter = new byte[5_000];
    random.nextBytes(litter);
    killed =
        killed
            .with("extent-base-00000fff", litter)
            .with("extent-value-00001000", litter)
            .with("manifest.new", litter)
            .with("lock", "another program's".getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  @Test
  void theStoreOpensUndamaged() throws Exception {
    for (Opening opening : openings()) {
      assertEquals(0, wrong(opening, SMALL, killed), "reads refused");
      StoreImage opened = opening.after();
      assertTrue(!opened.names().contains("extent-base-00000fff"), opened.toString());
    }
  }

  @Test
  void aRefusedOpeningChangesNoFile() throws Exception {
    int refused = 0;
    int opened = 0;
    for (Opening opening : openings()) {
      for (Map.Entry<String, StoreImage> damage : damages().entrySet()) {
        try {
          wrong(opening, SMALL, damage.getValue());
          opened++;
        } catch (UnreadableException e) {
          refused++;
          assertTrue(e.getMessage().contains("file="), damage.getKey() + ": " + e.getMessage());
          assertUnchanged(damage.getKey() + ": " + e, damage.getValue(), opening.after());
        } catch (RuntimeException | IOException | Error e) {
          throw new AssertionError(damage.getKey(), e);
        }
      }
    }
    assertTrue(refused > 50 && opened > 50, "refused=" + refused + ", opened=" + opened);
  }

  /** Damage that has to be refused, whatever else is there. */
  @Test
  void damageToWhatOpeningNeedsIsRefusedAndNamed() throws Exception {
    List<String> needed =
        killed.names().stream()
            .filter(name -> name.matches("manifest|log-0.*0|extent-map.*"))
            .toList();
    assertTrue(needed.size() >= 3, killed.toString());
    for (Opening opening : openings()) {
      for (String name : needed) {
        if (name.startsWith("log") && !name.equals(firstSegment(killed))) {
          continue;
        }
        assertRefused(opening, CorruptionException.class, name, killed.without(name));
        assertRefused(opening, CorruptionException.class, name, killed.flipped(name, 10));
        assertRefused(opening, FormatTooNewException.class, name, killed.newer(name));
        assertRefused(opening, CorruptionException.class, name, killed.cut(name, 20));
      }
    }
  }

  @Test
  void extentsOrALogBesideNoManifestAreAStoreThatLostIt() throws Exception {
    StoreImage lost = killed.without("manifest").without("manifest.new");
    StoreImage extents = lost;
    StoreImage log = lost;
    for (String name : lost.names()) {
      extents = name.startsWith("log") ? extents.without(name) : extents;
      log = name.startsWith("extent") ? log.without(name) : log;
    }
    StoreImage laterSegment = log;
    for (String name : log.names()) {
      boolean last = name.equals(lastSegment(log));
      laterSegment = name.startsWith("log") && !last ? laterSegment.without(name) : laterSegment;
    }
    for (Opening opening : openings()) {
      for (StoreImage image : List.of(lost, extents, log, laterSegment)) {
        assertRefused(opening, CorruptionException.class, "manifest", image);
      }
    }
  }

  /**
   * A replay that does not fit into the memory flushes to new extents. An opening that is refused
   * behind that leaves none of them. One to read only cannot flush, and is refused.
   */
  @Test
  void aReplayThatIsLargerThanTheBudgetSucceedsOrChangesNoFile() throws Exception {
    Settings large = SMALL.with(Setting.VALUE_THRESHOLD, "1k").with(Setting.PAGE_CAPACITY, "8k");
    MemoryDisk disk = new MemoryDisk();
    StoreImage image;
    try (Bg3 store = Bg3.open(large.with(Setting.LOG_LIMIT, "256m"), disk)) {
      for (int i = 0; i < 120; i++) {
        if (i == 60) {
          store.checkpoint();
        }
        try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
          for (int j = 0; j < 1_000; j++) {
            transaction.put(TREE, key(1_000L * (i % 60) + j), new byte[250]);
          }
          transaction.put(TREE, key(FILLER + i), new byte[50_000]);
          transaction.commit();
        }
      }
      image =
          StoreImage.of(disk).with("extent-base-00000fff", new byte[9]).with("lock", new byte[3]);
    }
    Settings small = large.with(Setting.MEMORY_BUDGET, "8m");
    String base =
        image.names().stream()
            .filter(name -> name.startsWith("extent-base-") && !name.endsWith("fff"))
            .max(String::compareTo)
            .orElseThrow();
    StoreImage damaged = image.flipped(base, 1_000);
    for (Opening opening : openings()) {
      try (Bg3 store = opening.open(small, image);
          Transaction transaction = store.transactions().begin(Isolation.STRICT, true)) {
        for (int i = 0; i < 60_000; i++) {
          assertTrue(transaction.exists(TREE, key(i)), "key " + i);
        }
        assertTrue(transaction.exists(TREE, key(FILLER + 119)));
      }
      CorruptionException e =
          assertThrows(CorruptionException.class, () -> opening.open(small, damaged).close());
      assertUnchanged(e.toString(), damaged, opening.after());
      MemoryExceededException refused =
          assertThrows(
              MemoryExceededException.class,
              () -> opening.open(small.with(Setting.READ_ONLY, "true"), image));
      assertTrue(refused.getMessage().contains("bg3.memory.budget"), refused.getMessage());
      assertUnchanged(refused.toString(), image, opening.after());
    }
  }

  /** Also an opening that finds no damage leaves everything as it was, if it is to read only. */
  @Test
  void anOpeningToReadOnlyChangesNoFile() throws Exception {
    Settings readOnly = SMALL.with(Setting.READ_ONLY, "true");
    for (Opening opening : openings()) {
      assertEquals(0, wrong(opening, readOnly, killed), "reads refused");
      assertUnchanged("undamaged", killed, opening.after());
      for (Map.Entry<String, StoreImage> damage : damages().entrySet()) {
        try {
          wrong(opening, readOnly, damage.getValue());
        } catch (UnreadableException e) {
          assertTrue(e.getMessage().contains("file="), damage.getKey() + ": " + e.getMessage());
        }
        assertUnchanged(damage.getKey(), damage.getValue(), opening.after());
      }
    }
  }

  /** So that a full disk does not matter to one who only looks. */
  @Test
  void aStoreThatWasOnlyReadIsClosedWithoutAWrite() throws Exception {
    CrashingDisk disk = killed.onto(new CrashingDisk());
    Bg3.open(SMALL, disk).close();
    long before;
    try (Bg3 store = Bg3.open(SMALL, disk)) {
      before = disk.writes();
      assertEquals(0, wrongAnswers(store));
    }
    assertEquals(before, disk.writes());
    try (Bg3 store = Bg3.open(SMALL.with(Setting.READ_ONLY, "true"), disk)) {
      assertEquals(0, wrongAnswers(store));
      assertThrows(IllegalStateException.class, store::checkpoint);
      StoreFailedException e =
          assertThrows(StoreFailedException.class, () -> commit(store, FILLER, new byte[1]));
      assertTrue(e.getMessage().contains("bg3.read.only"), e.getMessage());
    }
    assertEquals(before, disk.writes());
  }

  /**
   * Any call to the disk may fail while the store is opened, once or from then on. No answer may be
   * wrong, above all none may be that there is no file; and when the disk is well again, the store
   * opens with everything in it.
   */
  @Test
  void anOpeningThatTheDiskFailsLosesNothing() throws Exception {
    boolean failed = true;
    for (int n = 1; failed; n += n < 60 ? 1 : 37) {
      for (boolean forever : new boolean[] {false, true}) {
        String where = "operation=" + n + ", forever=" + forever;
        CrashingDisk disk = killed.onto(new CrashingDisk());
        disk.failAt(n, n % 2 == 0 ? Fault.EIO : Fault.ENOSPC, forever);
        failed = true;
        try (Bg3 store = Bg3.open(SMALL, disk)) {
          failed = disk.faults() > 0;
          disk.heal();
          assertEquals(0, wrongAnswers(store), where);
        } catch (IOException | RuntimeException e) {
          assertTrue(disk.faults() > 0, where + ": " + e);
          disk.heal();
        }
        try (Bg3 store = Bg3.open(SMALL, disk.kill())) {
          assertEquals(0, wrongAnswers(store), where);
        }
      }
    }
  }

  /** Nothing has been promised yet, so a store that was never made must not be called damaged. */
  @Test
  void aStoreKilledAtAnyWriteOfItsCreationOpens() throws Exception {
    boolean cut = true;
    for (int n = 1; cut; n++) {
      for (int outcome = 0; outcome < 20; outcome++) {
        CrashingDisk disk = new CrashingDisk(new Sites(), new Random(outcome));
        disk.cutAtWrite(n);
        try (Bg3 store = Bg3.open(SMALL, disk)) {
          assertNotNull(store);
          cut = false;
        } catch (PowerCut e) {
          cut = true;
        }
        CrashingDisk next = outcome == 0 ? disk.kill() : disk.crash(new Random(outcome));
        try (Bg3 store = Bg3.open(SMALL, next)) {
          put(store, new Random(1), 7);
          assertNotNull(get(store, 7));
        }
        MODEL.remove(7L);
      }
    }
  }

  // ---- The damages.

  private static Map<String, StoreImage> damages() {
    Map<String, StoreImage> damages = new LinkedHashMap<>();
    for (String name : killed.names()) {
      if (name.equals("lock")) {
        continue;
      }
      byte[] content = killed.content(name);
      int used = Math.max(1, killed.used(name));
      damages.put(name + " is missing", killed.without(name));
      damages.put(name + " has a flipped header", killed.flipped(name, 10));
      damages.put(name + " has a flipped middle", killed.flipped(name, used / 2));
      damages.put(name + " has a flipped end", killed.flipped(name, used - 1));
      damages.put(name + " is empty", killed.cut(name, 0));
      damages.put(name + " ends early", killed.cut(name, content.length / 2));
      if (content[0] == 'B') {
        damages.put(name + " is newer", killed.newer(name));
        damages.put(name + " is another store's", killed.ofAnotherStore(name));
      }
    }
    return damages;
  }

  /** The image with the last record of the log damaged, as a torn write leaves it. */
  private static StoreImage tornTail(StoreImage image) {
    for (String name : image.names().stream().sorted((a, b) -> b.compareTo(a)).toList()) {
      if (name.startsWith("log") && image.used(name) > 4096) {
        return image.flipped(name, image.used(name) - 1);
      }
    }
    throw new AssertionError(image.toString());
  }

  private static String firstSegment(StoreImage image) {
    return image.names().stream().filter(name -> name.startsWith("log")).findFirst().orElseThrow();
  }

  private static String lastSegment(StoreImage image) {
    return image.names().stream()
        .filter(name -> name.startsWith("log"))
        .reduce((a, b) -> b)
        .orElseThrow();
  }

  private static int segments(MemoryDisk disk) {
    return (int) disk.list().stream().filter(name -> name.startsWith("log")).count();
  }

  // ---- The openings.

  private List<Opening> openings() {
    return List.of(onACrashingDisk(), onRealFiles());
  }

  private static Opening onACrashingDisk() {
    return new Opening() {
      private CrashingDisk disk;

      @Override
      public Bg3 open(Settings settings, StoreImage image) throws IOException {
        disk = image.onto(new CrashingDisk());
        return Bg3.open(settings, disk);
      }

      @Override
      public StoreImage after() throws IOException {
        assertEquals(0, disk.openFiles(), "files are still open");
        return StoreImage.of(disk);
      }
    };
  }

  private Opening onRealFiles() {
    Path store = directory.resolve("store");
    return new Opening() {
      @Override
      public Bg3 open(Settings settings, StoreImage image) throws IOException {
        image.into(store);
        return Bg3.open(settings.with(Setting.DIRECTORY, store.toString()));
      }

      @Override
      public StoreImage after() throws IOException {
        assertTrue(Files.isDirectory(store));
        return StoreImage.of(store);
      }
    };
  }

  private static void assertRefused(
      Opening opening, Class<? extends UnreadableException> how, String file, StoreImage image)
      throws IOException {
    UnreadableException e = assertThrows(how, () -> opening.open(SMALL, image).close());
    // The name of a segment that is missing is not known.
    String kind = file.startsWith("log") ? "log-" : file;
    assertTrue(e.file().contains(kind) || e.getMessage().contains("manifest"), e.getMessage());
    assertUnchanged(e.toString(), image, opening.after());
  }

  private static void assertUnchanged(String what, StoreImage before, StoreImage after) {
    assertEquals(List.of(), before.differences(after), what);
  }

  // ---- What is in the store.

  /** Opens the store, compares every answer, and closes it; returns how many were refused. */
  private static int wrong(Opening opening, Settings settings, StoreImage image)
      throws IOException {
    Bg3 store = opening.open(settings, image);
    int refused = wrongAnswers(store);
    try {
      store.close();
    } catch (IOException e) {
      if (refused == 0) {
        throw e;
      }
    }
    return refused;
  }

  /** Compares every answer with what was committed; returns how many were refused as damaged. */
  private static int wrongAnswers(Bg3 store) {
    List<Long> refused = new ArrayList<>();
    for (Map.Entry<Long, byte[]> entry : MODEL.entrySet()) {
      try {
        assertArrayEquals(entry.getValue(), get(store, entry.getKey()), "key " + entry.getKey());
      } catch (UnreadableException | NoSuchExtentException e) {
        refused.add(entry.getKey());
      }
    }
    return refused.size();
  }

  private static void put(Bg3 store, Random random, long key) {
    byte[] value = new byte[random.nextInt(4) == 0 ? 300 : 30];
    random.nextBytes(value);
    commit(store, key, value);
    MODEL.put(key, value);
  }

  private static void commit(Bg3 store, long key, byte[] value) {
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
      transaction.put(TREE, key(key), value);
      transaction.commit();
    }
  }

  private static byte[] get(Bg3 store, long key) {
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, true)) {
      return transaction.get(TREE, key(key));
    }
  }

  private static byte[] key(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }
}

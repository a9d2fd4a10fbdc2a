package io.bg3.torture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Settings;
import io.bg3.StoreOnDisk;
import io.bg3.core.commit.Durability;
import io.bg3.core.commit.StoreFailedException;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.transaction.Transaction;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.CrashingDisk.Fault;
import io.bg3.storage.file.Sites;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Lets the n-th operation of the disk fail, for every n until a life of the store passes without
 * it: once and for good, with an error of the device and with a full disk, in opening, work,
 * checkpoints and closing, on new stores and on such as a crash has left. A write that fails may
 * have been done in part.
 *
 * <p>{@code -Dbg3.torture.failures=true} takes every n; otherwise only some of the later ones are
 * taken.
 *
 * <p>After each failure the store is opened once more, from what a power cut leaves of the disk and
 * from what a kill leaves. Everything that was acknowledged has to be there, nothing half done, and
 * the check clean. A failure has to say what the disk said; while the store has stopped writing no
 * commit may succeed, and closing must not pretend that nothing was the matter.
 *
 * <p>Takes about 25 s in its short form: it proves that no error of a disk is swallowed, wherever
 * it strikes.
 */
class IoFailureIT {
  private static final int CLIENTS = 2;
  private static final int STEPS = 12;

  /** Otherwise some of the later operations, drawn anew in each run. */
  private static final boolean EVERY = Boolean.getBoolean("bg3.torture.failures");

  private static final int FIRST = 40;

  private final long seed = Seeds.one();

  /** The state of the store before the life in which an operation fails. */
  private enum Before {
    /** Nothing: the store is made. */
    NEW,
    /** As closing has left it. */
    CLOSED,
    /** As a power cut has left it: a log to be replayed, a torn tail. */
    CRASHED
  }

  static Stream<Arguments> lives() {
    List<Arguments> all = new ArrayList<>();
    for (Before before : Before.values()) {
      for (Fault fault : Fault.values()) {
        for (boolean forever : new boolean[] {false, true}) {
          all.add(Arguments.of(before, fault, forever, Durability.SYNC));
        }
      }
      if (before != Before.CRASHED) { // which takes commits back that the clients believe in
        all.add(Arguments.of(before, Fault.ENOSPC, true, Durability.ASYNC));
        all.add(Arguments.of(before, Fault.EIO, false, Durability.NONE));
      }
    }
    return all.stream();
  }

  @ParameterizedTest(name = "{0} {1} forever={2} {3}")
  @MethodSource("lives")
  void aFailureLosesNothingAndIsTold(
      Before before, Fault fault, boolean forever, Durability durability) throws Exception {
    Settings settings =
        PowerCutIT.small()
            .with("bg3.durability", durability.name().toLowerCase(Locale.ROOT))
            .with("bg3.durability.interval", "2");
    int n = 1;
    Random random = new Random(seed);
    Sites sites = new Sites();
    while (true) {
      Life life = new Life(settings, durability, sites, seed);
      life.prepare(before);
      if (!life.run(n, fault, forever)) {
        break;
      }
      n += EVERY || n < FIRST ? 1 : 1 + random.nextInt(12);
    }
    assertTrue(n > 20, "operations of a life: " + n);
  }

  /** One store, its clients, and the operation that fails. */
  private static final class Life {
    private final Settings settings;
    private final long seed;
    private final Random random;
    private final List<ModelClient> clients = new ArrayList<>();
    private CrashingDisk disk;
    private boolean stopped;
    private String at = "";

    Life(Settings settings, Durability durability, Sites sites, long seed) {
      this.settings = settings;
      this.seed = seed;
      this.random = new Random(seed);
      this.disk = new CrashingDisk(sites, new Random(seed));
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(new ModelClient(i, durability == Durability.SYNC, seed));
      }
    }

    void prepare(Before before) throws IOException {
      if (before == Before.NEW) {
        return;
      }
      StoreOnDisk store = StoreOnDisk.open(settings, disk);
      work(store);
      store.checkpoint();
      work(store);
      if (before == Before.CLOSED) {
        store.close();
        noteSynced();
      } else {
        CrashingDisk rest = disk.crash(random);
        closeQuietly(store);
        disk = rest;
      }
    }

    private void noteSynced() {
      clients.forEach(client -> client.model().synced(client.model().acknowledgedCount()));
    }

    /** A client that was told of a failure does nothing more: what it wrote last is unknown. */
    private void work(StoreOnDisk store) {
      for (int i = 0; i < STEPS && !stopped; i++) {
        stopped = !clients.get(i % CLIENTS).step(store.transactions());
      }
    }

    /** Whether the operation came to be reached. */
    boolean run(int n, Fault fault, boolean forever) throws IOException {
      at = "-Dbg3.seed=" + seed + ", n=" + n + ", " + fault + ", forever=" + forever;
      Map<String, Long> before = disk.sites().failed();
      disk.failAt(n, fault, forever);
      StoreOnDisk store = null;
      try {
        store = StoreOnDisk.open(settings, disk);
      } catch (Exception | Error e) {
        assertTold(e, "opening");
      }
      if (store != null) {
        use(store);
      }
      boolean reached = disk.faults() > 0;
      Map<String, Long> failed = disk.sites().failed();
      failed.entrySet().removeIf(site -> site.getValue().equals(before.get(site.getKey())));
      at += ", failed at " + failed.keySet();
      assertEquals(0, disk.openFiles(), () -> "files are open, " + at);
      disk.heal();
      judge(disk.kill());
      return reached;
    }

    private void use(StoreOnDisk store) {
      work(store);
      Throwable failed = null;
      try {
        store.checkpoint();
      } catch (Exception | Error e) {
        assertTold(e, "a checkpoint");
        failed = e;
      }
      work(store);
      Throwable failure = store.transactions().failure();
      if (failed != null) {
        assertNotNull(failure, () -> "a checkpoint failed and the store goes on, " + at);
      }
      if (failure != null) {
        assertTold(failure, "the store");
        assertWritesNothing(store);
      }
      boolean closed = false;
      try {
        store.close();
        closed = true;
      } catch (Exception | Error e) {
        assertTold(e, "closing");
      }
      if (closed) {
        assertTrue(failure == null, () -> "it closed as if nothing were the matter, " + at);
        noteSynced();
      }
    }

    private void assertWritesNothing(StoreOnDisk store) {
      try (Transaction late =
          store.transactions().begin(io.bg3.core.transaction.Isolation.STRICT, false)) {
        late.put(TreeIds.VERTICES, new byte[] {0, 1}, new byte[1]);
        late.commit();
      } catch (StoreFailedException e) {
        return;
      }
      throw new AssertionError("a commit succeeded though the store has stopped, " + at);
    }

    /** A failure names what the disk said, and the file it was about. */
    private void assertTold(Throwable e, String where) {
      if (disk.faults() == 0) {
        throw new AssertionError(where + " failed without a fault, " + at, e);
      }
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (("" + cause.getMessage()).contains("site=")) {
          return;
        }
      }
      throw new AssertionError(where + " does not say what the disk said, " + at, e);
    }

    /** Opens what is left, whole, and after a power cut. */
    private void judge(CrashingDisk killed) throws IOException {
      Random outcome = new Random(seed + 1);
      StoreOnDisk store;
      try {
        store = StoreOnDisk.open(settings, killed);
      } catch (RuntimeException | IOException e) {
        throw new AssertionError("it does not open again, " + at, e);
      }
      try {
        for (ModelClient client : clients) {
          String wrong = client.settle(Found.in(store.transactions(), CLIENTS));
          assertEquals(null, wrong, at);
        }
        assertEquals(List.of(), store.check(), at);
        stopped = false;
        work(store);
      } finally {
        store.close();
        noteSynced();
      }
      CrashingDisk rest = killed.crash(outcome);
      try (StoreOnDisk again = StoreOnDisk.open(settings, rest)) {
        for (ModelClient client : clients) {
          assertEquals(null, client.settle(Found.in(again.transactions(), CLIENTS)), at);
        }
      }
    }

    private static void closeQuietly(StoreOnDisk store) {
      try {
        store.close();
      } catch (Exception | Error e) {
        // its disk is gone
      }
    }
  }
}

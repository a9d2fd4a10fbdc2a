package io.bg3.torture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Settings;
import io.bg3.StoreOnDisk;
import io.bg3.core.commit.Durability;
import io.bg3.core.entry.EdgeKey;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.PowerCut;
import io.bg3.storage.file.Sites;
import io.bg3.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Cuts the power of one store again and again, at every place of the program that changes a file,
 * while it works and while it recovers, and loses any part of what was not synced. After each
 * opening everything that was acknowledged has to be there, nothing half done, and the check of all
 * structures clean. Where commits are not synced, what is there has to be what one commit after the
 * other had left, and nothing that a checkpoint, a sync of the log or closing has covered may be
 * missing.
 *
 * <p>Pages, extents, segments and deltas are as small as they can be, so that a few hundred keys
 * make every structure change: the life of the store goes on from cut to cut.
 *
 * <p>{@code -Dbg3.torture.cuts=N} makes it longer; {@code -Dbg3.seed=N} repeats a run as far as its
 * threads allow.
 *
 * <p>Takes about a minute in its short form: it is the strongest test of recovery. However few the
 * cuts are, it goes on until each place that writes was cut; more of them try more states of the
 * store.
 */
class PowerCutIT {
  private static final int CUTS = Integer.getInteger("bg3.torture.cuts", 2_000);

  /** The workloads, each with its share of the cuts; two run at once. */
  private static final Map<Durability, Integer> SHARES =
      Map.of(Durability.SYNC, 2, Durability.ASYNC, 16, Durability.NONE, 16);

  private static final int CLIENTS = 2;

  /** A label of the only family, whose edges stay. */
  private static final int OF_FAMILY = EdgeKey.lastingLabel(1, 1);

  private static final int LIVES_FOR_SITES = 500;
  private static final int LIVES_OF_A_STORE = 100;

  /** A site that was cut less often is looked for. */
  private static final int RARE = 2;

  /** A site that was passed less often may have been missed. */
  private static final int OFTEN = 100;

  private final long seed = Seeds.one();
  private final Random random = new Random(seed);
  private final Sites sites = new Sites();
  private final List<ModelClient> clients = new ArrayList<>();
  private final Map<String, Integer> counts = new TreeMap<>();
  private CrashingDisk disk;

  /** Whether this life goes on for long, to get to the site where its power is to be cut. */
  private boolean patient;

  private boolean seeksSites; // where no power was cut yet

  private Settings settings() {
    return small()
        .with("bg3.durability", durability.name().toLowerCase(Locale.ROOT))
        .with("bg3.durability.interval", "2")
        .with("bg3.families", "apart: split-out=8");
  }

  static Settings small() {
    return Settings.defaults()
        .with("bg3.page.capacity", "512")
        .with("bg3.forest.counted-leaves", "2")
        .with("bg3.page.consolidate", "3")
        .with("bg3.value.threshold", "64")
        .with("bg3.extent.size", "64k")
        .with("bg3.log.segment.min", "64k")
        .with("bg3.log.segment.max", "64k")
        .with("bg3.log.limit", "256k")
        .with("bg3.init.trees", "2")
        .with("bg3.forest.split-out", "8")
        .with("bg3.stripes", "64")
        .with("bg3.memory.budget", "64m");
  }

  /** The failure that a commit survives once it has returned. */
  private Durability durability;

  static Stream<Durability> durabilities() {
    return Stream.of(Durability.SYNC, Durability.SYNC, Durability.ASYNC, Durability.NONE);
  }

  @ParameterizedTest
  @MethodSource("durabilities")
  @Execution(ExecutionMode.CONCURRENT)
  void nothingAcknowledgedIsLostAndNothingIsHalfDone(Durability tested) throws Exception {
    durability = tested;
    long begin = System.nanoTime();
    while (count("cuts") < CUTS / SHARES.get(durability)) {
      live();
    }
    boolean everySite = durability == Durability.SYNC; // the others have hardly any of their own
    seeksSites = true;
    while (everySite && !uncut().isEmpty() && count("lives for sites") < LIVES_FOR_SITES) {
      count("lives for sites", 1);
      live();
    }
    System.out.printf(
        "power cuts: durability=%s, seed=%d, seconds=%d, %s%n  sites cut: %s%n",
        durability, seed, (System.nanoTime() - begin) / 1_000_000_000, counts, cutSites());
    Set<String> missed = uncut();
    missed.removeIf(site -> !everySite || sites.changing().get(site) < OFTEN);
    assertEquals(Set.of(), missed, () -> "sites that were never cut, -Dbg3.seed=" + seed);
    for (String what :
        List.of(
            "cuts while opening",
            "cuts while working",
            "evicted",
            "flushes",
            "kills",
            "lives",
            "moved")) {
      assertTrue(count(what) > 0, what);
    }
    assertTrue(ModelClient.DEGREES.sum() > 0, "no degree was kept");
  }

  /** From an opening, or the try of one, to the next cut. */
  private void live() throws Exception {
    if (count("lives") % LIVES_OF_A_STORE == 0) {
      beginNewStore();
    }
    count("lives", 1);
    planCut();
    StoreOnDisk store;
    try {
      store = StoreOnDisk.open(settings(), disk);
    } catch (Exception | Error e) {
      expectCut(e);
      count("cuts while opening", 1);
      nextDisk();
      return;
    }
    try {
      if (judge(store)) {
        if (random.nextBoolean()) {
          abandon(store);
          store = reopened();
        }
        if (store != null) {
          work(store);
        }
      }
    } finally {
      if (store != null) {
        abandon(store);
      }
    }
    if (disk.isCut()) {
      count("cuts while working", 1);
    }
    nextDisk();
  }

  /** The store opened once more, so that its work meets pages in storage; null after a cut. */
  private StoreOnDisk reopened() {
    try {
      return StoreOnDisk.open(settings(), disk);
    } catch (Exception | Error e) {
      expectCut(e);
      return null;
    }
  }

  /** In the next few writes, or where the power was hardly ever cut. */
  private void planCut() {
    patient = false;
    if (seeksSites) {
      planCutAt(List.copyOf(uncut()));
      return;
    }
    switch (random.nextInt(8)) {
      case 0, 1, 2, 3 -> disk.cutAtWrite(1 + random.nextInt(12));
      case 4 -> disk.cutAtWrite(1 + random.nextInt(60));
      case 5 -> disk.cutAtWrite(1 + random.nextInt(250));
      default -> planCutAtRareSite();
    }
  }

  private void planCutAtRareSite() {
    Map<String, Long> cut = sites.cut();
    List<String> rare =
        sites.changing().keySet().stream()
            .filter(site -> cut.getOrDefault(site, 0L) < RARE)
            .toList();
    if (rare.isEmpty()) {
      disk.cutAtWrite(1 + random.nextInt(40));
    } else {
      planCutAt(rare);
    }
  }

  private void planCutAt(List<String> some) {
    disk.cutAtSite(some.get(random.nextInt(some.size())), 1 + random.nextInt(2));
    patient = true;
  }

  /** Begins a new store, so that its making is cut too. */
  private void beginNewStore() {
    count("stores", 1);
    clients.clear();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(new ModelClient(i, durability == Durability.SYNC, random.nextLong(), OF_FAMILY));
    }
    disk = new CrashingDisk(sites, new Random(random.nextLong()));
  }

  /** Returns false if the power was cut meanwhile, so that a large value could not be read. */
  private boolean judge(StoreOnDisk store) {
    Found found;
    List<String> problems;
    try {
      problems = random.nextBoolean() ? store.check() : List.of(); // of pages that are stored
      found = Found.in(store.transactions(), CLIENTS);
      if (problems.isEmpty()) {
        problems = store.check();
      }
    } catch (PowerCut e) {
      expectCut(e);
      return false;
    }
    for (ModelClient client : clients) {
      String wrong = client.model().settle(found.of(client.number()));
      if (wrong != null) {
        throw new AssertionError(
            "client " + client.number() + ", -Dbg3.seed=" + seed + ", " + counts + ": " + wrong);
      }
    }
    assertEquals(List.of(), problems, () -> "-Dbg3.seed=" + seed + ", " + counts);
    judgeOrder();
    count("judged", 1);
    return true;
  }

  /** A commit that was begun when another had returned is not there without that. */
  private void judgeOrder() {
    long kept =
        clients.stream().mapToLong(client -> client.model().keptBegun()).max().orElseThrow();
    long lost =
        clients.stream().mapToLong(client -> client.model().lostAnswered()).min().orElseThrow();
    assertTrue(
        kept < lost,
        () -> "a commit is there and one before it is not, -Dbg3.seed=" + seed + ", " + counts);
    if (lost != Long.MAX_VALUE) {
      count("lost, as may be", 1);
    }
  }

  private void work(StoreOnDisk store) throws Exception {
    int steps = patient ? 200 : random.nextInt(16);
    if (random.nextInt(4) == 0) {
      together(store, steps);
    } else {
      oneByOne(store, steps);
    }
    if (random.nextInt(3) == 0) {
      checkpoint(store);
    }
  }

  private void oneByOne(StoreOnDisk store, int steps) {
    for (int i = 0; i < steps; i++) {
      if (!clients.get(random.nextInt(CLIENTS)).step(store.transactions())) {
        return;
      }
      if (random.nextInt(10) == 0) {
        checkpoint(store);
      } else if (random.nextInt(10) == 0) {
        sync(store);
      } else if (random.nextInt(5) == 0) {
        flush(store);
      }
      if (random.nextInt(3) == 0) {
        count("evicted", random.nextBoolean() ? store.evict() : store.evictValues());
      } else if (random.nextInt(3) == 0) {
        count("moved", (int) store.move());
      }
    }
  }

  private void together(StoreOnDisk store, int steps) throws InterruptedException {
    List<Throwable> failures = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (ModelClient client : clients) {
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < steps && client.step(store.transactions()); i++) {}
              });
      thread.setUncaughtExceptionHandler(
          (t, e) -> {
            synchronized (failures) {
              failures.add(e);
            }
          });
      threads.add(thread);
      thread.start();
    }
    for (int flushes = random.nextInt(4); flushes > 0; flushes--) {
      flush(store);
      count("moved", (int) store.move());
      count("evicted", store.evict());
    }
    Runnable covered = random.nextBoolean() ? tryCheckpoint(store) : () -> {};
    for (Thread thread : threads) {
      thread.join();
    }
    covered.run();
    synchronized (failures) {
      if (!failures.isEmpty()) {
        throw new AssertionError("-Dbg3.seed=" + seed, failures.get(0));
      }
    }
  }

  private void checkpoint(StoreOnDisk store) {
    tryCheckpoint(store).run();
  }

  /** Takes a checkpoint; what is given back notes, if it succeeded, that no cut takes it back. */
  private Runnable tryCheckpoint(StoreOnDisk store) {
    Runnable covered = acknowledgedNow();
    try {
      store.checkpoint();
      count("checkpoints", 1);
      return covered;
    } catch (Exception | Error e) {
      expectCut(e);
      return () -> {};
    }
  }

  /** Writes some pages and no manifest: nothing is safer by it, and nothing may be lost by it. */
  private void flush(StoreOnDisk store) {
    try {
      if (store.flush(1 + random.nextInt(12)) > 0) {
        count("flushes", 1);
      }
    } catch (Exception | Error e) {
      expectCut(e);
    }
  }

  private void sync(StoreOnDisk store) {
    Runnable covered = acknowledgedNow();
    try {
      store.transactions().syncLog();
      count("syncs", 1);
      covered.run();
    } catch (RuntimeException | Error e) {
      expectCut(e);
    }
  }

  /** Notes, when it is run, that what has been acknowledged until now is durable. */
  private Runnable acknowledgedNow() {
    List<Integer> counts = new ArrayList<>();
    clients.forEach(client -> counts.add(client.model().acknowledgedCount()));
    return () -> {
      for (int i = 0; i < counts.size(); i++) {
        clients.get(i).model().synced(counts.get(i));
      }
    };
  }

  private void abandon(StoreOnDisk store) {
    Runnable covered = acknowledgedNow();
    try {
      store.close();
      if (!disk.isCut()) {
        covered.run();
      }
    } catch (Exception | Error e) {
      expectCut(e);
    }
  }

  /** A failure is right only when the power is gone. */
  private void expectCut(Throwable e) {
    if (!disk.isCut()) {
      throw new AssertionError("failed with the power on, -Dbg3.seed=" + seed + ", " + counts, e);
    }
  }

  private void nextDisk() {
    boolean cut = disk.isCut();
    if (random.nextInt(5) == 0) {
      count("kills", 1);
      disk = disk.kill();
    } else {
      disk = disk.crash(random);
      count("cuts", 1);
      if (!cut) {
        count("cuts between writes", 1);
      }
    }
  }

  private Set<String> uncut() {
    return sites.uncut();
  }

  private Map<String, Long> cutSites() {
    return new TreeMap<>(sites.cut());
  }

  private int count(String what) {
    return counts.getOrDefault(what, 0);
  }

  private void count(String what, int more) {
    counts.merge(what, more, Integer::sum);
  }
}

package io.bg3.core.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.CommitSettings;
import io.bg3.core.commit.Durability;
import io.bg3.core.commit.DurableLog;
import io.bg3.core.commit.PendingCommit;
import io.bg3.core.commit.Totals;
import io.bg3.core.commit.Visibility;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Expiry;
import io.bg3.core.entry.Horizon;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.SequenceReservations;
import io.bg3.core.keyspace.SpaceReads;
import io.bg3.core.keyspace.Trees;
import io.bg3.core.page.PageRead;
import io.bg3.core.snapshot.SnapshotSlots;
import io.bg3.history.Anomaly.Kind;
import io.bg3.history.Checker;
import io.bg3.history.History;
import io.bg3.history.Load;
import io.bg3.history.Mix;
import io.bg3.history.Outcome;
import io.bg3.history.Report;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.Disk;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.testing.Seeds;
import io.bg3.testing.Together;
import io.bg3.torture.EngineStore;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Breaks one rule of the commit at a time and expects the judge of histories, or the disk that
 * crashes, to say so. The same runs on the engine as it is have to be clean: so a clean run means
 * something.
 */
class PlantedFaultsTest {
  private static final long SEED = Seeds.one();
  private static final int THREADS = 6;

  /** A fault shows by chance; so often it is given one. */
  private static final int TRIES = 30;

  private static final CommitSettings SYNCED = CommitSettings.DEFAULT.with(Durability.SYNC);

  private static Report history(
      ComponentFactory parts, CommitSettings settings, Disk disk, Mix mix, int count)
      throws Exception {
    History history = new History();
    try (TestStore store = TestStore.open(disk, settings, parts)) {
      EngineStore tested = new EngineStore(store.manager, Isolation.STRICT, false);
      Load load = new Load(history, tested, mix, count, SEED);
      load.runThreads(THREADS);
      load.finalRead();
    }
    return Checker.check(history);
  }

  /** Runs the twin until the fault is found; gives the kinds of which one has to be. */
  private static void finds(
      ComponentFactory twin, CommitSettings settings, Mix mix, List<Kind> kinds) throws Exception {
    String last = "";
    for (int i = 0; i < TRIES; i++) {
      Report report;
      try {
        report = history(twin, settings, new MemoryDisk(), mix, 2_000);
      } catch (AssertionError bound) {
        Throwable cause = bound.getCause() == null ? bound : bound.getCause();
        assertTrue(cause.getMessage().startsWith("more than the bound"), () -> "" + cause);
        return;
      }
      if (kinds.stream().anyMatch(report::has)) {
        return;
      }
      last = report.toString();
    }
    throw new AssertionError("not found: " + kinds + ", -Dbg3.seed=" + SEED + ", last: " + last);
  }

  private static void clean(CommitSettings settings, Mix mix) throws Exception {
    history(new ComponentFactory(), settings, new MemoryDisk(), mix, 4_000).assertClean();
  }

  @Test
  void rule14ValidationThatSkipsRangesIsFoundByPhantoms() throws Exception {
    ComponentFactory skipsRanges = validating(PlantedFaultsTest::singleKeys);
    clean(TestStore.QUICK, Mix.phantoms());
    finds(skipsRanges, TestStore.QUICK, Mix.phantoms(), List.of(Kind.G2, Kind.G2_REALTIME));
  }

  /** Looks again at some of what was read only. */
  private static ComponentFactory validating(UnaryOperator<ReadSet> some) {
    return new ComponentFactory() {
      @Override
      Validation validation(Trees trees, Totals totals, CodeTable codes) {
        return new Validation(trees, totals, codes) {
          @Override
          String changedRead(ReadSet reads, long stamp) {
            return super.changedRead(some.apply(reads), stamp);
          }
        };
      }
    };
  }

  /** The reads without those by ranges of more than one key. */
  private static ReadSet singleKeys(ReadSet reads) {
    ReadSet some = new ReadSet();
    for (SpaceReads space : reads.spaces()) {
      for (SpaceReads.Range range : space.ranges()) {
        if (range.low() != null && Arrays.equals(KeySpace.successor(range.low()), range.high())) {
          some.addRange(space.space, range.low(), range.high());
        }
      }
    }
    return some;
  }

  @Test
  void rule14ValidationThatSkipsReadsIsFoundByWriteSkew() throws Exception {
    ComponentFactory skipsReads = validating(reads -> new ReadSet());
    clean(TestStore.QUICK, Mix.lists());
    finds(skipsReads, TestStore.QUICK, Mix.lists(), List.of(Kind.G2_ITEM, Kind.G2_ITEM_REALTIME));
  }

  @Test
  void rule9VersionsPrunedUnderAnOpenSnapshotAreFound() throws Exception {
    ComponentFactory forgetsSnapshots =
        new ComponentFactory() {
          @Override
          SnapshotSlots slots(LongSupplier visible) {
            return new SnapshotSlots(visible) {
              @Override
              public synchronized Horizon horizon() {
                return Horizon.at(super.horizon().cut());
              }
            };
          }
        };
    clean(TestStore.QUICK, longReads());
    finds(
        forgetsSnapshots,
        TestStore.QUICK,
        longReads(),
        List.of(Kind.G_SINGLE, Kind.G1C, Kind.G1B, Kind.G_SINGLE_REALTIME, Kind.G2_ITEM));
  }

  /** Transactions of many reads on few keys, so that their snapshots are old before they end. */
  private static Mix longReads() {
    return new Mix(4, 24, 20, 8, 80, 10, 0, 5, 5, 0, 0, 0);
  }

  @Test
  void rule5AnAcknowledgementBeforeVisibleCoversItIsFoundByStaleReads() throws Exception {
    clean(SYNCED, Mix.lists());
    finds(impatient(), SYNCED, Mix.lists(), List.of(Kind.G_SINGLE_REALTIME, Kind.G2_ITEM_REALTIME));
  }

  private static ComponentFactory impatient() {
    return new ComponentFactory() {
      @Override
      Visibility visibility(PendingCommit origin, Totals totals, DurableLog log) {
        return new Visibility(origin, totals, log) {
          @Override
          public void await(PendingCommit commit) {}
        };
      }
    };
  }

  @Test
  void rule5AnAcknowledgementBeforeVisibleCoversItIsFoundByAPowerCut() throws Exception {
    for (int i = 0; i < TRIES; i++) {
      lossAfterPowerCut(new ComponentFactory(), i).assertClean();
    }
    for (int i = 0; i < TRIES; i++) {
      if (lossAfterPowerCut(impatient(), i).has(Kind.LOST_ACKNOWLEDGEMENT)) {
        return;
      }
    }
    throw new AssertionError("nothing was lost, -Dbg3.seed=" + SEED);
  }

  /** Runs until the power is cut, and reads everything from what is left. */
  private static Report lossAfterPowerCut(ComponentFactory parts, int number) throws Exception {
    CrashingDisk disk = new CrashingDisk();
    Random random = new Random(SEED + number);
    History history = new History();
    TestStore store = TestStore.open(disk, SYNCED, parts);
    EngineStore tested = new EngineStore(store.manager, Isolation.STRICT, false);
    Load load = new Load(history, tested, Mix.lists(), 400, SEED + number);
    disk.cutAtWrite(1 + random.nextInt(100));
    load.runThreads(3);
    CrashingDisk rest = disk.crash(random);
    store.kill();
    try (TestStore reopened = TestStore.open(rest, SYNCED, new ComponentFactory())) {
      load.finalRead(new EngineStore(reopened.manager, Isolation.STRICT, false));
    }
    return Checker.check(history);
  }

  /**
   * Nothing becomes durable, so that commits stay in the pages and unseen, until it is told to go
   * on.
   */
  static final class Stalled extends ComponentFactory {
    private final boolean hasty;
    private volatile boolean goesOn;
    private Visibility visibility;

    Stalled(boolean hasty) {
      this.hasty = hasty;
    }

    @Override
    Visibility visibility(PendingCommit origin, Totals totals, DurableLog log) {
      DurableLog late = () -> goesOn ? log.durable() : origin.end;
      visibility = hasty ? hasty(origin, totals, late) : new Visibility(origin, totals, late);
      return visibility;
    }

    /** An answer that a hasty one gives some time, and the other not while it is stalled. */
    String await(Future<String> answer) throws InterruptedException, ExecutionException {
      try {
        return answer.get(hasty ? 60_000 : 300, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        return "no answer";
      }
    }

    void goOn() {
      goesOn = true;
      visibility.advance();
    }
  }

  static Visibility hasty(PendingCommit origin, Totals totals, DurableLog log) {
    return new Visibility(origin, totals, log) {
      @Override
      public void awaitVisible(long stamp) {}
    };
  }

  @Test
  void rule10ARefusalThatACrashTakesTheReasonOfIsFound() throws Exception {
    assertEquals("no answer", refusalBeforeItsReasonIsDurable(new Stalled(false)));
    assertEquals("refused", refusalBeforeItsReasonIsDurable(new Stalled(true)));
  }

  /** Lets one commit wait to be durable and another conflict with it: no answer may come before. */
  private static String refusalBeforeItsReasonIsDurable(Stalled parts) throws Exception {
    byte[] key = {1};
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (TestStore store = TestStore.open(new MemoryDisk(), SYNCED, parts)) {
      Transaction second = store.begin();
      second.get(TreeIds.EXTERNAL_IDS, key);
      second.put(TreeIds.EXTERNAL_IDS, key, new byte[] {2});
      Future<?> first = threads.submit(() -> put(store, key));
      while (store.manager.applied() == store.manager.visible()) {
        Thread.onSpinWait(); // until it is in the pages, and no further
      }
      Future<String> answer = threads.submit(() -> answer(second));
      try {
        return parts.await(answer);
      } finally {
        parts.goOn();
        first.get();
        answer.get();
      }
    } finally {
      threads.shutdown();
    }
  }

  private static void put(TestStore store, byte[] key) {
    Transaction transaction = store.begin();
    transaction.put(TreeIds.EXTERNAL_IDS, key, new byte[] {1});
    transaction.commit();
  }

  private static String answer(Transaction transaction) {
    try {
      transaction.commit();
      return "committed";
    } catch (ConflictException e) {
      return "refused";
    }
  }

  @Test
  void rule15ReservationsThatDoNotSeeEachOtherAreFoundByConflicts() throws Exception {
    assertEquals(0, conflictsOfParallelEdges(new ComponentFactory()));
    ComponentFactory blind =
        new ComponentFactory() {
          @Override
          SequenceReservations reservations(Trees trees) {
            return new SequenceReservations(trees) {
              @Override
              public int reserve(Pair pair, long snapshot) {
                super.reserve(pair, snapshot); // to be dropped
                return new SequenceReservations(trees).reserve(pair, snapshot);
              }
            };
          }
        };
    assertTrue(conflictsOfParallelEdges(blind) > 0);
  }

  /** Adds edges between one pair from several threads: each has to get a sequence of its own. */
  private static int conflictsOfParallelEdges(ComponentFactory parts) throws Exception {
    int each = 300;
    int tagLabel = EdgeKey.tagLabel(EdgeKey.OUT, 1);
    try (TestStore store = TestStore.create(TestStore.QUICK, parts)) {
      int[] conflicts = new int[THREADS];
      Together.run(
          THREADS,
          thread -> {
            for (int i = 0; i < each; i++) {
              try (Transaction transaction = store.begin()) {
                int sequence = transaction.reserveSequence(1, tagLabel, 2);
                LockSupport.parkNanos(1);
                transaction.putEdge(1, tagLabel, 2, sequence, new byte[] {(byte) thread});
                transaction.commit();
              } catch (ConflictException e) {
                conflicts[thread]++;
              }
            }
          });
      int sum = Arrays.stream(conflicts).sum();
      int edges = 0;
      try (Transaction transaction = store.read();
          EdgeCursor cursor = transaction.edgesBetween(1, tagLabel, 2, false)) {
        while (cursor.next()) {
          edges++;
        }
      }
      assertEquals(THREADS * each - sum, edges, "an edge was written over another");
      return sum;
    }
  }

  @Test
  void rule16ATotalReadBeforeItIsVisibleIsFoundByBoundedInserts() throws Exception {
    ComponentFactory hasty =
        new ComponentFactory() {
          @Override
          Visibility visibility(PendingCommit origin, Totals totals, DurableLog log) {
            return PlantedFaultsTest.hasty(origin, totals, log);
          }
        };
    clean(SYNCED, Mix.totals());
    finds(hasty, SYNCED, Mix.totals(), List.of(Kind.LOST_UPDATE));
  }

  @Test
  void rule16ACounterThatAddsToWhatIsVisibleIsFoundByCountingAgain() throws Exception {
    Visibility[] seen = new Visibility[1];
    ComponentFactory late =
        new ComponentFactory() {
          @Override
          Visibility visibility(PendingCommit origin, Totals totals, DurableLog log) {
            seen[0] = super.visibility(origin, totals, log);
            return seen[0];
          }

          @Override
          Validation validation(Trees trees, Totals totals, CodeTable codes) {
            return new Validation(trees, totals, codes) {
              @Override
              byte[] newest(int space, byte[] key) {
                return trees.value(space, key, seen[0].visible(), Expiry.NEVER, new PageRead());
              }
            };
          }
        };
    long all = THREADS * 300L;
    assertEquals(all, countOfMany(new ComponentFactory()));
    for (int i = 0; i < TRIES; i++) {
      if (countOfMany(late) < all) {
        return;
      }
    }
    throw new AssertionError("no increment was lost");
  }

  /** Adds to one counter from several threads. */
  private static long countOfMany(ComponentFactory parts) throws Exception {
    try (TestStore store = TestStore.create(SYNCED, parts)) {
      Together.run(
          THREADS,
          thread -> {
            for (int i = 0; i < 300; i++) {
              try (Transaction transaction = store.begin()) {
                transaction.addCount(1, 1, 1);
                transaction.commit();
              }
            }
          });
      try (Transaction reader = store.read()) {
        return reader.count(1, 1);
      }
    }
  }

  @Test
  void theLoadsCommitMostOfWhatTheyTry() throws Exception {
    History history = new History();
    try (TestStore store = TestStore.create()) {
      EngineStore tested = new EngineStore(store.manager, Isolation.STRICT, false);
      new Load(history, tested, Mix.everything(), 3_000, SEED).runThreads(THREADS);
    }
    assertTrue(
        history.count(Outcome.COMMITTED) > 1_000, () -> "" + history.count(Outcome.COMMITTED));
  }
}

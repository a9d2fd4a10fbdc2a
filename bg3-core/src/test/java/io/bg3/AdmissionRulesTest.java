package io.bg3;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.AdmittedCommit;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.transaction.TransactionWork;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.memory.MemoryExceededException;
import io.bg3.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Commits that change leaves all over a store of many times its memory, so that few of them fit
 * into the memory at once.
 */
class AdmissionRulesTest {
  private static final int KEYS = 40_000;
  private static final int VALUE = 900;
  private static final int IN_LEAF = 4; // at least
  private static final long BUDGET = 8 << 20;

  private static Settings settings() {
    return Settings.defaults()
        .with("bg3.page.capacity", "4k")
        .with("bg3.memory.budget", Long.toString(BUDGET))
        .with("bg3.extent.size", "1m")
        .with("bg3.log.segment.min", "256k")
        .with("bg3.log.limit", "8m")
        .with("bg3.durability", "none");
  }

  private static byte[] key(int i) {
    return new byte[] {(byte) (i >>> 8), (byte) i};
  }

  private static Bg3 filled() throws Exception {
    Bg3 store = Bg3.open(settings(), new MemoryDisk());
    for (int i = 0; i < KEYS; i += 100) {
      try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
        for (int k = i; k < i + 100; k++) {
          transaction.put(TreeIds.VERTICES, key(k), new byte[VALUE]);
        }
        transaction.commit();
      }
    }
    return store;
  }

  /** Changes one key in each of so many leaves. */
  private static void change(Bg3 store, int first, int leaves) {
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
      for (int i = 0; i < leaves; i++) {
        transaction.put(TreeIds.VERTICES, key((first + i * IN_LEAF) % KEYS), new byte[10]);
      }
      transaction.commit();
    }
  }

  private static void read(Bg3 store, int key) {
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, true)) {
      assertNotNull(transaction.get(TreeIds.VERTICES, key(key)));
    }
  }

  /**
   * A commit with leaves of half the budget cannot go on, because the log does not take its record.
   * Another one wants as many other leaves, and readers want the rest of the store.
   */
  @RuleTest(
      rule = 29,
      sites = {
        @Site(
            name = "leaves found",
            in = "io.bg3.core.commit.CommitPipeline",
            method = "reserve",
            before = "WriteAheadLog.reserve"),
        @Site(
            name = Sites.WAITS,
            in = "io.bg3.core.commit.CommitAdmission",
            method = "awaitOthers",
            before = "LockSupport.parkNanos")
      },
      twins = {
        @Twin(
            name = "a commit keeps leaves whatever others keep",
            in = "io.bg3.core.commit.CommitAdmission",
            method = "tryMore",
            result = 1),
        @Twin(
            name = "a commit that others leave no memory is refused",
            in = "io.bg3.core.commit.CommitAdmission",
            method = "awaitMore",
            instead = "refuse")
      })
  void aCommitThatWaitsForTheLogKeepsNobodyFromLeaves() throws Exception {
    try (Bg3 store = filled()) {
      int leaves = (int) (BUDGET * 5 / 12 / 4_096);
      Sites.Other[] other = new Sites.Other[1];
      List<Integer> read = new ArrayList<>();
      Sites.at(
          "leaves found",
          () -> {
            other[0] = Sites.Other.start(() -> change(store, KEYS / 2, leaves));
            for (int key = 0; key < KEYS; key += 97) {
              read(store, key);
              read.add(key);
            }
            assertTrue(other[0].isAlive(), "the other commit did not wait");
          });
      change(store, 0, leaves);
      Sites.requirePassed("leaves found");
      other[0].join();
      assertEquals((KEYS + 96) / 97, read.size());
    }
  }

  /**
   * While a commit looks for its leaves, others come and go that pin leaves of half the budget. Its
   * registration keeps those in memory, so its own leaves do not fit besides: it lets go each time,
   * until nobody comes and goes beside it.
   */
  @RuleTest(
      rule = 29,
      sites = {
        @Site(
            name = "registered",
            in = "io.bg3.core.commit.CommitAdmission",
            method = "isFound",
            before = "TreeBatches.find"),
        @Site(
            name = "alone",
            in = "io.bg3.core.commit.CommitAdmission",
            method = "admitAlone",
            before = "CommitAdmission.admitWaiting"),
        @Site(
            name = "found",
            in = "io.bg3.core.commit.CommitAdmission",
            method = "admitAlone",
            after = "CommitAdmission.admitWaiting"),
        @Site(
            name = Sites.WAITS,
            in = "io.bg3.core.commit.CommitAdmission",
            method = "admit",
            before = "ReentrantLock.lock")
      },
      twins = {
        @Twin(
            name = "a commit waits with leaves in hand until it is refused",
            in = "io.bg3.core.commit.AdmittedCommit",
            method = "patienceMillis",
            instead = "untilRefused"),
        @Twin(
            name = "commits begin beside one that is alone",
            in = "io.bg3.core.commit.CommitAdmission",
            method = "mayBegin",
            result = 1)
      })
  void aCommitDoesNotWaitForMemoryThatItsOwnRegistrationKeeps() throws Exception {
    try (Bg3 store = filled()) {
      int leaves = (int) (BUDGET * 5 / 12 / 4_096);
      Thread ours = Thread.currentThread();
      List<Sites.Other> others = new ArrayList<>();
      AtomicBoolean isAlone = new AtomicBoolean();
      AtomicInteger besideOneAlone = new AtomicInteger();
      Sites.always("alone", () -> isAlone.set(Thread.currentThread() == ours));
      Sites.always("found", () -> isAlone.set(false));
      Sites.always(
          "registered",
          () -> {
            boolean isQuiet = others.isEmpty() || !others.get(others.size() - 1).isAlive();
            if (Thread.currentThread() != ours) {
              besideOneAlone.addAndGet(isAlone.get() ? 1 : 0);
            } else if (isQuiet || isAlone.get()) {
              others.add(Sites.Other.start(() -> changeEach(store, KEYS / 2, leaves * 3 / 2)));
            }
          });
      assertDoesNotThrow(() -> change(store, 0, leaves));
      assertEquals(0, besideOneAlone.get(), "commits that began beside one that was alone");
      assertTrue(others.size() > 1, "the commit found its leaves at once");
      for (Sites.Other other : others) {
        assertDoesNotThrow(other::join);
      }
      Sites.never("registered");
      assertEquals(List.of(), store.checkPages(looked -> {}));
    }
  }

  /** Changes one key in each of so many leaves, by commits to a few leaves each. */
  private static void changeEach(Bg3 store, int first, int leaves) {
    int few = 16;
    for (int i = 0; i < leaves; i += few) {
      change(store, first + i * IN_LEAF, Math.min(few, leaves - i));
    }
  }

  @SuppressWarnings("unused") // by a twin
  static long untilRefused(AdmittedCommit commit) {
    return Long.MAX_VALUE;
  }

  private static final int LABEL = EdgeKey.tagLabel(EdgeKey.OUT, 3);
  private static final int OWNERS = 8_000;

  /**
   * A store of one edge for each owner, without the values of the leaves in memory. A commit of as
   * many edges as leaves becomes deltas.
   */
  private static Bg3 filledWithEdges() throws Exception {
    Settings settings = settings().with("bg3.page.consolidate", "1000");
    Bg3 store = Bg3.open(settings, new MemoryDisk());
    for (int i = 0; i < OWNERS; i += 100) {
      addEdges(store, i, 100, 1, 7, VALUE);
    }
    store.checkpoint();
    assertTrue(store.evictValues() > 0);
    return store;
  }

  /** Adds an edge to each of some owners. */
  private static void addEdges(Bg3 store, int first, int owners, int step, long other, int value) {
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
      for (int i = 0; i < owners; i++) {
        transaction.putEdge(first + i * step, LABEL, other, 0, new byte[value]);
      }
      transaction.commit();
    }
  }

  private static void readEdge(Bg3 store, int owner) {
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, true)) {
      assertNotNull(transaction.edgeValue(owner, LABEL, 7, 0));
    }
  }

  /**
   * Commits find leaves without their values, which readers load while the commits wait. Their
   * entries are small, so that a commit that counted the topology alone would seem to keep little.
   */
  @RuleTest(
      rule = 29,
      sites = {
        @Site(
            name = "leaves found",
            in = "io.bg3.core.commit.CommitPipeline",
            method = "reserve",
            before = "WriteAheadLog.reserve"),
        @Site(
            name = Sites.WAITS,
            in = "io.bg3.core.commit.CommitAdmission",
            method = "awaitOthers",
            before = "LockSupport.parkNanos")
      },
      twins =
          @Twin(
              name = "a leaf without its values counts as no more than its topology",
              in = "io.bg3.core.tree.LeafWrites",
              method = "weight",
              without = "Tree.capacity",
              nth = 1))
  void aCommitCountsTheValuesThatReadersMayLoad() throws Exception {
    try (Bg3 store = filledWithEdges()) {
      int leaves = OWNERS / 2 / IN_LEAF; // of two commits more than all may keep, by size too
      Sites.Other[] other = new Sites.Other[1];
      AtomicInteger found = new AtomicInteger();
      Set<String> ours = Set.of(Thread.currentThread().getName(), "other");
      Sites.always(
          "leaves found",
          () -> {
            boolean isOurs = ours.contains(Thread.currentThread().getName()); // of no other store
            if (!isOurs || found.incrementAndGet() > 1) {
              return;
            }
            other[0] = Sites.Other.start(() -> addEdges(store, OWNERS / 2, leaves, IN_LEAF, 8, 10));
            assertEquals(1, found.get(), "commits that keep their leaves"); // the other one waits
            for (int owner = 0; owner < OWNERS; owner += IN_LEAF) {
              int each = owner;
              assertDoesNotThrow(() -> readEdge(store, each));
            }
          });
      addEdges(store, 0, leaves, IN_LEAF, 8, 10);
      other[0].join();
      assertEquals(2, found.get());
      Sites.never("leaves found");
      assertEquals(List.of(), store.checkPages(looked -> {}));
    }
  }

  @SuppressWarnings("unused") // by a twin
  static void refuse(Object admission, long own, long bytes) {
    if (bytes > 0) {
      throw new MemoryExceededException("planted", "", bytes, own, 0);
    }
  }

  @Test
  void aCommitThatDoesNotFitAloneIsRefusedBeforeItsStampAndSaysWhy() throws Exception {
    try (Bg3 store = filled()) {
      long commits = store.stats().commits();
      MemoryExceededException e =
          assertThrows(
              MemoryExceededException.class, () -> change(store, 0, (int) (BUDGET / 4_096)));
      assertTrue(e.getMessage().contains("setting=bg3.memory.budget"), e.getMessage());
      assertTrue(e.asked() > BUDGET / 4 * 3, e.getMessage());
      assertEquals(BUDGET, e.limit());
      assertEquals(commits, store.stats().commits());
      change(store, 0, 10);
      assertEquals(List.of(), store.failure().stream().toList());
    }
  }

  /**
   * Threads commit to random numbers of leaves, up to what one commit may take, while others read.
   */
  @Test
  void noCommitFailsForMemoryThatOthersGiveBack() throws Exception {
    long seed = Seeds.one();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    try (Bg3 store = filled()) {
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 8; t++) {
        Random random = new Random(seed + t);
        boolean reads = t >= 6;
        threads.add(
            new Thread(
                () -> {
                  try {
                    for (int i = 0; i < 25 && failure.get() == null; i++) {
                      int first = random.nextInt(KEYS);
                      if (reads) {
                        read(store, first);
                      } else {
                        int most = (int) (BUDGET / 4_096 / 4);
                        store
                            .transactions()
                            .retry(Isolation.SNAPSHOT, changes(first, random.nextInt(most) + 1));
                      }
                    }
                  } catch (RuntimeException | Error e) {
                    failure.compareAndSet(null, e);
                  }
                }));
      }
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
      if (failure.get() != null) {
        throw new AssertionError("-Dbg3.seed=" + seed + ", " + store.stats(), failure.get());
      }
      assertEquals(List.of(), store.checkPages(looked -> {}));
    }
  }

  private static TransactionWork<Void> changes(int first, int leaves) {
    return transaction -> {
      for (int i = 0; i < leaves; i++) {
        transaction.put(TreeIds.VERTICES, key((first + i * IN_LEAF) % KEYS), new byte[VALUE]);
      }
      return null;
    };
  }
}

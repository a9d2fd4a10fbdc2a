package io.bg3.core.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.CommitSettings;
import io.bg3.core.commit.Durability;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.lock.HeldLocks;
import io.bg3.core.lock.LockSet;
import io.bg3.core.lock.Locks;
import io.bg3.history.Anomaly.Kind;
import io.bg3.history.Attempt;
import io.bg3.history.Checker;
import io.bg3.history.Client;
import io.bg3.history.History;
import io.bg3.history.Load;
import io.bg3.history.Outcome;
import io.bg3.history.Report;
import io.bg3.history.TestedStore;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.testing.Seeds;
import io.bg3.testing.Together;
import io.bg3.torture.EngineStore;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Lets updates under lock, transactions and readers loose on a few vertices and has their history
 * judged; then breaks the locks, and has that found.
 */
class UpdateHistoryTest {
  private static final long SEED = Seeds.one();
  private static final CommitSettings SYNCED = CommitSettings.DEFAULT.with(Durability.SYNC);
  private static final int THREADS = 6;
  private static final int TRIES = 30;

  /** Vertices in use at a time, keys of each, and how long each stays in use. */
  private static final int VERTICES = 4;

  private static final int KEYS = 3;
  private static final int LIFE = 40;

  /** One run: what the threads share. */
  private static final class Run {
    final History history = new History();
    final AtomicInteger begun = new AtomicInteger();
    final int count;
    final EngineStore engine;
    final TransactionManager manager;

    Run(TestStore store, int count) {
      this.manager = store.manager;
      this.engine = new EngineStore(manager, Isolation.STRICT, false);
      this.count = count;
    }

    void client(int thread) {
      Random random = new Random(SEED * 31 + thread);
      Client client;
      synchronized (history) {
        client = history.client();
      }
      for (int number = begun.getAndIncrement(); number < count; ) {
        long base = number / LIFE;
        int choice = random.nextInt(10);
        if (choice < 5) {
          update(client, random, base);
        } else {
          transaction(client, random, base, choice == 9);
        }
        number = begun.getAndIncrement();
      }
    }

    private void update(Client client, Random random, long base) {
      long[] vertices = new long[1 + random.nextInt(2)];
      long[] owners = new long[2 * vertices.length];
      for (int i = 0; i < vertices.length; i++) {
        vertices[i] = base + random.nextInt(VERTICES);
        owners[2 * i] = EngineStore.ownerOf(list(vertices[i], 0));
        owners[2 * i + 1] = EngineStore.ownerOf(Load.SETS + vertices[i]);
      }
      boolean writes = random.nextInt(4) != 0;
      Attempt attempt = client.begin();
      manager.update(
          owners,
          inner -> {
            TestedStore.Transaction transaction = engine.over(inner);
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
              long vertex = vertices[random.nextInt(vertices.length)];
              operation(client, attempt, transaction, random, vertex, writes);
            }
            return null;
          });
      attempt.end(Outcome.COMMITTED);
    }

    private void transaction(Client client, Random random, long base, boolean readOnly) {
      Attempt attempt = client.begin();
      TestedStore.Transaction transaction = engine.begin(readOnly);
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        long vertex = base + random.nextInt(VERTICES);
        operation(client, attempt, transaction, random, vertex, !readOnly);
      }
      attempt.end(transaction.commit());
    }

    /** Reads or changes a list or the set of a vertex. */
    private static void operation(
        Client client,
        Attempt attempt,
        TestedStore.Transaction in,
        Random random,
        long vertex,
        boolean writes) {
      long list = list(vertex, random.nextInt(KEYS));
      long set = Load.SETS + vertex;
      switch (random.nextInt(writes ? 6 : 3)) {
        case 0 -> attempt.read(list, in.list(list));
        case 1 -> attempt.readSet(set, in.set(set));
        case 2 -> {
          TestedStore.Rows rows = in.lists(list(vertex, 0), list(vertex, KEYS));
          attempt.range(list(vertex, 0), list(vertex, KEYS), rows.keys, rows.values);
        }
        case 3 -> {
          int value = client.value();
          attempt.append(set, value);
          in.add(set, value);
        }
        default -> {
          int value = client.value();
          attempt.append(list, value);
          in.append(list, value);
        }
      }
    }

    private static long list(long vertex, int key) {
      return Load.GROUPS + vertex * Load.SLOTS + key;
    }

    Report judge() throws InterruptedException {
      Together.run(THREADS, this::client);
      Attempt last = history.client().begin();
      TestedStore.Transaction reader = engine.begin(true);
      TestedStore.Rows lists = reader.lists(Load.GROUPS, Load.SETS);
      last.range(Load.GROUPS, Load.SETS, lists.keys, lists.values);
      TestedStore.Rows sets = reader.sets(Load.SETS, Load.COUNTED);
      last.setRange(Load.SETS, Load.COUNTED, sets.keys, sets.values);
      last.end(reader.commit());
      return Checker.check(history);
    }
  }

  private static Report history(ComponentFactory parts, CommitSettings settings, int count)
      throws Exception {
    try (TestStore store = TestStore.create(settings, parts)) {
      return new Run(store, count).judge();
    }
  }

  @Test
  void updatesAmongTransactionsAreStrictlySerialisable() throws Exception {
    history(new ComponentFactory(), TestStore.QUICK, 20_000).assertClean();
    history(new ComponentFactory(), SYNCED, 6_000).assertClean();
  }

  @Test
  void locksTakenAfterTheReadAreFound() throws Exception {
    ComponentFactory late =
        new ComponentFactory() {
          @Override
          LockedUpdates updates(TransactionManager manager, Locks locks) {
            return new LockedUpdates(manager, locks) {
              @Override
              HeldLocks lock(LockSet lockSet) {
                HeldLocks held = super.lock(lockSet);
                held.release(); // the commit takes them again
                return held;
              }
            };
          }
        };
    Report report = null;
    for (int i = 0; i < TRIES; i++) {
      report = history(late, TestStore.QUICK, 4_000);
      if (report.has(Kind.LOST_UPDATE) || report.has(Kind.LOST_ACKNOWLEDGEMENT)) {
        return;
      }
    }
    throw new AssertionError("not found, -Dbg3.seed=" + SEED + ", last: " + report);
  }

  @Test
  void anAnswerThatACrashTakesTheReasonOfIsFound() throws Exception {
    for (boolean fails : new boolean[] {false, true}) {
      assertEquals("no answer", answer(new PlantedFaultsTest.Stalled(false), fails));
      assertTrue(answer(new PlantedFaultsTest.Stalled(true), fails).endsWith("found"));
    }
  }

  /** Lets one update wait to be durable and another, which writes nothing, read what it wrote. */
  private static String answer(PlantedFaultsTest.Stalled parts, boolean fails) throws Exception {
    byte[] key = EdgeKey.prefix(1);
    long[] owners = {1};
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (TestStore store = TestStore.open(new MemoryDisk(), SYNCED, parts)) {
      Future<?> first =
          threads.submit(
              () ->
                  store.manager.update(
                      owners,
                      t -> {
                        t.put(TreeIds.VERTICES, key, new byte[] {1});
                        return null;
                      }));
      while (store.manager.applied() == store.manager.visible()) {
        Thread.onSpinWait(); // until it is in the pages, and no further
      }
      // Nothing that is not visible: there is no need to wait.
      assertEquals(
          "absent",
          store.manager.update(
              new long[] {2}, t -> t.exists(TreeIds.VERTICES, EdgeKey.prefix(2)) ? "" : "absent"));
      Future<String> answer =
          threads.submit(
              () ->
                  store.manager.update(
                      owners,
                      t -> {
                        String found = t.exists(TreeIds.VERTICES, key) ? "found" : "absent";
                        if (fails) {
                          throw new IllegalStateException(found);
                        }
                        return found;
                      }));
      try {
        return parts.await(answer);
      } catch (ExecutionException e) {
        return e.getMessage();
      } finally {
        parts.goOn();
        first.get();
        try {
          answer.get();
        } catch (ExecutionException e) {
          assertTrue(fails, e::toString);
        }
      }
    } finally {
      threads.shutdown();
    }
  }
}

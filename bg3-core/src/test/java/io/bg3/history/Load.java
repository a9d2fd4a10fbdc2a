package io.bg3.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Random transactions of several clients against a store, recorded in a history. The keys in use
 * move on as transactions are begun, so that lists stay short and every transaction meets others.
 *
 * <p>Key spaces: lists from 0, groups of bounded inserts (lists too) from {@link #GROUPS}, sets
 * from {@link #SETS}, counts from {@link #COUNTS}.
 */
public final class Load {
  /** Where the keys of bounded groups begin. */
  public static final long GROUPS = 1L << 32;

  /** Where the keys of sets begin. */
  public static final long SETS = 2L << 32;

  /** Where the sets begin whose sizes the counts are. */
  public static final long COUNTED = SETS + (1L << 31);

  /** Where the keys of counts begin. */
  public static final long COUNTS = 3L << 32;

  /** How many keys a bounded group has, of which fewer may be taken. */
  public static final int SLOTS = 16;

  private final TestedStore store;
  private final Mix mix;
  private final long seed;
  private final int transactions;
  private final History history;
  private final AtomicInteger begun = new AtomicInteger();
  private final List<Worker> workers = new ArrayList<>();
  private volatile boolean stopped;

  /**
   * A load that ends by itself.
   *
   * @param transactions how many to begin, of all clients together
   */
  public Load(History history, TestedStore store, Mix mix, int transactions, long seed) {
    this.history = history;
    this.store = store;
    this.mix = mix;
    this.transactions = transactions;
    this.seed = seed;
  }

  /**
   * Runs with a thread for each client until all transactions are over; the first failure of one
   * stops all.
   */
  public void runThreads(int clients) throws InterruptedException {
    List<Throwable> failures = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      Worker worker = worker();
      Thread thread = new Thread(worker::runToEnd, "client-" + i);
      thread.setUncaughtExceptionHandler(
          (t, failure) -> {
            stop();
            synchronized (failures) {
              failures.add(failure);
            }
          });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    synchronized (failures) {
      if (!failures.isEmpty()) {
        throw new AssertionError("a client failed: seed=" + seed, failures.get(0));
      }
    }
  }

  /**
   * Runs all clients in this thread, a random one taking the next step: the same seed gives the
   * same history.
   */
  public void runInterleaved(int clients) {
    List<Worker> running = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      running.add(worker());
    }
    Random random = new Random(seed);
    while (!running.isEmpty()) {
      Worker worker = running.get(random.nextInt(running.size()));
      if (!worker.step()) {
        running.remove(worker);
      }
    }
  }

  /** Begins no more transactions. */
  public void stop() {
    stopped = true;
  }

  private Worker worker() {
    Worker worker = new Worker(history.client(), new Random(seed * 31 + workers.size()));
    workers.add(worker);
    return worker;
  }

  /** Reads every key there can be in one transaction, and records it. */
  public void finalRead() {
    finalRead(store);
  }

  /** The same from another incarnation of the store. */
  public void finalRead(TestedStore reopened) {
    Attempt attempt = history.client().begin();
    TestedStore.Transaction transaction = reopened.begin(true);
    ranges(attempt, transaction, 0, SETS);
    setRanges(attempt, transaction, SETS, COUNTS);
    if (mix.boundedCount() > 0) {
      for (long group = 0; group <= base(begun.get()); group++) {
        int count = transaction.count(COUNTS + group);
        int members = transaction.set(COUNTED + group).length;
        if (count != members) {
          throw new AssertionError(
              "a count is not what it counts: group="
                  + group
                  + ", count="
                  + count
                  + ", members="
                  + members);
        }
        attempt.readCount(COUNTS + group, count);
      }
    }
    attempt.end(transaction.commit());
  }

  private static void ranges(Attempt attempt, TestedStore.Transaction from, long low, long high) {
    TestedStore.Rows rows = from.lists(low, high);
    attempt.range(low, high, rows.keys, rows.values);
  }

  private static void setRanges(
      Attempt attempt, TestedStore.Transaction from, long low, long high) {
    TestedStore.Rows rows = from.sets(low, high);
    attempt.setRange(low, high, rows.keys, rows.values);
  }

  /** The first key in use when so many transactions have begun. */
  private long base(int number) {
    return number / mix.appendsPerKey();
  }

  private final class Worker {
    private final Client client;
    private final Random random;
    private Attempt attempt;
    private TestedStore.Transaction transaction;
    private long base;
    private int left;
    private boolean readOnly;

    Worker(Client client, Random random) {
      this.client = client;
      this.random = random;
    }

    void runToEnd() {
      while (step()) {}
    }

    /** Begins, does one operation, or commits; false when there is nothing more to do. */
    boolean step() {
      if (transaction == null) {
        int number =
            stopped ? transactions : begun.getAndUpdate(n -> Math.min(n + 1, transactions));
        if (number >= transactions) {
          return false;
        }
        base = base(number);
        left = 1 + random.nextInt(mix.operations());
        readOnly = random.nextInt(5) == 0;
        attempt = client.begin();
        transaction = store.begin(readOnly);
        return true;
      }
      try {
        if (left-- > 0) {
          operation();
        } else if (random.nextInt(50) == 0) {
          transaction.rollback();
          end(Outcome.ABORTED);
        } else {
          end(transaction.commit());
        }
      } catch (TestedStore.Refused refused) {
        transaction.rollback();
        end(Outcome.ABORTED);
      }
      return true;
    }

    private void end(Outcome outcome) {
      attempt.end(outcome);
      attempt = null;
      transaction = null;
    }

    private long key() {
      return base + random.nextInt(mix.keys());
    }

    private void operation() {
      int choice = random.nextInt(mix.total());
      if ((choice -= mix.read()) < 0) {
        read(key());
      } else if ((choice -= mix.append()) < 0) {
        append(key());
      } else if ((choice -= mix.range()) < 0) {
        range(0);
      } else if ((choice -= mix.add()) < 0) {
        add(SETS + key());
      } else if ((choice -= mix.readSet()) < 0) {
        long key = SETS + key();
        attempt.readSet(key, transaction.set(key));
      } else if ((choice -= mix.setRange()) < 0) {
        range(SETS);
      } else if ((choice -= mix.boundedInsert()) < 0) {
        boundedInsert(random.nextInt(mix.keys()) < 2 ? base : key());
      } else {
        boundedCount(base);
      }
    }

    private void read(long key) {
      attempt.read(key, transaction.list(key));
    }

    private void append(long key) {
      if (readOnly) {
        read(key);
        return;
      }
      if (random.nextBoolean()) {
        read(key);
      }
      int value = client.value();
      attempt.append(key, value);
      transaction.append(key, value);
    }

    private void add(long key) {
      if (readOnly) {
        attempt.readSet(key, transaction.set(key));
        return;
      }
      int value = client.value();
      attempt.append(key, value);
      transaction.add(key, value);
    }

    private void range(long space) {
      boolean all = random.nextInt(8) == 0;
      long low = space + base + (all ? 0 : random.nextInt(mix.keys()));
      long high = all ? space + base + mix.keys() : low + 1 + random.nextInt(mix.keys());
      if (space == SETS) {
        setRanges(attempt, transaction, low, high);
      } else {
        ranges(attempt, transaction, low, high);
      }
    }

    /** Takes a free key of a group if fewer than the bound are taken, as only a range can tell. */
    private void boundedInsert(long group) {
      long low = GROUPS + group * SLOTS;
      TestedStore.Rows rows = transaction.lists(low, low + SLOTS);
      attempt.range(low, low + SLOTS, rows.keys, rows.values);
      if (rows.keys.length > mix.bound()) {
        throw new AssertionError(
            "more than the bound: group=" + group + ", count=" + rows.keys.length);
      }
      if (readOnly || rows.keys.length == mix.bound()) {
        return;
      }
      long key = low + random.nextInt(SLOTS);
      for (long taken : rows.keys) {
        if (taken == key) {
          return;
        }
      }
      int value = client.value();
      attempt.append(key, value);
      transaction.append(key, value);
    }

    /**
     * Adds to a set and its count if the count is below the bound; the set shows who did when he
     * never hears of it.
     */
    private void boundedCount(long group) {
      long key = COUNTS + group;
      int count = transaction.count(key);
      attempt.readCount(key, count);
      if (readOnly || count >= mix.bound()) {
        return;
      }
      attempt.append(key, client.value());
      transaction.increment(key);
      add(COUNTED + group);
    }
  }
}

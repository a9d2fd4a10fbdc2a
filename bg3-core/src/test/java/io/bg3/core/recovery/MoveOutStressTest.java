package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.tree.FamilyOwner;
import io.bg3.core.tree.FamilySettings;
import io.bg3.core.tree.Neighbours;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Threads that add edges 0, 1, 2 and so on to vertices, threads that read them, one that moves the
 * vertices to trees of their own, one that has their degrees kept, at once or when the vertices
 * have many edges, and one that flushes, takes checkpoints and evicts. A reader has to see the
 * edges from 0 on without a gap, up to the last that was committed before it began at least.
 *
 * <p>Some more vertices get all their edges in one commit and lose them in the next, so that their
 * trees go away. A reader has to see all edges of one commit, or none.
 *
 * <p>Once the edges are of no family, and once of one. With an even seed the leaves of each vertex
 * are copied before its stripe is taken, as those of a large one.
 */
class MoveOutStressTest {
  private static final int OWNERS = 12;
  private static final int EDGES = 400;
  private static final int EMPTIED = 3; // the vertices behind the others
  private static final int TOGETHER = 60;

  /** Of the edges, and the label that they have for that. */
  private int family;

  private int label;
  private final AtomicLongArray committed = new AtomicLongArray(OWNERS);
  private final AtomicLong gone = new AtomicLong();
  private final AtomicLong degrees = new AtomicLong();
  private final AtomicBoolean ends = new AtomicBoolean();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final List<Thread> threads = new ArrayList<>();

  private interface Work {
    void run(Random random) throws Exception;
  }

  private void start(long seed, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run(new Random(seed));
              } catch (Exception | Error e) {
                failure.compareAndSet(null, e);
              }
            });
    threads.add(thread);
    thread.start();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void readersSeeWhatWasCommittedWhileVerticesMove(int ofFamily) throws Exception {
    family = ofFamily;
    label = family == 0 ? EdgeModel.TAG_LABEL : EdgeModel.OF_FAMILY;
    long seed = Seeds.one();
    try (CheckpointedStore store = CheckpointedStore.open(new CrashingDisk())) {
      store.defineFamily(1, FamilySettings.OF_STORE);
      if (seed % 2 == 0) {
        store.opened().forest().moveAtOnce(0);
      }
      start(seed, random -> write(store, 0));
      start(seed + 1, random -> write(store, 1));
      start(seed + 2, random -> whileWritten(() -> readOne(store, random)));
      start(seed + 3, random -> whileWritten(() -> readAll(store)));
      start(seed + 4, random -> whileWritten(() -> move(store, random)));
      start(seed + 8, random -> whileWritten(() -> store.keepDegrees(random.nextInt(OWNERS))));
      start(seed + 6, random -> whileWritten(() -> fillAndEmpty(store, random)));
      start(seed + 7, random -> whileWritten(() -> readEmptied(store, random)));
      start(seed + 5, random -> whileWritten(() -> keep(store, random)));
      threads.get(0).join();
      threads.get(1).join();
      ends.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
      if (failure.get() != null) {
        throw new AssertionError("-Dbg3.seed=" + seed, failure.get());
      }
      readAll(store);
      assertTrue(store.opened().forest().dedicatedTrees() > 0, "no vertex was moved");
      assertTrue(degrees.get() > 0 || family > 0, "no degree was read");
      Random random = new Random(seed);
      for (int i = 0; i < 1_000 && gone.get() == 0; i++) {
        fillAndEmpty(store, random); // the readers may have kept all trees until now
      }
      assertTrue(gone.get() > 0, "no tree went away");
      assertEquals(List.of(), store.check());
    }
  }

  private FamilyOwner some(long owner) {
    return new FamilyOwner(owner, family);
  }

  private interface Step {
    void run() throws Exception;
  }

  private void whileWritten(Step step) throws Exception {
    while (!ends.get() && failure.get() == null) {
      step.run();
    }
  }

  private void write(CheckpointedStore store, int parity) {
    for (int edge = 0; edge < EDGES && failure.get() == null; edge++) {
      for (int owner = parity; owner < OWNERS; owner += 2) {
        long from = owner;
        long other = edge;
        store.commit(transaction -> transaction.putEdge(from, label, other, 0, new byte[10]));
        committed.set(owner, edge + 1L);
      }
    }
  }

  /** Moves one, and has its degrees kept at once, or not. */
  private void move(CheckpointedStore store, Random random) {
    FamilyOwner owner = some(random.nextInt(OWNERS));
    if (random.nextBoolean()) {
      store.moveOut(owner, random.nextInt(200));
    } else {
      store.moveOutOnly(owner, random.nextInt(200));
    }
  }

  private void fillAndEmpty(CheckpointedStore store, Random random) {
    long owner = (long) OWNERS + random.nextInt(EMPTIED);
    byte[] value = new byte[8];
    random.nextBytes(value);
    store.commit(
        transaction -> {
          for (int edge = 0; edge < TOGETHER; edge++) {
            transaction.putEdge(owner, label, edge, 0, value);
          }
        });
    store.moveOut(some(owner), TOGETHER / 2);
    store.commit(
        transaction -> {
          for (int edge = 0; edge < TOGETHER; edge++) {
            transaction.deleteEdge(owner, label, edge, 0);
          }
        });
    if (store.opened().forest().isDedicated(some(owner))
        && store.moveOut(some(owner), TOGETHER / 2)) {
      gone.incrementAndGet();
    }
  }

  private void readEmptied(CheckpointedStore store, Random random) {
    long owner = (long) OWNERS + random.nextInt(EMPTIED);
    try (Transaction reader = store.transactions().begin(Isolation.STRICT, true)) {
      long degree = reader.degree(owner, label, label);
      byte[] first = null;
      int found = 0;
      try (EdgeCursor cursor = reader.edges(owner, label, label, true, ScanOrder.FORWARD)) {
        while (cursor.next()) {
          first = found++ == 0 ? cursor.value() : first;
          assertArrayEquals(first, cursor.value(), "vertex " + owner);
        }
      }
      assertTrue(found == 0 || found == TOGETHER, "vertex " + owner + ": " + found);
      assertTrue(degree < 0 || degree == found, "vertex " + owner + ": " + degree);
      byte[] last = reader.edgeValue(owner, label, TOGETHER - 1, 0);
      assertArrayEquals(first, last, "vertex " + owner);
    }
  }

  private void readOne(CheckpointedStore store, Random random) {
    int owner = random.nextInt(OWNERS);
    long least = committed.get(owner);
    try (Transaction reader = store.transactions().begin(Isolation.STRICT, true)) {
      switch (random.nextInt(4)) {
        case 0 -> {
          long degree = reader.degree(owner, label, label);
          if (degree >= 0) {
            Neighbours found = new Neighbours();
            reader.neighbours(owner, label, Integer.MAX_VALUE, found);
            assertEquals(found.size(), degree, "vertex " + owner);
            degrees.incrementAndGet();
          }
        }
        case 1 -> {
          Neighbours found = new Neighbours();
          reader.neighbours(owner, label, Integer.MAX_VALUE, found);
          assertTrue(found.size() >= least, owner + ": " + found.size() + " of " + least);
          for (int i = 0; i < found.size(); i++) {
            assertEquals(i, found.other(i));
          }
        }
        case 2 -> {
          long last = -1;
          try (EdgeCursor cursor = reader.edges(owner, label, label, false, ScanOrder.BACKWARD)) {
            if (cursor.next()) {
              last = cursor.other();
              for (long next = last - 1; next >= 0; next--) {
                assertTrue(cursor.next());
                assertEquals(next, cursor.other());
              }
            }
          }
          assertTrue(last + 1 >= least, owner + ": " + last + " of " + least);
        }
        default -> {
          if (least > 0) {
            long other = random.nextInt((int) least);
            assertTrue(reader.edgeExists(owner, label, other, 0), owner + ", " + other);
          }
        }
      }
    }
  }

  private void readAll(CheckpointedStore store) {
    long[] least = new long[OWNERS];
    long[] found = new long[OWNERS + EMPTIED];
    for (int owner = 0; owner < OWNERS; owner++) {
      least[owner] = committed.get(owner);
    }
    try (Transaction reader = store.transactions().begin(Isolation.STRICT, true);
        EdgeCursor cursor = reader.allEdges(EdgeKey.OUT, false)) {
      while (cursor.next()) {
        int owner = (int) cursor.owner();
        assertEquals(found[owner]++, cursor.other(), "vertex " + owner);
      }
    }
    for (int owner = OWNERS; owner < found.length; owner++) {
      assertTrue(found[owner] == 0 || found[owner] == TOGETHER, owner + ": " + found[owner]);
    }
    for (int owner = 0; owner < OWNERS; owner++) {
      assertTrue(found[owner] >= least[owner], owner + ": " + found[owner] + " of " + least[owner]);
    }
  }

  private static void keep(CheckpointedStore store, Random random) throws Exception {
    switch (random.nextInt(3)) {
      case 0 -> store.checkpoint();
      case 1 -> store.flush(20);
      default -> store.evict();
    }
  }
}

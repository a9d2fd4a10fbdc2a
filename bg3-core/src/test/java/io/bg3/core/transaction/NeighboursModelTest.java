package io.bg3.core.transaction;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.tree.Neighbours;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Neighbours that are read in step are those of a sorted set: of owners with none and of some whose
 * entries fill several leaves, at old snapshots, with own writes, and while others split the
 * leaves.
 */
class NeighboursModelTest {
  private static final int OWNERS = 60;
  private static final int LABEL = EdgeKey.tagLabel(EdgeKey.OUT, 3);
  private static final int OTHER_LABEL = EdgeKey.tagLabel(EdgeKey.OUT, 4);
  private static final byte[] NONE = {};

  static java.util.stream.LongStream seeds() {
    return Seeds.of(6);
  }

  /** Neighbours of the owners that have some, at one moment. */
  private static final class Model {
    final Map<Long, NavigableSet<Long>> lists = new HashMap<>();

    Model copy() {
      Model copy = new Model();
      lists.forEach((owner, list) -> copy.lists.put(owner, new TreeSet<>(list)));
      return copy;
    }

    NavigableSet<Long> of(long owner) {
      return lists.computeIfAbsent(owner, any -> new TreeSet<>());
    }

    long[] first(long owner, int limit) {
      return of(owner).stream().mapToLong(Long::longValue).limit(limit).toArray();
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void neighboursAreThoseOfASortedSet(long seed) throws IOException {
    Random random = new Random(seed);
    Model now = new Model();
    try (TestStore store = TestStore.create()) {
      write(store, now, random, 3_000);
      Model then = now.copy();
      Transaction old = store.read();
      for (int round = 0; round < 40; round++) {
        String at = Seeds.say(seed) + ", round " + round;
        write(store, now, random, random.nextInt(60));
        try (Transaction reader = store.read()) {
          compare(reader, now, random, at);
        }
        compare(old, then, random, at + ", old snapshot");
        try (Transaction writer = store.begin()) {
          Model own = now.copy();
          change(writer, own, random, random.nextInt(4));
          compare(writer, own, random, at + ", own writes");
        }
      }
      old.rollback();
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aSnapshotStaysWhatItIsWhileOthersSplitItsLeaves(long seed) throws Exception {
    Random random = new Random(seed);
    Model now = new Model();
    try (TestStore store = TestStore.create()) {
      write(store, now, random, 2_000);
      AtomicBoolean done = new AtomicBoolean();
      try (Transaction reader = store.read()) {
        Thread writer =
            new Thread(
                () -> {
                  Random writes = new Random(seed + 1);
                  Model any = new Model();
                  while (!done.get()) {
                    write(store, any, writes, 20);
                  }
                });
        writer.start();
        try {
          for (int i = 0; i < 300; i++) {
            compare(reader, now, random, Seeds.say(seed) + ", read " + i);
          }
        } finally {
          done.set(true);
          writer.join();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatWasReadInStepIsValidated(long seed) throws IOException {
    Random random = new Random(seed);
    Model now = new Model();
    try (TestStore store = TestStore.create()) {
      write(store, now, random, 500);
      Transaction reader = store.begin();
      long[] owners = random.longs(20, 0, OWNERS).toArray();
      reader.neighbours(owners, 0, 20, LABEL, 5, new Neighbours());
      reader.putEdge(OWNERS + 1, LABEL, 1, 0, NONE);
      Transaction other = store.begin();
      other.putEdge(owners[random.nextInt(20)], LABEL, 1_000_000, 0, NONE);
      other.commit();
      assertThrows(ConflictException.class, reader::commit, Seeds.say(seed));
    }
  }

  private static void write(TestStore store, Model model, Random random, int changes) {
    try (Transaction transaction = store.begin()) {
      change(transaction, model, random, changes);
      transaction.commit();
    }
  }

  private static void change(Transaction transaction, Model model, Random random, int changes) {
    for (int i = 0; i < changes; i++) {
      long owner = Math.min(random.nextInt(OWNERS), random.nextInt(OWNERS)) * 3L - 20;
      long other = random.nextInt(owner < 0 ? 2_000 : 40) - 10L;
      if (random.nextInt(4) == 0) {
        transaction.deleteEdge(owner, LABEL, other, 0);
        model.of(owner).remove(other);
      } else {
        transaction.putEdge(owner, LABEL, other, 0, NONE);
        model.of(owner).add(other);
      }
      if (random.nextInt(8) == 0) {
        transaction.putEdge(owner, OTHER_LABEL, other, 0, NONE);
      }
    }
  }

  private static void compare(Transaction reader, Model model, Random random, String at) {
    Neighbours found = new Neighbours();
    int from = random.nextInt(5);
    int count = random.nextInt(40);
    long[] owners = new long[from + count + 3];
    for (int i = 0; i < owners.length; i++) {
      owners[i] = random.nextInt(OWNERS) * 3L - 20;
    }
    int limit = random.nextInt(3) == 0 ? random.nextInt(100) : Integer.MAX_VALUE;
    reader.neighbours(owners, from, from + count, LABEL, limit, found);
    assertEquals(count, found.count(), at);
    for (int i = 0; i < count; i++) {
      long[] list = Arrays.copyOfRange(found.array(), found.start(i), found.end(i));
      assertArrayEquals(
          model.first(owners[from + i], limit), list, at + ", owner " + owners[from + i]);
    }
    Neighbours counted = new Neighbours();
    counted.countOnly(true);
    reader.neighbours(owners, from, from + count, LABEL, limit, counted);
    assertEquals(found.size(), counted.size(), at);
    for (int i = 0; i < count; i++) {
      assertEquals(found.end(i), counted.end(i), at + ", owner " + owners[from + i]);
    }
    long one = owners[0];
    reader.neighbours(one, LABEL, limit, found);
    assertArrayEquals(
        model.first(one, limit), Arrays.copyOf(found.array(), found.size()), at + ", " + one);
  }
}

package io.bg3.core.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Op;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Writes to a tree, stores it now and then, forgets what is in memory, and replays the writes since
 * some moment before it was stored, in windows of random size: afterwards, and when it is stored
 * and loaded once more, the tree holds what a sorted map does.
 */
class BatchReplayTest {
  /** A commit as the log has it. */
  private record Commit(long stamp, NavigableMap<byte[], byte[]> writes) {}

  static LongStream seeds() {
    return Seeds.of(12);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void byteKeysAreWhatTheyWere(long seed) throws IOException {
    run(seed, TreeKind.BYTES);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void edgesAreWhatTheyWere(long seed) throws IOException {
    run(seed, TreeKind.EDGES);
  }

  private static void run(long seed, TreeKind kind) throws IOException {
    Random random = new Random(seed);
    int keys = 50 + random.nextInt(3_000);
    int most = 1 + random.nextInt(60);
    long stamp = 0;
    List<Commit> log = new ArrayList<>();
    try (StoredTree stored =
        new StoredTree(kind, 512 + random.nextInt(1_500), 1 + random.nextInt(12))) {
      stored.flush(Horizon.at(0));
      for (int round = 0; round < 8; round++) {
        String at = "-Dbg3.seed=" + seed + ", " + kind + ", round " + round;
        int deletes = random.nextInt(110);
        int start = log.size();
        stamp = write(stored.harness, kind, random, keys, most, deletes, stamp, log);
        if (random.nextInt(3) > 0) {
          stored.flush(Horizon.at(stamp));
          int noted = log.size();
          start += random.nextInt(noted - start + 1); // the log from L, some of it in images
        }
        long newest = stamp;
        stamp = write(stored.harness, kind, random, keys, most, deletes, stamp, log);
        stored.reopen(newest);
        replay(stored.harness.tree, log.subList(start, log.size()), random);
        compare(stored.harness, stamp, at + ", replayed");
        stored.flush(Horizon.at(stamp));
        stored.reopen(stamp);
        compare(stored.harness, stamp, at + ", loaded");
      }
    }
  }

  private static long write(
      TreeHarness harness,
      TreeKind kind,
      Random random,
      int keys,
      int most,
      int deletes,
      long after,
      List<Commit> log) {
    long stamp = after;
    for (int i = random.nextInt(40); i > 0; i--) {
      stamp += 1 + random.nextInt(3);
      int count = 1 + random.nextInt(most);
      Commit commit =
          new Commit(stamp, TreeModelTest.batch(kind, random, keys, count, deletes, 20));
      log.add(commit);
      harness.write(commit.writes(), stamp);
      harness.settle(Horizon.at(stamp));
    }
    return stamp;
  }

  private static void replay(Tree tree, List<Commit> log, Random random) {
    int most = 1 + random.nextInt(60);
    for (int from = 0; from < log.size(); ) {
      int to = Math.min(log.size(), from + 1 + random.nextInt(most));
      TreeMap<byte[], Commit> last = new TreeMap<>(Arrays::compareUnsigned);
      for (Commit commit : log.subList(from, to)) {
        commit.writes().keySet().forEach(key -> last.put(key, commit));
      }
      Entries batch = tree.newEntries();
      last.forEach(
          (key, commit) -> {
            byte[] value = commit.writes().get(key);
            batch.append(key, value == null ? Op.TOMBSTONE : Op.PUT, commit.stamp(), value);
          });
      new BatchReplay(tree, Horizon.at(log.get(to - 1).stamp()), ReplayRoom.UNBOUNDED).add(batch);
      from = to;
    }
  }

  private static void compare(TreeHarness harness, long stamp, String at) {
    assertEquals(
        text(harness.expected(null, null, stamp)),
        text(harness.actual(null, null, Long.MAX_VALUE, false)),
        at);
    assertEquals(List.of(), harness.problems(), at);
  }

  private static List<String> text(NavigableMap<byte[], byte[]> entries) {
    List<String> text = new ArrayList<>();
    entries.forEach((key, value) -> text.add(Arrays.toString(key) + Arrays.toString(value)));
    return text;
  }
}

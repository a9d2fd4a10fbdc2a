package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.transaction.OwnerMover;
import io.bg3.core.tree.FamilyOwner;
import io.bg3.core.tree.FamilySettings;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Commits edges of many vertices in commits of any size, while very few vertices may wait to be
 * moved, and moves some of those that wait or looks at a leaf in between, takes checkpoints, evicts
 * leaves and cuts the power. Then nobody writes any more, and behind a checkpoint each vertex with
 * a fourth more entries than the split-out has a tree of its own in each family by what was noticed
 * and noted, or each with more entries if all leaves stay in memory. When all leaves have been
 * looked at, each with more entries has one, and no other one does (R56). How many wait, how large
 * commits are and how often each thing happens is drawn for each run.
 */
class HeavyOwnersModelTest {
  private static final int STEPS = 60;

  private static final AtomicLong MOVED = new AtomicLong();

  static LongStream seeds() {
    return Seeds.of(12);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void eachHeavyVertexGetsATree(long seed) throws IOException {
    Random random = new Random(seed);
    int owners = 5 + random.nextInt(60);
    int others = 8 + random.nextInt(60);
    int most = 1 + random.nextInt(150); // edges in a commit
    int waiting = 1 + random.nextInt(6);
    int entries = 8 + random.nextInt(8);
    int quiet = random.nextInt(3); // how often something else happens
    boolean crashes = random.nextBoolean(); // an opening notes all trees
    boolean evicts = random.nextBoolean();
    boolean moves = random.nextBoolean(); // while there are commits
    Map<FamilyOwner, Set<Integer>> edges = new HashMap<>();
    EdgeModel model = new EdgeModel(EdgeModel.TAG_LABEL, EdgeModel.OF_FAMILY);
    try (ModelledStore store = new ModelledStore(model, seed)) {
      store.opened.defineFamily(1, new FamilySettings(0, 0, 0, entries, null));
      OwnerMover mover = start(store, entries, waiting);
      for (int step = 0; step < STEPS; step++) {
        switch (random.nextInt(9 + 5 * quiet)) {
          case 0 -> store.opened.checkpoint();
          case 1 -> {
            if (evicts) {
              store.opened.evict();
            }
          }
          case 2 -> store.opened.flush(1 + random.nextInt(20));
          case 3 -> {
            if (moves) {
              moveNext(store, mover, entries);
            }
          }
          case 4 -> {
            if (moves && mover.hasPassedOver()) {
              mover.search();
            }
          }
          case 5 -> {
            if (crashes) {
              store.crash();
              mover = start(store, entries, waiting);
              store.forest().notePassedOver();
            }
          }
          default -> {
            int count = 1 + random.nextInt(most);
            store.opened.commit(
                transaction -> {
                  for (int i = 0; i < count; i++) {
                    long owner = random.nextInt(1 + random.nextInt(owners));
                    int other = random.nextInt(others);
                    model.put(transaction, owner, other, new byte[random.nextInt(20)]);
                    FamilyOwner each = new FamilyOwner(owner, other % 2);
                    edges.computeIfAbsent(each, key -> new HashSet<>()).add(other);
                  }
                });
          }
        }
      }
      String at = "-Dbg3.seed=" + seed;
      store.opened.checkpoint();
      moveAll(store, mover, entries);
      int unnoticed = entries + (evicts || crashes ? entries / 4 : 0); // a leaf was not in memory
      edges.forEach(
          (owner, all) ->
              assertTrue(
                  all.size() <= unnoticed || store.forest().isDedicated(owner),
                  at + ": " + owner + ", entries=" + all.size() + ", split-out=" + entries));
      store.forest().notePassedOver();
      moveAll(store, mover, entries);
      edges.forEach(
          (owner, all) ->
              assertEquals(
                  all.size() > entries,
                  store.forest().isDedicated(owner),
                  at + ": " + owner + ", entries=" + all.size() + ", split-out=" + entries));
      MOVED.addAndGet(store.forest().dedicatedTrees());
      store.compare(at);
    }
  }

  /** Moves the vertices that wait, and those that a search finds. */
  private static void moveAll(ModelledStore store, OwnerMover mover, int entries) {
    while (moveNext(store, mover, entries) || mover.hasPassedOver()) {
      mover.search();
    }
  }

  @AfterAll
  static void verticesHaveMoved() {
    assertTrue(MOVED.get() > 0, "no vertex was heavy in any run");
  }

  private static OwnerMover start(ModelledStore store, int entries, int waiting) {
    store.forest().heavyOwners().keepAtMost(waiting);
    store.forest().heavyOwners().noticeAbove(entries);
    store.forest().heavyOwners().noticeInFamilies();
    return new OwnerMover(store.opened.transactions(), store.forest(), entries);
  }

  /** Moves the vertex that has waited longest; false if none waits. */
  private static boolean moveNext(ModelledStore store, OwnerMover mover, int entries) {
    FamilyOwner owner = store.forest().heavyOwners().poll();
    if (owner != null) {
      mover.move(owner, entries);
    }
    return owner != null;
  }
}

package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.Durability;
import io.bg3.core.forest.TreeIds;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.file.CrashingDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Loads keys in a random order, in the steps of the thread that keeps the rows, so that each
 * checkpoint writes nearly all leaves anew. In the time in which that thread appends some bytes,
 * commits add a sixteenth of that. The bytes of the extents of images for each one that is wanted
 * are counted between the pages of each checkpoint (R53): nothing depends on the machine.
 */
class LoadSpaceTest {
  private static final int KEYS = 40_000;
  private static final int VALUE = 40;
  private static final int IN_COMMIT = 50;
  private static final int APPENDED_FOR_ONE = 16;

  /** Keys after which the log asks for a checkpoint. */
  private static final int LIMIT = KEYS / 9;

  private static final double BOUND = 1.5;

  private final List<Integer> order = IntStream.range(0, KEYS).boxed().collect(Collectors.toList());
  private final List<String> table = new ArrayList<>();

  private CheckpointedStore store;
  private Checkpointer keeper;
  private ExtentStore extents;
  private int next;
  private int sinceCheckpoint;
  private long seen;
  private double most;

  private static final class Steps extends CheckpointedStore.Steps {
    @Override
    ReclaimSettings reclaim() {
      return new ReclaimSettings(ReclaimPolicy.COST_BENEFIT, BOUND);
    }

    @Override
    int extentSize() {
      return 1 << 15;
    }
  }

  private void commit() {
    int end = Math.min(next + IN_COMMIT, KEYS);
    store.commit(
        all -> {
          for (int i = next; i < end; i++) {
            byte[] value = new byte[VALUE];
            new Random(i).nextBytes(value);
            all.put(TreeIds.VERTICES, ReclaimedStore.key(order.get(i)), value);
          }
        });
    sinceCheckpoint += end - next;
    next = end;
  }

  /** Commits as much as comes while the thread appends. */
  private void commitMeanwhile() {
    long appended = extents.appendedBytes() - seen;
    seen += appended;
    for (long keys = appended / APPENDED_FOR_ONE / VALUE; keys > 0 && next < KEYS; ) {
      commit();
      keys -= IN_COMMIT;
    }
  }

  private SpaceUsage space() {
    return SpaceUsage.of(ReclaimChoice.images(extents.usage())).without(store.named().keptBytes());
  }

  /** Looks at the space between two pages of a checkpoint, and has commits added meanwhile. */
  private final class Looks {
    double most;

    long look() {
      commitMeanwhile();
      most = Math.max(most, space().amplification());
      return Long.MAX_VALUE / 2; // so that nothing waits
    }
  }

  private void checkpoint() throws IOException {
    double before = space().amplification();
    long appended = extents.appendedBytes();
    long manifests = keeper.rowManifests();
    sinceCheckpoint = 0;
    Looks looks = new Looks();
    keeper.run(new CheckpointPacer(0, 1, looks::look, () -> true, () -> 0, nanos -> {}));
    looks.look();
    long written = extents.appendedBytes() - appended;
    boolean more = true;
    for (long end = extents.appendedBytes() + 2 * written; more; ) {
      more = keeper.reclaim() && extents.appendedBytes() < end && sinceCheckpoint < LIMIT * 9 / 8;
      commitMeanwhile();
      looks.look();
    }
    keeper.nameRows();
    table.add(
        String.format(
            "keys=%d, before=%.2f, wrote=%.2f, most=%.2f, behind=%.2f, manifests=%d",
            next,
            before,
            (double) written / space().live(),
            looks.most,
            space().amplification(),
            keeper.rowManifests() - manifests));
    most = Math.max(most, looks.most);
  }

  @RuleTest(
      rule = 53,
      twins = {
        @Twin(
            name = "a checkpoint does not look at the space that it takes",
            in = "io.bg3.core.recovery.CheckpointSpace",
            method = "keep"),
        @Twin(
            name = "a checkpoint copies no images",
            in = "io.bg3.core.recovery.Reclaimer",
            method = "sliceOfImages")
      })
  void aCheckpointThatWritesAllLeavesTakesNoMoreSpaceThanItMay() throws Exception {
    Collections.shuffle(order, new Random(7));
    store =
        new CheckpointedStore(
            new CrashingDisk(), Durability.NONE, new Steps(), CheckpointedStore.Replay.UNBOUNDED);
    keeper = store.checkpointer();
    extents = store.opened().extents();
    try {
      while (next < KEYS) {
        if (sinceCheckpoint >= LIMIT || (keeper.freesSpace() && !keeper.nameRows())) {
          checkpoint();
        } else if (keeper.reclaim()) {
          commitMeanwhile();
        } else {
          commit();
        }
      }
      String rows = String.join("\n", table);
      assertTrue(most <= BOUND, rows);
      assertTrue(keeper.shapeManifests() > 0, rows);
      assertTrue(keeper.rowManifests() > keeper.shapeManifests(), rows);
    } finally {
      store.abandon();
    }
  }
}

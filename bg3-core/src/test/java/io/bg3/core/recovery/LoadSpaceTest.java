package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.Durability;
import io.bg3.core.forest.TreeIds;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.file.CrashingDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Loads keys in a random order, in the steps of the thread that keeps the rows, so that each
 * checkpoint writes nearly all leaves anew. In the time in which that thread appends some bytes,
 * commits add a sixteenth of that. The bytes of the extents for each live one are counted at each
 * checkpoint: nothing depends on the machine.
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
  private double mostBefore;
  private double mostAtEnd;

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

  /** What is committed while the thread appends. */
  private void commitMeanwhile() {
    long appended = extents.appendedBytes() - seen;
    seen += appended;
    for (long keys = appended / APPENDED_FOR_ONE / VALUE; keys > 0 && next < KEYS; ) {
      commit();
      keys -= IN_COMMIT;
    }
  }

  private SpaceUsage space() {
    return SpaceUsage.of(ReclaimChoice.images(extents.usage()));
  }

  private void checkpoint() throws IOException {
    SpaceUsage before = space();
    long appended = extents.appendedBytes();
    sinceCheckpoint = 0;
    keeper.run();
    commitMeanwhile();
    long written = extents.appendedBytes() - appended;
    double atEnd = (double) (before.written() + written) / space().live();
    boolean more = true;
    for (long end = extents.appendedBytes() + 2 * written; more; ) {
      more = keeper.reclaim() && extents.appendedBytes() < end && sinceCheckpoint < LIMIT * 9 / 8;
      commitMeanwhile();
    }
    keeper.nameMoves();
    table.add(
        String.format(
            "keys=%d, before=%.2f, wrote=%.2f, at the end=%.2f, behind=%.2f",
            next,
            before.amplification(),
            (double) written / space().live(),
            atEnd,
            space().amplification()));
    if (next > KEYS / 4) { // a small store has few extents
      mostBefore = Math.max(mostBefore, before.amplification());
      mostAtEnd = Math.max(mostAtEnd, atEnd);
    }
  }

  @Test
  void extentsAreEmptyBeforeACheckpointNeedsTheirSpace() throws IOException {
    Collections.shuffle(order, new Random(7));
    store =
        new CheckpointedStore(
            new CrashingDisk(), Durability.NONE, new Steps(), CheckpointedStore.Replay.UNBOUNDED);
    keeper = store.checkpointer();
    extents = store.opened().extents();
    try {
      while (next < KEYS) {
        if (sinceCheckpoint >= LIMIT || (keeper.freesSpace() && !keeper.nameMoves())) {
          checkpoint();
        } else if (keeper.reclaim()) {
          commitMeanwhile();
        } else {
          commit();
        }
      }
      String rows = String.join("\n", table);
      assertTrue(mostBefore <= 1.25, rows);
      assertTrue(mostAtEnd <= 2.2, rows);
    } finally {
      store.abandon();
    }
  }
}

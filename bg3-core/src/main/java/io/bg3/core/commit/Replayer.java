package io.bg3.core.commit;

import io.bg3.core.forest.Forest;
import io.bg3.core.page.Horizon;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.format.CorruptionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Does what log records say: the same entries into the same trees as their commits did, and their
 * increments into the totals.
 *
 * <p>Replay goes by key and stamp, so it may begin before what the pages hold already: an entry
 * that is not newer than its key's newest is skipped. (A key whose newest version has lost its
 * stamp gets older versions put on top for a moment; the record that wrote the newest comes later
 * in the log, and ends that. So nothing may be read before the log has been replayed to the newest
 * commit in any image.)
 *
 * <p>Dictionary and id counters need nothing special: they are read from their trees when
 * transactions begin. Belongs to one thread.
 */
public final class Replayer {
  private final Trees trees;
  private final Totals totals;
  private final Batches batches = new Batches();
  private long stamp;

  /** Replays into these trees and totals. */
  public Replayer(Forest forest, ExtentStore extents, CommitSettings settings, Totals totals) {
    this.trees = new Trees(forest, new ValueStore(extents, settings.valueThreshold()));
    this.totals = totals;
  }

  /**
   * Replays one record. Records are given in the order of the log.
   *
   * @throws CorruptionException if it is no valid record
   * @throws IOException if a large value cannot be appended to its stream
   */
  public void apply(ByteBuffer payload) throws IOException {
    CommitRecord record = CommitRecord.decode(payload);
    if (record.stamp <= stamp) {
      throw new CorruptionException(
          "log record", CommitRecord.STAMP, "a stamp above " + stamp, Long.toString(record.stamp));
    }
    stamp = record.stamp;
    appendLargeValues(record);
    batches.fill(record.writes, trees);
    batches.apply(stamp);
    batches.clear();
    trees.values().markWritten(record.writes);
    if (record.increments != null) {
      totals.add(record.increments, stamp);
    }
    if (!batches.due().isEmpty()) {
      batches.due().settle(Horizon.at(stamp));
    }
  }

  /**
   * The large values that replay appended, for the next checkpoint to find out which are still
   * wanted.
   */
  public List<Long> takeWrittenValues() {
    return trees.values().takeWritten();
  }

  /** The largest stamp replayed, 0 before the first record. */
  public long stamp() {
    return stamp;
  }

  private void appendLargeValues(CommitRecord record) throws IOException {
    for (SpaceWrites space : record.writes.spaces()) {
      for (Write write : space.all()) {
        if (write.isPut()
            && trees.values().isLarge(write.value)
            && !isApplied(space.space, write)) {
          write.location = trees.values().append(space.space, write.key, write.value);
        }
      }
    }
  }

  /** Whether the entry will be skipped, so that its value need not be stored again. */
  private boolean isApplied(int space, Write write) {
    byte[] high = KeySpace.successor(write.key);
    return trees.of(space, write.key).changedAfter(write.key, high, stamp - 1);
  }
}

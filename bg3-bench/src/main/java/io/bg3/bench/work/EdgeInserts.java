package io.bg3.bench.work;

import io.bg3.bench.data.EdgeValue;
import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.data.SeededHash;
import io.bg3.bench.store.BenchStore;
import io.bg3.bench.store.StoreReader;
import io.bg3.bench.store.StoreWriter;

/**
 * New edges that a mix of operations commits, one a commit, each with the entry under its target.
 * They have a label of their own, so that what else the mix reads has one answer in all systems.
 * One thread.
 */
final class EdgeInserts {
  private static final long TARGETS = 16;

  private final Task task;
  private final BenchStore store;
  private final long[] owners;
  private final byte[] value = new byte[EdgeValue.LONGEST];
  private long count;
  private long userBytes;

  /**
   * No edges yet.
   *
   * @param owners the sources, used in turns: those of random edges, as a traversal meets them
   */
  EdgeInserts(Task task, BenchStore store, long[] owners) {
    this.task = task;
    this.store = store;
    this.owners = owners;
  }

  /** Commits the next edge. */
  void insert(StoreWriter writer) {
    long owner = owner(count);
    long other = other(count++);
    int length = EdgeValue.fill(owner, other, 0, value);
    writer.put(owner, Commits.LABEL, other, value, length);
    writer.put(other, Commits.REVERSE, owner, value, 0);
    writer.commit();
    userBytes += 2L * EdgeValue.KEY + length;
  }

  private long owner(long insert) {
    return owners[(int) (insert % owners.length)];
  }

  /** Any vertex; an edge that is drawn twice is overwritten with an equal value. */
  private long other(long insert) {
    long random = SeededHash.of(task.seed() ^ TARGETS, insert);
    return PowerLawGraph.id((int) SeededHash.below(random, task.sources()));
  }

  /** Bytes of the keys and values of all inserts. */
  long userBytes() {
    return userBytes;
  }

  /** About the bytes of the keys and values that are in the store. */
  double liveBytes() {
    double value = (EdgeValue.SHORTEST + EdgeValue.LONGEST) / 2.0;
    return task.edges() * (EdgeValue.KEY + value) + userBytes;
  }

  /**
   * Reads all that was inserted, at both ends.
   *
   * @throws IllegalStateException if some of it is not there
   */
  void check() {
    try (StoreReader out = store.reader(Commits.LABEL);
        StoreReader in = store.reader(Commits.REVERSE)) {
      for (long i = 0; i < count; i++) {
        long owner = owner(i);
        long other = other(i);
        int length = EdgeValue.fill(owner, other, 0, value);
        if (out.value(owner, other) != EdgeValue.checksum(value, length)) {
          throw new IllegalStateException(
              "an inserted edge has another value: owner=" + owner + ", other=" + other);
        }
        long[] first = new long[1];
        if (in.first(other, 1, first) != 1) {
          throw new IllegalStateException("an entry under a target is missing: other=" + other);
        }
      }
    }
  }
}

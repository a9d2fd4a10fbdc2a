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
class EdgeInserts {
  private static final long TARGETS = 16;

  private final Task task;
  private final BenchStore store;
  private final long[] owners;
  private final int label;
  private final int reverse;
  private final byte[] value = new byte[EdgeValue.LONGEST];
  private long count;
  private long userBytes;

  /**
   * No edges yet.
   *
   * @param owners the sources, used in turns: those of random edges, as a traversal meets them
   */
  EdgeInserts(Task task, BenchStore store, long[] owners) {
    this(task, store, owners, Commits.LABEL, Commits.REVERSE);
  }

  /**
   * No edges yet.
   *
   * @param label of the edges
   * @param reverse of the entries under their targets
   */
  EdgeInserts(Task task, BenchStore store, long[] owners, int label, int reverse) {
    this.task = task;
    this.store = store;
    this.owners = owners;
    this.label = label;
    this.reverse = reverse;
  }

  /** Commits the next edge. */
  void insert(StoreWriter writer) {
    long owner = owner(count);
    long other = other(count++);
    int length = EdgeValue.fill(owner, other, 0, value);
    writer.put(owner, label, other, value, length);
    writer.put(other, reverse, owner, value, 0);
    writer.commit();
    userBytes += 2L * EdgeValue.KEY + length;
  }

  /** How many edges have been inserted. */
  final long count() {
    return count;
  }

  /** The source of an insert. */
  final long owner(long insert) {
    return owners[(int) (insert % owners.length)];
  }

  /**
   * The target of an insert: any vertex. An edge that is drawn twice is overwritten with an equal
   * value.
   */
  final long other(long insert) {
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
   * Looks for what is there right behind the last insert and may be gone later.
   *
   * @throws IllegalStateException if some of it is not there
   */
  void checkAtOnce() {}

  /**
   * Reads all that was inserted, at both ends.
   *
   * @throws IllegalStateException if some of it is not there
   */
  void check() {
    try (Ends ends = ends()) {
      for (long i = 0; i < count; i++) {
        if (!ends.have(i)) {
          throw missing(i);
        }
      }
    }
  }

  final IllegalStateException missing(long insert) {
    return new IllegalStateException(
        "an inserted edge is not there, or has another value: owner="
            + owner(insert)
            + ", other="
            + other(insert));
  }

  /** Readers of the entries at both ends; the caller closes them. */
  final Ends ends() {
    return new Ends(store.reader(label), store.reader(reverse));
  }

  /** Reads inserted edges at both ends. */
  final class Ends implements AutoCloseable {
    private final StoreReader out;
    private final StoreReader in;
    private final long[] first = new long[1];

    Ends(StoreReader out, StoreReader in) {
      this.out = out;
      this.in = in;
    }

    /** Whether the edge of an insert is there, with its value, and an entry under its target. */
    boolean have(long insert) {
      long owner = owner(insert);
      long other = other(insert);
      int length = EdgeValue.fill(owner, other, 0, value);
      return out.has(owner, other)
          && out.value(owner, other) == EdgeValue.checksum(value, length)
          && in.first(other, 1, first) == 1;
    }

    /** Whether anything of the edge of an insert is there, at either end. */
    boolean haveAnythingOf(long insert) {
      return out.has(owner(insert), other(insert)) || in.has(other(insert), owner(insert));
    }

    @Override
    public void close() {
      out.close();
      in.close();
    }
  }
}

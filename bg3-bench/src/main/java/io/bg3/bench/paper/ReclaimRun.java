package io.bg3.bench.paper;

import io.bg3.bench.data.EdgeValue;
import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.data.SeededHash;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.recovery.ReclaimSettings;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.ExtentUsage;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.file.Disk;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * One run of the experiment behind the left half of the paper's table 2: a store of lists of edges
 * takes writes of single edges, and reclaims the space of what they replace. The leaves that
 * changed are flushed every few writes. A checkpoint comes after some more, and reclaiming after
 * each checkpoint, until the space is within its bound.
 */
public final class ReclaimRun {
  private static final int LABEL = EdgeKey.tagLabel(EdgeKey.OUT, 1);
  private static final int LISTS_OF_A_COMMIT = 100;
  private static final long EDGES = 13;
  private static final List<Stream> IMAGES = List.of(Stream.BASE, Stream.DELTA);

  private final Size size;

  /** A run that has not begun. */
  public ReclaimRun(Size size) {
    this.size = size;
  }

  /**
   * The size of an experiment, common to all of its runs.
   *
   * @param lists number of lists
   * @param edges of each list
   * @param page bytes of a page
   * @param extent bytes of an extent
   * @param flush writes from one flush to the next
   * @param interval writes from one checkpoint to the next
   * @param warmUp writes before those that are counted
   * @param writes that are counted
   */
  public record Size(
      int lists,
      int edges,
      int page,
      int extent,
      int flush,
      int interval,
      int warmUp,
      int writes,
      long seed) {
    @Override
    public String toString() {
      return "lists="
          + lists
          + ", edges a list="
          + edges
          + ", page="
          + page
          + ", extent="
          + extent
          + ", writes a flush="
          + flush
          + ", writes a checkpoint="
          + interval
          + ", warm-up="
          + warmUp
          + ", writes="
          + writes
          + ", seed="
          + seed;
    }
  }

  /**
   * The counts of a run.
   *
   * @param live bytes of the images at the end
   * @param appended bytes of images that checkpoints wrote
   * @param moved bytes of images that were copied
   * @param space bytes of the extents of images for each live byte, the mean after all checkpoints
   * @param mostSpace the largest
   * @param answer a number made of all edges at the end
   */
  public record Counts(
      long live, long appended, long moved, double space, double mostSpace, long answer) {
    /** Bytes copied for each byte that checkpoints wrote. */
    public double movedForEachAppended() {
      return (double) moved / appended;
    }
  }

  /**
   * Runs the experiment.
   *
   * @param disk where the store goes; empty
   */
  public Counts run(WritePattern pattern, ReclaimSettings reclaim, Disk disk) throws IOException {
    try (SteppedStore store = new SteppedStore(disk, size.page, size.extent, reclaim)) {
      fill(store);
      Popularity popularity = pattern.popularity(size.lists, size.seed);
      int[] versions = new int[size.lists * size.edges];
      int write = 0;
      for (; write < size.warmUp; write += size.interval) {
        write(store, popularity, write, versions);
      }
      ExtentStore extents = store.extents();
      long appended = appended(extents);
      long moved = moved(extents);
      double sum = 0;
      double most = 0;
      int checkpoints = 0;
      for (int end = write + size.writes; write < end; write += size.interval) {
        write(store, popularity, write, versions);
        double space = (double) written(extents) / live(extents);
        sum += space;
        most = Math.max(most, space);
        checkpoints++;
      }
      return new Counts(
          live(extents),
          appended(extents) - appended,
          moved(extents) - moved,
          sum / checkpoints,
          most,
          answer(store));
    }
  }

  private void fill(SteppedStore store) throws IOException {
    for (int list = 0; list < size.lists; list += LISTS_OF_A_COMMIT) {
      try (Transaction transaction = store.transactions().begin(Isolation.SNAPSHOT, false)) {
        for (int i = list; i < Math.min(size.lists, list + LISTS_OF_A_COMMIT); i++) {
          for (int edge = 0; edge < size.edges; edge++) {
            put(transaction, i, edge, 0);
          }
        }
        transaction.commit();
      }
    }
    store.checkpoint();
  }

  /** The writes up to the next checkpoint, and the checkpoint. */
  private void write(SteppedStore store, Popularity popularity, int from, int[] versions)
      throws IOException {
    int end = from + size.interval;
    for (int write = from; write < end; write += size.flush) {
      try (Transaction transaction = store.transactions().begin(Isolation.SNAPSHOT, false)) {
        for (int i = write; i < Math.min(end, write + size.flush); i++) {
          int list = popularity.list(i);
          long random = SeededHash.of(SeededHash.of(size.seed, EDGES), i);
          int edge = (int) SeededHash.below(random, size.edges);
          put(transaction, list, edge, ++versions[list * size.edges + edge]);
        }
        transaction.commit();
      }
      store.flush();
    }
    store.checkpoint();
  }

  private static void put(Transaction transaction, int list, int edge, int version) {
    long source = PowerLawGraph.id(list);
    byte[] longest = new byte[EdgeValue.LONGEST];
    int length = EdgeValue.fill(source, edge, version, longest);
    transaction.putEdge(source, LABEL, edge, 0, Arrays.copyOf(longest, length));
  }

  private static long appended(ExtentStore extents) {
    return IMAGES.stream().mapToLong(extents::appendedBytes).sum();
  }

  private static long moved(ExtentStore extents) {
    return IMAGES.stream().mapToLong(extents::movedBytes).sum();
  }

  private static long written(ExtentStore extents) {
    return images(extents).stream().mapToLong(ExtentUsage::written).sum();
  }

  private static long live(ExtentStore extents) {
    return images(extents).stream().mapToLong(ExtentUsage::liveInFile).sum();
  }

  private static List<ExtentUsage> images(ExtentStore extents) {
    return extents.usage().stream().filter(usage -> IMAGES.contains(usage.stream())).toList();
  }

  private long answer(SteppedStore store) {
    long answer = 0;
    try (Transaction transaction = store.transactions().begin(Isolation.SNAPSHOT, true)) {
      for (int list = 0; list < size.lists; list++) {
        long source = PowerLawGraph.id(list);
        try (EdgeCursor edges = transaction.edges(source, LABEL, LABEL, true, ScanOrder.FORWARD)) {
          while (edges.next()) {
            byte[] value = edges.value();
            answer = answer * 31 + edges.other() + EdgeValue.checksum(value, value.length);
          }
        }
      }
    }
    return answer;
  }
}

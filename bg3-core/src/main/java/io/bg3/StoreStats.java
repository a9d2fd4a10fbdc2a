package io.bg3;

import io.bg3.core.commit.CommitThrottle;
import io.bg3.core.recovery.Checkpointer;
import io.bg3.core.recovery.OpenedStore;
import io.bg3.core.recovery.SpaceUsage;
import io.bg3.core.transaction.TransactionManager;
import io.bg3.core.tree.PageEvictor;
import io.bg3.core.value.LargeValueCache;
import io.bg3.storage.codec.Compressor;
import io.bg3.storage.extent.ExtentUsage;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.log.WriteAheadLog;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.Epochs;
import io.bg3.storage.memory.MemoryBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Sizes of an open store at one moment, and counts since it was opened.
 *
 * @param budgetBytes what the store may use of memory
 * @param usedBytes what it uses of the budget
 * @param heldBytes what it takes of the machine for that: as {@code usedBytes}, with the memory
 *     that is free between blocks or for new ones
 * @param blockBytes what its pages use
 * @param retiredBytes blocks that were replaced and wait for readers to leave
 * @param largeValues the large values in memory, which take what the pages leave of the budget
 * @param movedPages how often a leaf was moved in memory, so that no more is held than the budget
 *     has
 * @param pages page ids in use, pages freed and not yet used again among them
 * @param logBytes the log's files
 * @param openTransactions transactions that hold a snapshot
 * @param commits transactions with writes that were committed
 * @param conflicts commits that were refused because of what others had committed
 * @param delays how commits have waited because flushes, a checkpoint, or the emptying of extents
 *     were behind
 * @param dirtyBytes about the memory of the pages that differ from what is stored
 * @param checkpoints checkpoints that were taken
 * @param checkpointRuns whether one is under way
 * @param appendedBytes bytes of all records that were appended to the extents since the store was
 *     made, as far as its manifests tell
 * @param movedBytes bytes of all records that were moved out of extents since the store was made,
 *     as far as its manifests tell
 * @param loggedEverBytes bytes of the log's records since the store was made
 * @param writtenBytes bytes that were appended to the extents and to the log
 * @param loggedBytes bytes of the log's records
 * @param reclaimRounds how often images and large values were copied out of extents because of too
 *     much garbage
 * @param vainReclaimRounds how often that has freed nothing
 * @param unreadableExtents extents that stay because an image in them cannot be read
 * @param trees the trees of vertices with many edges, and how threads have waited in trees
 * @param streams bytes in extents, by stream
 * @param families the extents of families of edge labels, which are among these too
 * @param rewrittenForExpiry bytes of leaves that were written again because an extent had expired
 *     that held a part of them
 */
public record StoreStats(
    long budgetBytes,
    long usedBytes,
    long heldBytes,
    long blockBytes,
    long retiredBytes,
    LargeValues largeValues,
    long movedPages,
    long pages,
    long logBytes,
    int openTransactions,
    long commits,
    long conflicts,
    Delays delays,
    long dirtyBytes,
    long checkpoints,
    boolean checkpointRuns,
    long appendedBytes,
    long movedBytes,
    long loggedEverBytes,
    long writtenBytes,
    long loggedBytes,
    long reclaimRounds,
    long vainReclaimRounds,
    long unreadableExtents,
    TreeUse trees,
    Map<Stream, StreamBytes> streams,
    List<FamilyUse> families,
    long rewrittenForExpiry) {
  /**
   * The trees of vertices with many edges, and how often threads have waited in all trees since the
   * store was opened.
   *
   * @param dedicated how many trees have one vertex each; a vertex may have one in each family
   * @param latchWaits how often a thread has waited for the latch of a page
   * @param structureWaits how often a thread has waited for the lock under which the shape of a
   *     tree changes
   */
  public record TreeUse(long dedicated, long latchWaits, long structureWaits) {
    static TreeUse of(OpenedStore store) {
      return new TreeUse(
          store.forest().dedicatedTrees(),
          store.space().table().latchWaits(),
          store.forest().structureWaits());
    }
  }

  /**
   * The values above {@code bg3.value.threshold} in memory, and how often they were read since the
   * store was opened.
   *
   * @param count how many are in memory
   * @param bytes what these use of the budget
   * @param hits how often one was read that was in memory
   * @param reads how often one was read from its extent
   */
  public record LargeValues(long count, long bytes, long hits, long reads) {
    static LargeValues of(LargeValueCache cache) {
      return new LargeValues(cache.count(), cache.bytes(), cache.hits(), cache.reads());
    }
  }

  /**
   * How commits have waited since the store was opened, so that they do not outrun the thread that
   * flushes pages, takes checkpoints and empties extents. Times are in nanoseconds.
   *
   * @param commits how many had to wait
   * @param longestNanos the longest wait of one
   * @param logNanos how long all have waited because of the log's length
   * @param dirtyNanos how long all have waited because of dirty pages
   * @param valueNanos how long all have waited because of the space of large values
   */
  public record Delays(
      long commits, long longestNanos, long logNanos, long dirtyNanos, long valueNanos) {
    static Delays of(CommitThrottle throttle) {
      return new Delays(
          throttle.delayed(),
          throttle.longestNanos(),
          throttle.logNanos(),
          throttle.dirtyNanos(),
          throttle.valueNanos());
    }

    /** How long all have waited in all. */
    public long nanos() {
      return logNanos + dirtyNanos + valueNanos;
    }
  }

  /**
   * Bytes of one stream.
   *
   * @param extents number of files
   * @param written bytes in them
   * @param live bytes of them that are still wanted, not above {@code written}
   * @param plain bytes in memory of what was written since the store was opened; 0 for a stream
   *     that has no compression
   * @param stored bytes of these after compression
   * @param moved bytes that were copied out of extents with garbage since the store was opened
   * @param byGarbage number of files by their share of garbage: up to a tenth, two tenths, and so
   *     on
   * @param byGradient number of files by their share of garbage that they have gained lately, older
   *     garbage weighing less: up to a tenth, two tenths, and so on
   * @param byAge number of files by the time since their newest record, as {@link Age} has it
   */
  public record StreamBytes(
      int extents,
      long written,
      long live,
      long plain,
      long stored,
      long moved,
      List<Integer> byGarbage,
      List<Integer> byGradient,
      Map<Age, Integer> byAge) {
    /** Length of {@code byGarbage} and {@code byGradient}. */
    public static final int TENTHS = 10;

    /** The time since the newest record of a file. */
    public enum Age {
      /** Less than a minute. */
      MINUTE(Duration.ofMinutes(1)),
      /** Less than an hour. */
      HOUR(Duration.ofHours(1)),
      /** Less than a day. */
      DAY(Duration.ofDays(1)),
      /** Less than a week. */
      WEEK(Duration.ofDays(7)),
      /** A week or more. */
      OLDER(Duration.ofMillis(Long.MAX_VALUE));

      private final Duration below;

      Age(Duration below) {
        this.below = below;
      }

      static Age of(long millis) {
        return Arrays.stream(values())
            .filter(age -> millis < age.below.toMillis())
            .findFirst()
            .orElse(OLDER);
      }
    }

    static StreamBytes of(Compressor compressor, long moved) {
      long plain = compressor == null ? 0 : compressor.plainBytes();
      long stored = compressor == null ? 0 : compressor.storedBytes();
      List<Integer> none = Collections.nCopies(TENTHS, 0);
      Map<Age, Integer> ages = new EnumMap<>(Age.class);
      Arrays.stream(Age.values()).forEach(age -> ages.put(age, 0));
      return new StreamBytes(0, 0, 0, plain, stored, moved, none, none, ages);
    }

    StreamBytes plus(ExtentUsage usage, long now) {
      double lately = usage.stored() == 0 ? 0 : usage.garbage() / usage.stored();
      Map<Age, Integer> ages = new EnumMap<>(byAge);
      ages.merge(Age.of(now - usage.newest()), 1, Integer::sum);
      return new StreamBytes(
          extents + 1,
          written + usage.written(),
          live + usage.liveInFile(),
          plain,
          stored,
          moved,
          oneMore(byGarbage, tenth(usage.fragmentation())),
          oneMore(byGradient, tenth(lately)),
          Collections.unmodifiableMap(ages));
    }

    private static int tenth(double share) {
      return Math.min((int) (share * TENTHS), TENTHS - 1);
    }

    private static List<Integer> oneMore(List<Integer> counts, int at) {
      List<Integer> more = new ArrayList<>(counts);
      more.set(at, more.get(at) + 1);
      return List.copyOf(more);
    }

    /** Bytes of the files for each live byte in them; 1 if there is none. */
    public double amplification() {
      return new SpaceUsage(written, live).amplification();
    }
  }

  /** Bytes of the extents of pages and large values for each live byte; 1 if there is none. */
  public double spaceAmplification() {
    long written = 0;
    long live = 0;
    for (Stream stream : List.of(Stream.BASE, Stream.DELTA, Stream.VALUE)) {
      written += streams.get(stream).written();
      live += streams.get(stream).live();
    }
    return new SpaceUsage(written, live).amplification();
  }

  /** Bytes written to extents and log for each byte of a log record; 0 before the first commit. */
  public double writeAmplification() {
    return loggedBytes == 0 ? 0 : (double) writtenBytes / loggedBytes;
  }

  /**
   * Bytes written to extents and log since the store was made for each byte of a log record; 0
   * before the first commit.
   */
  public double writeAmplificationEver() {
    return loggedEverBytes == 0 ? 0 : (double) (appendedBytes + loggedEverBytes) / loggedEverBytes;
  }

  static StoreStats of(
      MemoryBudget budget,
      BlockMemory memory,
      Epochs epochs,
      PageEvictor evictor,
      OpenedStore store,
      WriteAheadLog log,
      TransactionManager transactions,
      Checkpointer checkpointer,
      Map<Stream, Compressor> compressors,
      long logged) {
    Map<Stream, StreamBytes> streams = new EnumMap<>(Stream.class);
    for (Stream stream : Stream.values()) {
      long moved = store.extents().movedBytes(stream);
      streams.put(stream, StreamBytes.of(compressors.get(stream), moved));
    }
    LargeValues largeValues = LargeValues.of(store.space().largeValues());
    long now = System.currentTimeMillis();
    List<ExtentUsage> usages = store.extents().usage();
    for (ExtentUsage usage : usages) {
      streams.computeIfPresent(usage.stream(), (stream, bytes) -> bytes.plus(usage, now));
    }
    return new StoreStats(
        budget.limit(),
        budget.used(),
        memory.held() + budget.onHeap(),
        Math.max(0, memory.used() - largeValues.bytes()),
        epochs.pending(),
        largeValues,
        evictor.moves(),
        store.space().table().end() - 1L,
        log.bytes(),
        transactions.openTransactions(),
        transactions.commits(),
        transactions.conflicts(),
        Delays.of(transactions.throttle()),
        store.space().dirtyPages().bytes(),
        checkpointer.count(),
        transactions.throttle().log().isCheckpointRunning(),
        store.extents().appendedEver(),
        store.extents().movedEver(),
        log.end(),
        store.extents().appendedBytes() + logged,
        logged,
        checkpointer.reclaiming().rounds(),
        checkpointer.reclaiming().vainRounds(),
        checkpointer.reclaiming().unreadableExtents(),
        TreeUse.of(store),
        streams,
        FamilyUse.of(usages, store, checkpointer, transactions),
        checkpointer.reclaiming().rewrittenForExpiry());
  }
}

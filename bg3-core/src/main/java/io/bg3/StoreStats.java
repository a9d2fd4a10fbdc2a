package io.bg3;

import io.bg3.core.recovery.Checkpointer;
import io.bg3.core.recovery.OpenedStore;
import io.bg3.core.transaction.TransactionManager;
import io.bg3.storage.codec.Compressor;
import io.bg3.storage.extent.ExtentUsage;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.log.WriteAheadLog;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.Epochs;
import io.bg3.storage.memory.MemoryBudget;
import java.util.EnumMap;
import java.util.Map;

/**
 * Sizes of an open store at one moment, and counts since it was opened.
 *
 * @param budgetBytes what the store may use of memory
 * @param usedBytes what it uses of the budget
 * @param blockBytes what its pages take of that
 * @param retiredBytes blocks that were replaced and wait for readers to leave
 * @param pages page ids in use, pages freed and not yet used again among them
 * @param logBytes the log's files
 * @param openTransactions transactions that hold a snapshot
 * @param commits transactions with writes that were committed
 * @param conflicts commits that were refused because of what others had committed
 * @param delayedCommits commits that had to wait because a checkpoint was behind
 * @param delayedNanos how long these waited in all, in nanoseconds
 * @param checkpoints checkpoints that were taken
 * @param streams bytes in extents, by stream
 */
public record StoreStats(
    long budgetBytes,
    long usedBytes,
    long blockBytes,
    long retiredBytes,
    long pages,
    long logBytes,
    int openTransactions,
    long commits,
    long conflicts,
    long delayedCommits,
    long delayedNanos,
    long checkpoints,
    Map<Stream, StreamBytes> streams) {
  /**
   * Bytes of one stream.
   *
   * @param extents number of files
   * @param written bytes in them
   * @param live bytes of them that are still wanted, not above {@code written}
   * @param plain bytes in memory of what was written since the store was opened; 0 for a stream
   *     that has no compression
   * @param stored bytes of these after compression
   */
  public record StreamBytes(int extents, long written, long live, long plain, long stored) {
    static StreamBytes of(Compressor compressor) {
      return compressor == null
          ? new StreamBytes(0, 0, 0, 0, 0)
          : new StreamBytes(0, 0, 0, compressor.plainBytes(), compressor.storedBytes());
    }

    StreamBytes plus(ExtentUsage usage) {
      return new StreamBytes(
          extents + 1, written + usage.written(), live + usage.liveInFile(), plain, stored);
    }
  }

  static StoreStats of(
      MemoryBudget budget,
      BlockMemory memory,
      Epochs epochs,
      OpenedStore store,
      WriteAheadLog log,
      TransactionManager transactions,
      Checkpointer checkpointer,
      Map<Stream, Compressor> compressors) {
    Map<Stream, StreamBytes> streams = new EnumMap<>(Stream.class);
    for (Stream stream : Stream.values()) {
      streams.put(stream, StreamBytes.of(compressors.get(stream)));
    }
    for (ExtentUsage usage : store.extents().usage()) {
      streams.computeIfPresent(usage.stream(), (stream, bytes) -> bytes.plus(usage));
    }
    return new StoreStats(
        budget.limit(),
        budget.used(),
        memory.used(),
        epochs.pending(),
        store.space().table().end() - 1L,
        log.bytes(),
        transactions.openTransactions(),
        transactions.commits(),
        transactions.conflicts(),
        transactions.delayedCommits(),
        transactions.delayedNanos(),
        checkpointer.count(),
        streams);
  }
}

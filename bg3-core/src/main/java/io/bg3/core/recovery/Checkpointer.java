package io.bg3.core.recovery;

import io.bg3.core.commit.ReplayStart;
import io.bg3.core.commit.TotalsImage;
import io.bg3.core.entry.LargeValueLocations;
import io.bg3.core.forest.Forest;
import io.bg3.core.recovery.Checkpoint.Root;
import io.bg3.core.table.PageTable;
import io.bg3.core.transaction.TransactionManager;
import io.bg3.core.tree.NotedPages;
import io.bg3.core.tree.PageFlush;
import io.bg3.core.tree.TreeSpace;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.log.WriteAheadLog;
import io.bg3.storage.manifest.ManifestFile;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Takes checkpoints, by the steps that the package's description draws.
 *
 * <p>A failure in the middle leaves the old manifest in place, and everything that it names; the
 * store then stops writing, since what is in memory no longer agrees with what was noted.
 *
 * <p>Threads: any; one checkpoint at a time, the others wait.
 */
public class Checkpointer {
  private final Forest forest;
  private final TreeSpace space;
  private final ExtentStore extents;
  private final WriteAheadLog log;
  private final TransactionManager transactions;
  private final ManifestFile manifest;
  private final PageMap map;
  private final ValueReferences values;
  private final StoreCheck check;

  private volatile long lastLogPosition;
  private volatile long lastAppended;
  private boolean ended; // guarded by this
  private volatile long count;

  /**
   * Checkpoints of an opened store that serves transactions.
   *
   * @param replayedValues values that replay appended
   */
  public Checkpointer(
      OpenedStore store,
      TransactionManager transactions,
      WriteAheadLog log,
      List<Long> replayedValues) {
    this.forest = store.forest();
    this.space = store.space();
    this.extents = store.extents();
    this.log = log;
    this.transactions = transactions;
    this.manifest = store.manifest();
    this.map = store.map();
    this.values = store.values();
    this.check = new StoreCheck(store);
    replayedValues.forEach(values::written);
    this.lastLogPosition = store.logPosition();
    this.lastAppended = extents.appendedBytes();
  }

  /** Where replay would start now: the log before it has been let go. */
  public long logPosition() {
    return lastLogPosition;
  }

  /** How many checkpoints have been taken since the store was opened. */
  public long count() {
    return count;
  }

  /** Bytes that were appended to the extents since the last checkpoint. */
  public long appendedSince() {
    return extents.appendedBytes() - lastAppended;
  }

  /**
   * Writes the first manifest of a new store, when its log is there: it names no extent, and the
   * log from its beginning. So extents, or records in the log, beside no manifest always mean that
   * the manifest is lost.
   *
   * @throws IOException if the disk fails; the store then writes no more
   */
  public synchronized void create() throws IOException {
    try {
      ReplayStart start = transactions.replayStart();
      byte[] totals = bytes(totals(transactions, start));
      manifest.replace(
          Checkpoint.first(forest.initTrees(), start.position(), log.durable(), totals).encode());
    } catch (IOException | RuntimeException | Error e) {
      transactions.fail(e);
      throw e;
    }
  }

  /**
   * Writes what changed and replaces the manifest. Writers go on meanwhile.
   *
   * @throws IOException if the disk fails; the store then writes no more
   * @throws IllegalStateException after {@link #end}
   */
  public synchronized void run() throws IOException {
    if (ended) {
      throw new IllegalStateException("the store is closed and takes no checkpoint");
    }
    try {
      transactions.throttle().checkpointBegins();
      take();
      count = count + 1; // written under the lock only
    } catch (IOException | RuntimeException | Error e) {
      transactions.fail(e);
      throw e;
    }
  }

  /**
   * Waits for a checkpoint that runs and allows no further one. Called before the files are closed:
   * the manifest of a checkpoint that outlived its store would name extents that the next opening
   * has deleted.
   */
  public synchronized void end() {
    ended = true;
  }

  /**
   * Checks every tree, and every image and value that the last checkpoint names; no checkpoint runs
   * meanwhile, so the log grows beyond its limit with what is committed, and nobody waits for one.
   *
   * @param progress is told how many pages and values have been looked at
   * @return what is wrong, one sentence each
   */
  public synchronized List<String> check(LongConsumer progress) {
    transactions.throttle().suspend();
    try {
      return check.run(progress);
    } finally {
      transactions.throttle().resume();
    }
  }

  private void take() throws IOException {
    ReplayStart start = transactions.replayStart();
    transactions.takeWrittenValues().forEach(values::written);
    NotedPages noted = forest.note();
    TotalsImage totals = totals(transactions, start);
    long newest = transactions.issued(); // E: nothing noted and no total is newer

    FlushResult flushed = new FlushResult(values);
    new PageFlush(space, extents, transactions.horizon()).write(noted, flushed);
    extents.sync();
    long durable = syncLog(transactions); // up to E at least, in every durability

    flushed.superseded().addAll(map.append(flushed.rows(), new HashSet<>(noted.removed())));
    for (int page : noted.removed()) {
      flushed.supersede(space.table().base(page));
      flushed.supersede(space.table().delta(page));
      values.replace(page, LargeValueLocations.NONE);
    }
    extents.sync();
    flushed.superseded().forEach(extents::release);
    values.takeUnreferenced().forEach(extents::release);

    Set<Integer> dead =
        Set.copyOf(extents.dead()); // not named any more, so that they may be deleted
    manifest.replace(checkpoint(start, newest, durable, totals, dead).encode());
    lastLogPosition = start.position();
    lastAppended = extents.appendedBytes();
    reuse(noted.removed());
    for (int extent : dead) {
      extents.delete(extent);
    }
    log.truncateBefore(start.position());
    transactions.throttle().checkpointEnds(start.position());
  }

  /** Makes the log durable up to everything that an image can hold (R1). */
  long syncLog(TransactionManager from) {
    return from.syncLog();
  }

  /** The totals with the stamp from which replay has to add to them (R16). */
  TotalsImage totals(TransactionManager from, ReplayStart start) {
    return from.totals(start.stamp());
  }

  private Checkpoint checkpoint(
      ReplayStart start, long newest, long durable, TotalsImage totals, Set<Integer> dead) {
    List<Root> roots =
        forest.trees().stream().map(tree -> new Root(tree.id(), tree.root())).toList();
    return new Checkpoint(
        forest.initTrees(),
        start.position(),
        durable,
        newest,
        space.table().end(),
        roots,
        map.root(),
        values.asOpened(extents.usage()).stream()
            .filter(usage -> !dead.contains(usage.extent()))
            .toList(),
        bytes(totals));
  }

  private static byte[] bytes(TotalsImage totals) {
    byte[] bytes = new byte[totals.bytes().remaining()];
    totals.bytes().duplicate().get(bytes);
    return bytes;
  }

  /**
   * The ids of removed pages come back when nobody who might have read one before is still inside
   * an epoch.
   */
  private void reuse(List<Integer> removed) {
    if (!removed.isEmpty()) {
      PageTable table = space.table();
      space.epochs().awaitQuiescence();
      removed.forEach(table::reuse);
    }
  }
}

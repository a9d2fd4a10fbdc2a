package io.bg3.core.recovery;

import io.bg3.core.commit.ReplayStart;
import io.bg3.core.commit.StoreFailedException;
import io.bg3.core.commit.TotalsImage;
import io.bg3.core.forest.Forest;
import io.bg3.core.transaction.TransactionManager;
import io.bg3.core.tree.NotedPages;
import io.bg3.core.tree.PageFlush;
import io.bg3.core.tree.TreeSpace;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.log.WriteAheadLog;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Takes checkpoints, by the steps that the package's description draws, and flushes pages between
 * two of them.
 *
 * <p><b>Rows</b> (R24). The rows of the page table change here only, in the one thread that holds
 * the {@link RowLock}, which a checkpoint holds from its first step to its last. So the row of each
 * page is, when the manifest is written, that of what was noted ({@link PageMap#append}), flushes
 * of one page are serial (R3), and nothing is appended to BASE, DELTA or MAP that no manifest or
 * row will name. {@link NamedRows} has the rows that the last manifest names, where they differ. A
 * {@link Reclaimer} moves images between two checkpoints, under the lock too.
 *
 * <p>A failure in the middle leaves the old manifest in place, and everything that it names; the
 * store then stops writing, since what is in memory no longer agrees with what was noted.
 *
 * <p>Threads: any; one checkpoint or flush at a time, the others wait.
 */
public class Checkpointer {
  private final OpenedStore store;
  private final Forest forest;
  private final TreeSpace space;
  private final ExtentStore extents;
  private final CheckpointSource source;
  private final ValueReferences values;
  private final RowLock lock;
  private final CheckpointSync sync;
  private final ManifestDemand demand;
  private final RowManifests rowManifests;
  private final CheckpointSpace bounded;
  private final SpaceReclaim reclaiming;

  /** Where the next flush begins among the trees. Guarded by the lock. */
  private int nextTree;

  private volatile long lastLogPosition;
  private final AtomicLong count = new AtomicLong();

  /**
   * Checkpoints of an opened store that serves transactions.
   *
   * @param logPosition where the manifest that is in place says that replay starts
   * @param replayedValues values that replay appended, in no image yet
   * @param reclaim which extents are emptied
   */
  public Checkpointer(
      OpenedStore store,
      TransactionManager transactions,
      WriteAheadLog log,
      long logPosition,
      List<Long> replayedValues,
      ReclaimSettings reclaim) {
    this(store, new LiveSource(transactions, log), logPosition, replayedValues, reclaim);
  }

  /** Checkpoints of what a source has applied, which move nothing. */
  Checkpointer(OpenedStore store, CheckpointSource source, long logPosition) {
    this(store, source, logPosition, List.of(), ReclaimSettings.OFF);
  }

  /** As the public one, of what a source has applied. */
  Checkpointer(
      OpenedStore store,
      CheckpointSource source,
      long logPosition,
      List<Long> replayedValues,
      ReclaimSettings reclaim) {
    this.store = store;
    this.forest = store.forest();
    this.space = store.space();
    this.extents = store.extents();
    this.source = source;
    this.values = store.values();
    this.lock = new RowLock(source, System::nanoTime);
    this.sync = new CheckpointSync(extents);
    this.demand = new ManifestDemand(store, reclaim);
    Reclaimer reclaimer = new Reclaimer(store, source, sync, reclaim);
    this.rowManifests = new RowManifests(store, source, lock, demand, reclaimer);
    this.bounded = new CheckpointSpace(store, demand, rowManifests, reclaimer);
    this.reclaiming = new SpaceReclaim(store, source, lock, rowManifests, reclaimer);
    this.lastLogPosition = logPosition;
    replayedValues.forEach(values::written);
  }

  /** Where replay would start now: the log before it has been let go. */
  public long logPosition() {
    return lastLogPosition;
  }

  /** How many manifests of rows have been written since the store was opened. */
  long rowManifests() {
    return rowManifests.count();
  }

  /** How many of them have named new trees in the middle of a checkpoint. */
  long shapeManifests() {
    return rowManifests.shapes();
  }

  /** How many checkpoints have been taken since the store was opened. */
  public long count() {
    return count.get();
  }

  /** Bytes that were appended to the extents since the last checkpoint. */
  public long appendedSince() {
    return demand.appendedSince();
  }

  /**
   * Whether flushes since the last checkpoint have changed so many rows that the next checkpoint
   * should not wait for the log.
   */
  public boolean hasManyChangedRows() {
    return demand.hasManyChangedRows();
  }

  /**
   * Whether the next checkpoint should not wait for the log, because it frees extents that {@link
   * #reclaim} has emptied, or that have expired, or images without which the store takes no more
   * space than it may.
   */
  public boolean freesSpace() {
    return reclaiming.awaitsCheckpoint()
        || (!reclaiming.isCopying() && (demand.hasManyKeptImages() || demand.hasManyNewValues()));
  }

  /** Frees space between two checkpoints, and says what it has done. */
  public SpaceReclaim reclaiming() {
    return reclaiming;
  }

  /**
   * Copies images out of extents that are live in part, if the store takes more space than it may,
   * and takes leaves out of extents that have expired. Like {@link #flush}, it replaces no
   * manifest, and writers go on.
   *
   * @return whether there is more to copy before the next checkpoint
   * @throws IOException if the disk fails for another reason than being full; the store then writes
   *     no more; one that has failed before is left as it is
   * @throws IllegalStateException after {@link #end}
   */
  public boolean reclaim() throws IOException {
    return reclaiming.run();
  }

  /**
   * Writes the first manifest of a new store, when its log is there: it names no extent, and the
   * log from its beginning. So extents, or records in the log, beside no manifest always mean that
   * the manifest is lost.
   *
   * @param durable how far the log is durable
   * @throws IOException if the disk fails; the store then writes no more
   */
  public void create(long durable) throws IOException {
    lock.hold(
        () -> {
          ReplayStart start = source.replayStart();
          byte[] totals = source.totals(start).copy();
          Checkpoint first =
              Checkpoint.first(forest.initTrees(), start.position(), durable, totals);
          store.manifest().replace(first.encode());
          store.checkpoint().set(first);
          return first;
        });
  }

  /**
   * Writes what changed and replaces the manifest. Writers go on meanwhile.
   *
   * @throws IOException if the disk fails; the store then writes no more
   * @throws StoreFailedException if the store has failed before; nothing is written
   * @throws IllegalStateException after {@link #end}
   */
  public void run() throws IOException {
    run(CheckpointPacer.NONE);
  }

  /** As {@link #run()}, and writes no faster than a pacer wants it to. */
  void run(CheckpointPacer pacer) throws IOException {
    lock.hold(
        () -> {
          source.checkpointBegins();
          take(pacer);
          return count.incrementAndGet();
        });
  }

  /**
   * Whether anybody waits for the thread that keeps the rows: for the end of what it does, or of
   * its checkpoint. Also if the store has failed, so that it can be closed.
   */
  boolean isAwaited() {
    return lock.isAwaited();
  }

  /**
   * Writes leaves that changed, those first that changed first in their tree, and replaces no
   * manifest: until the next checkpoint a crash finds what the last one wrote, and the log. Writers
   * go on meanwhile.
   *
   * @param most how many leaves are written
   * @return how many have been written
   * @throws IOException if the disk fails; the store then writes no more
   * @throws StoreFailedException if the store has failed before; nothing is written
   * @throws IllegalStateException after {@link #end}
   */
  public int flush(int most) throws IOException {
    return lock.hold(
        () -> {
          rowManifests.changesRows();
          NotedPages noted = forest.noteLeaves(nextTree++, most);
          write(noted, FlushResult.Progress.NONE);
          extents.deleteDeadNeverNamed();
          return noted.count();
        });
  }

  /**
   * Stops the writing of the store, because the thread that takes checkpoints cannot go on. Only
   * the first cause is kept.
   */
  void fail(Throwable cause) {
    source.fail(cause);
  }

  /**
   * Waits for a checkpoint that runs and allows no further one. Called before the files are closed:
   * the manifest of a checkpoint that outlived its store would name extents that the next opening
   * has deleted.
   */
  public void end() {
    lock.end();
  }

  /**
   * Checks every tree, every image that the page table or the last checkpoint names, and the values
   * that the pages refer to, in slices: flushes and checkpoints wait for one slice at most.
   *
   * @param progress is told how many pages and values have been looked at
   * @return what is wrong, one sentence each
   * @throws IllegalStateException if the store is closed meanwhile
   */
  public List<String> check(LongConsumer progress) {
    return new StoreCheck(store).run(lock::look, progress);
  }

  /**
   * Replaces the manifest by one of rows (R52), if that gives up images: because a round of {@link
   * #reclaim} has ended, or rows take too much memory, or images that only the last manifest names
   * too much space. Nothing is noted, and no page is written.
   *
   * @return whether that was enough, so that no checkpoint need be taken for the sake of the space
   */
  boolean nameRows() throws IOException {
    if (!rowManifests.isDue() || source.failure() != null) {
      return false;
    }
    return lock.hold(
        () -> {
          if (store.checkpoint().get() == null || !rowManifests.isDue()) {
            return false;
          }
          rowManifests.write();
          return !freesSpace() && !hasManyChangedRows();
        });
  }

  private void take(CheckpointPacer pacer) throws IOException {
    ReplayStart start = source.replayStart();
    source.takeWrittenValues().forEach(values::written);
    NotedPages noted = forest.note();
    int shape = noted.sortByPlace(space.table());
    long notedValues = extents.appendedBytes(Stream.VALUE);
    TotalsImage totals = source.totals(start);
    long newest = source.newest(); // E: nothing noted and no total is newer

    pacer.begin();
    rowManifests.changesRows();
    bounded.begins();
    rowManifests.checkpointWrites(noted, shape);
    write(
        noted,
        (pages, all) -> {
          rowManifests.wrote(pages);
          keepSpace();
          source.checkpointWrote(pages, all);
          keepPace(pacer, pages, all);
        });
    List<Integer> removed = rowManifests.endsWriting() ? List.of() : noted.removed();
    extents.sync();
    long durable = source.syncLog(); // up to E at least, in every durability (R1)

    NextManifest next = NextManifest.ofAllRows(store, removed);
    List<Long> superseded = next.supersededImages();
    superseded.addAll(next.appendRows());
    extents.sync();
    superseded.forEach(extents::release);
    values.takeUnreferenced().forEach(extents::release);

    Set<Integer> dead =
        Set.copyOf(extents.dead()); // not named any more, so that they may be deleted
    lock.requireNoFailure();
    Checkpoint checkpoint =
        new Checkpoint(
            forest.initTrees(),
            start.position(),
            durable,
            newest,
            space.table().end(),
            NextManifest.roots(noted),
            store.map().root(),
            next.usage(dead),
            totals.copy(), // with the stamp from which replay has to add to them (R16)
            forest.nextDedicated(),
            extents.movedEver());
    store.manifest().replace(checkpoint.encode());
    store.named().clear();
    rowManifests.replaced(checkpoint);
    values.named();
    lastLogPosition = start.position();
    demand.checkpointed(notedValues);
    next.reuseRemoved();
    for (int extent : dead) {
      extents.delete(extent);
    }
    reclaiming.checkpointed();
    source.valuesCounted(
        reclaiming.excessOfValues(extents.appendedBytes(Stream.VALUE) - notedValues),
        demand.mostNewValues(),
        lock.takeWorked());
    source.checkpointEnds(start.position());
  }

  /**
   * Keeps to the bound of the space between two groups of pages; {@linkplain CheckpointSpace as it
   * does}.
   */
  void keepSpace() throws IOException {
    bounded.keep();
  }

  /** Waits where a checkpoint is ahead of its pace (R47). */
  private void keepPace(CheckpointPacer pacer, int written, int all) throws IOException {
    boolean ahead = pacer.isAhead(written, all);
    sync.bound(ahead ? CheckpointSync.PACED_BYTES : CheckpointSync.UNSYNCED_BYTES);
    if (ahead) {
      lock.pause(() -> pacer.await(written, all));
    }
  }

  private void write(NotedPages noted, FlushResult.Progress progress) throws IOException {
    FlushResult result = new FlushResult(store, source::storedValues, progress);
    new PageFlush(space, extents, source.horizon()).write(noted, result);
  }
}

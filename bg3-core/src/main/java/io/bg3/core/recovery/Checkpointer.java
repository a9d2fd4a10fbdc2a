package io.bg3.core.recovery;

import io.bg3.core.commit.ReplayStart;
import io.bg3.core.commit.StoreFailedException;
import io.bg3.core.commit.TotalsImage;
import io.bg3.core.entry.LargeValueLocations;
import io.bg3.core.forest.Forest;
import io.bg3.core.recovery.Checkpoint.Root;
import io.bg3.core.table.PageRow;
import io.bg3.core.table.PageTable;
import io.bg3.core.transaction.TransactionManager;
import io.bg3.core.tree.NotedPages;
import io.bg3.core.tree.PageFlush;
import io.bg3.core.tree.TreeSpace;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.ExtentUsage;
import io.bg3.storage.extent.Location;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.log.WriteAheadLog;
import io.bg3.storage.manifest.ManifestFile;
import io.bg3.storage.memory.MemoryBudget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;

/**
 * Takes checkpoints, by the steps that the package's description draws, and flushes pages between
 * two of them.
 *
 * <p><b>Rows</b> (R24). The rows of the page table change here only, in the one thread that holds
 * the lock of this class, which a checkpoint holds from its first step to its last. So the row of
 * each page is, when the manifest is written, that of what was noted ({@link PageMap#append}),
 * flushes of one page are serial (R3), and nothing is appended to BASE, DELTA or MAP that no
 * manifest or row will name. {@link NamedRows} has the rows that the last manifest names, where
 * they differ. A {@link Reclaimer} moves images between two checkpoints, under the lock too.
 *
 * <p>A failure in the middle leaves the old manifest in place, and everything that it names; the
 * store then stops writing, since what is in memory no longer agrees with what was noted.
 *
 * <p>Threads: any; one checkpoint or flush at a time, the others wait.
 */
public class Checkpointer {
  /**
   * A checkpoint is due when the rows that the last manifest names take this part of the budget.
   */
  private static final int NAMED_SHARE = 64;

  /** Images that only the last manifest names matter from this part of the live bytes on. */
  private static final int KEPT_SHARE = 32;

  /** New values matter from this part of the live ones on. */
  private static final int NEW_VALUES_SHARE = 4;

  /** A checkpoint looks at the space when it has written this part of the live bytes. */
  private static final int LOOK_SHARE = 64;

  /** Bytes that are copied in a checkpoint, where that is wanted, for each one written. */
  private static final int COPIED_FOR_ONE = 2;

  /** Bytes that a checkpoint which waits for its pace appends before it syncs them. */
  private static final int PACED_BYTES = 1 << 20;

  /** Bytes that a checkpoint or a round of copying appends at most before it syncs them. */
  private static final int UNSYNCED_BYTES = 8 << 20;

  private final OpenedStore store;
  private final Forest forest;
  private final TreeSpace space;
  private final ExtentStore extents;
  private final CheckpointSource source;
  private final ManifestFile manifest;
  private final PageMap map;
  private final ValueReferences values;
  private final long mostNamedBytes;
  private final ReclaimSettings reclaim;
  private final Reclaimer reclaimer;
  private final ExtentExpiry expiry;

  /** Held by the one thread that may change rows. */
  private final ReentrantLock rows = new ReentrantLock(true); // flushes do not overtake checkpoints

  // Guarded by rows; the volatile ones are read without.
  private final NamedRows named;
  private int nextTree;
  private boolean ended;

  /** The state in the last manifest; null before the first. */
  private final AtomicReference<Checkpoint> last;

  /** Whether rows have changed since the last manifest because images were copied, and only so. */
  private boolean movedOnly;

  /** Bytes of images that had been appended when the last checkpoint ended. */
  private long appendedBefore;

  /**
   * How long it has been worked under the lock since the last checkpoint, but for what is done now.
   */
  private long worked;

  private long workBegan;

  /** Bytes that had been appended at the last early sync. */
  private long lastSynced;

  /**
   * The pages that a checkpoint has noted, from when it has written the reshaped ones (R52) until a
   * manifest names them; else null.
   */
  private NotedPages unnamedShape;

  /** Whether a manifest of rows has named those of this checkpoint. */
  private boolean shapeNamed;

  /** Bytes that had been appended when a checkpoint last looked at the space, or began. */
  private long lastLookedAt;

  private volatile long namedBytes;
  private volatile long lastLogPosition;
  private volatile long lastAppended;
  private volatile long lastAppendedValues;
  private volatile long lastLiveValues;

  /** Bytes kept for the last manifest alone when it was last known not to be worth a checkpoint. */
  private volatile long lookedAtKept;

  private final AtomicLong count = new AtomicLong();
  private final AtomicLong rowManifests = new AtomicLong();
  private final AtomicLong shapeManifests = new AtomicLong();

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
    this(store, new LiveSource(transactions, log), logPosition, reclaim);
    replayedValues.forEach(values::written);
  }

  /** Checkpoints of what a source has applied, which move nothing. */
  Checkpointer(OpenedStore store, CheckpointSource source, long logPosition) {
    this(store, source, logPosition, ReclaimSettings.OFF);
  }

  private Checkpointer(
      OpenedStore store, CheckpointSource source, long logPosition, ReclaimSettings reclaim) {
    this.store = store;
    this.forest = store.forest();
    this.space = store.space();
    this.extents = store.extents();
    this.source = source;
    this.manifest = store.manifest();
    this.map = store.map();
    this.values = store.values();
    MemoryBudget budget = space.table().budget();
    this.named = store.named();
    this.last = store.checkpoint();
    this.namedBytes = named.bytes();
    this.mostNamedBytes = budget.limit() / NAMED_SHARE;
    this.reclaim = reclaim;
    this.reclaimer = new Reclaimer(store, reclaim, new ValueMover(store, source::horizon));
    this.expiry = new ExtentExpiry(store, source);
    this.lastLogPosition = logPosition;
    this.lastAppended = extents.appendedBytes();
    lookAtValues(extents.appendedBytes(Stream.VALUE));
  }

  /** Where replay would start now: the log before it has been let go. */
  public long logPosition() {
    return lastLogPosition;
  }

  /** How many manifests of rows have been written since the store was opened. */
  long rowManifests() {
    return rowManifests.get();
  }

  /** How many of them have named new trees in the middle of a checkpoint. */
  long shapeManifests() {
    return shapeManifests.get();
  }

  /** How many checkpoints have been taken since the store was opened. */
  public long count() {
    return count.get();
  }

  /** Bytes that were appended to the extents since the last checkpoint. */
  public long appendedSince() {
    return extents.appendedBytes() - lastAppended;
  }

  /**
   * Whether flushes since the last checkpoint have changed so many rows that the next checkpoint
   * should not wait for the log.
   */
  public boolean hasManyChangedRows() {
    return namedBytes >= mostNamedBytes;
  }

  /**
   * Whether the next checkpoint should not wait for the log, because it frees extents that {@link
   * #reclaim} has emptied, or that have expired, or images without which the store takes no more
   * space than it may.
   */
  public boolean freesSpace() {
    return reclaimer.awaitsCheckpoint()
        || expiry.awaitsCheckpoint()
        || (!reclaimer.isActive() && (awaitsManifest() || hasManyNewValues()));
  }

  /**
   * Whether so many values were appended since the last checkpoint that the space of those which
   * they replace matters: only a checkpoint finds out which values are garbage. It begins when half
   * of what may be appended is, because extents are deleted by the checkpoint after the one that
   * has found out.
   */
  private boolean hasManyNewValues() {
    long appended = extents.appendedBytes(Stream.VALUE) - lastAppendedValues;
    return !reclaim.isOff() && appended >= mostNewValues() / 2;
  }

  private long mostNewValues() {
    return Math.max(
        ReclaimChoice.FEW_EXTENTS * (long) extents.extentSize(), lastLiveValues / NEW_VALUES_SHARE);
  }

  /** Whether images that only the last manifest names are what is too much. */
  private boolean awaitsManifest() {
    long kept = named.keptBytes();
    if (reclaim.isOff() || kept < lookedAtKept + extents.extentSize() || !isMuch(kept)) {
      return false;
    }
    boolean above = isAbove(isMuch(named.keptOfOthers()) ? reclaim.near() : reclaim);
    lookedAtKept = above ? 0 : kept;
    return above;
  }

  /** Whether so many bytes are worth a manifest. */
  private boolean isMuch(long kept) {
    return kept >= Math.max(extents.extentSize(), extents.liveBytes() / KEPT_SHARE);
  }

  /** Whether the images take more space than settings allow, without those that are superseded. */
  private boolean isAbove(ReclaimSettings settings) {
    SpaceUsage space = SpaceUsage.of(ReclaimChoice.images(extents.usage()));
    return ReclaimChoice.isAbove(settings, space.without(named.keptBytes()), extents.extentSize());
  }

  /** Whether {@link #reclaim} has images left to copy. */
  public boolean isReclaiming() {
    return reclaimer.isActive();
  }

  /** Says whether anybody writes: while nobody does, {@link #reclaim} goes on to a lower bound. */
  void rests(boolean now) {
    reclaimer.rests(now);
  }

  /** Whether what has expired waits for a commit that is as new as the clock. */
  boolean awaitsClock() {
    return expiry.awaitsClock();
  }

  /**
   * Makes such a commit. Not to be called by the thread that keeps the rows: it may wait for it.
   */
  void commitClock() {
    source.commitClock();
  }

  /** Rounds of reclaiming that have begun since the store was opened. */
  public long reclaimRounds() {
    return reclaimer.rounds();
  }

  /** Rounds of reclaiming after which no extent could be deleted. */
  public long vainReclaimRounds() {
    return reclaimer.vainRounds();
  }

  /** Extents of a family that have gone because everything in them had expired. */
  public long expiredExtents(int family) {
    return expiry.expired(family);
  }

  /** Bytes of leaves that were written again because their extents had expired, in part alive. */
  public long rewrittenForExpiry() {
    return expiry.rewrittenBytes();
  }

  /** Extents that are not emptied because an image in them cannot be read. */
  public long unreadableExtents() {
    return reclaimer.unreadable();
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
    boolean[] more = new boolean[1];
    boolean expires = expiry.mayHaveWork();
    if ((!expires && !reclaimer.mayHaveWork()) || source.failure() != null) {
      return false;
    }
    keepRows(
        () -> {
          try {
            more[0] = slice(expires);
          } finally {
            namedBytes = named.bytes();
          }
          extents.deleteDeadNeverNamed();
        });
    return more[0];
  }

  /** A look at the extents that finds none that has expired is no work, and changes no row. */
  private boolean slice(boolean expires) throws IOException {
    boolean renews = expiry.isActive();
    if (renews) {
      changesRows();
    }
    if (expires && expiry.slice()) {
      return true;
    }
    boolean more = !renews && reclaimer.slice(result(FlushResult.Progress.NONE), source::horizon);
    syncIfAbove(UNSYNCED_BYTES);
    return more;
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
    keepRows(
        () -> {
          ReplayStart start = source.replayStart();
          byte[] totals = bytes(totals(source, start));
          Checkpoint first =
              Checkpoint.first(forest.initTrees(), start.position(), durable, totals);
          manifest.replace(first.encode());
          last.set(first);
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
    keepRows(
        () -> {
          source.checkpointBegins();
          take(pacer);
          count.incrementAndGet();
        });
  }

  /**
   * Whether anybody waits for the thread that keeps the rows: for the end of what it does, or of
   * its checkpoint. Also if the store has failed, so that it can be closed.
   */
  boolean isAwaited() {
    return rows.hasQueuedThreads() || source.commitsWait() || source.failure() != null;
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
    int[] flushed = new int[1];
    keepRows(
        () -> {
          changesRows();
          NotedPages noted = forest.noteLeaves(nextTree++, most);
          write(noted, FlushResult.Progress.NONE);
          extents.deleteDeadNeverNamed();
          flushed[0] = noted.count();
        });
    return flushed[0];
  }

  private interface Work {
    void run() throws IOException;
  }

  /** Does something while no other thread changes rows; its failure is the store's. */
  private void keepRows(Work work) throws IOException {
    rows.lock();
    try {
      if (ended) {
        throw new IllegalStateException("the store is closed and takes no checkpoint");
      }
      requireNoFailure();
      workBegan = System.nanoTime();
      source.workBegins();
      try {
        work.run();
        worked += System.nanoTime() - workBegan;
      } catch (IOException | RuntimeException | Error e) {
        source.fail(e);
        throw e;
      } finally {
        source.workEnds();
      }
    } finally {
      rows.unlock();
    }
  }

  /**
   * Stops the writing of the store, because the thread that takes checkpoints cannot go on. Only
   * the first cause is kept.
   */
  void fail(Throwable cause) {
    source.fail(cause);
  }

  /**
   * Refuses to go on behind a failure of the store. A flush that failed has pages noted that no
   * later one writes, and a commit that failed may have changed only some of its pages: a manifest
   * would let go of the log that has all of them.
   */
  private void requireNoFailure() {
    Throwable failure = source.failure();
    if (failure != null) {
      throw new StoreFailedException(failure);
    }
  }

  /**
   * Waits for a checkpoint that runs and allows no further one. Called before the files are closed:
   * the manifest of a checkpoint that outlived its store would name extents that the next opening
   * has deleted.
   */
  public void end() {
    rows.lock();
    try {
      ended = true;
    } finally {
      rows.unlock();
    }
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
    return new StoreCheck(store).run(this::slice, progress);
  }

  private boolean slice(BooleanSupplier slice) {
    rows.lock(); // fair: a flush that waits comes before the next slice
    try {
      if (ended) {
        throw new IllegalStateException("the store is closed and not checked to its end");
      }
      return slice.getAsBoolean();
    } finally {
      rows.unlock();
    }
  }

  private void take(CheckpointPacer pacer) throws IOException {
    ReplayStart start = source.replayStart();
    source.takeWrittenValues().forEach(values::written);
    NotedPages noted = forest.note();
    int shape = noted.sortByPlace(space.table());
    long notedValues = extents.appendedBytes(Stream.VALUE);
    TotalsImage totals = totals(source, start);
    long newest = source.newest(); // E: nothing noted and no total is newer

    pacer.begin();
    changesRows();
    lastLookedAt = extents.appendedBytes();
    shapeNamed = false;
    NotedPages namedEarly = noted.losesLogged() ? null : noted;
    unnamedShape = shape == 0 ? namedEarly : null;
    write(
        noted,
        (pages, all) -> {
          if (pages == shape) {
            unnamedShape = namedEarly;
          }
          keepSpace();
          keepPace(pacer, pages, all);
        });
    unnamedShape = null;
    extents.sync();
    long durable = syncLog(source); // up to E at least, in every durability

    Set<Integer> removed = shapeNamed ? Set.of() : new HashSet<>(noted.removed());
    List<Long> superseded = supersededImages(removed, page -> false);
    superseded.addAll(map.append(changed(removed, page -> false), removed, space.table()::row));
    removed.forEach(page -> values.replace(page, LargeValueLocations.NONE));
    extents.sync();
    superseded.forEach(extents::release);
    values.takeUnreferenced().forEach(extents::release);

    Set<Integer> dead =
        Set.copyOf(extents.dead()); // not named any more, so that they may be deleted
    requireNoFailure();
    Checkpoint checkpoint = checkpoint(noted, start, newest, durable, totals, dead);
    manifest.replace(checkpoint.encode());
    named.clear();
    replaced(checkpoint);
    values.named();
    lastLogPosition = start.position();
    lastAppended = extents.appendedBytes();
    long appended = appendedImages();
    lookAtValues(notedValues);
    reuse(removed);
    for (int extent : dead) {
      extents.delete(extent);
    }
    reclaimer.appends(appended - appendedBefore);
    appendedBefore = appended;
    reclaimer.checkpointed();
    expiry.checkpointed();
    source.valuesCounted(
        reclaimer.excessOfValues(extents.appendedBytes(Stream.VALUE) - notedValues),
        mostNewValues(),
        worked + System.nanoTime() - workBegan);
    worked = 0;
    workBegan = System.nanoTime();
    source.checkpointEnds(start.position());
  }

  /** Bytes of images that were appended, and not moved. */
  private long appendedImages() {
    return extents.appendedBytes(Stream.BASE) + extents.appendedBytes(Stream.DELTA);
  }

  /** Says that the manifest has been replaced. */
  private void replaced(Checkpoint checkpoint) {
    last.set(checkpoint);
    movedOnly = true;
    namedBytes = named.bytes();
    lookedAtKept = 0;
  }

  /**
   * Replaces the manifest by one of rows (R52), if that gives up images: because a round of {@link
   * #reclaim} has ended, or rows take too much memory, or images that only the last manifest names
   * too much space. Nothing is noted, and no page is written.
   *
   * @return whether that was enough, so that no checkpoint need be taken for the sake of the space
   */
  boolean nameRows() throws IOException {
    boolean[] done = new boolean[1];
    if (hasRowsToName() && source.failure() == null) {
      keepRows(
          () -> {
            if (last.get() != null && hasRowsToName()) {
              takeRows();
              done[0] = !freesSpace() && !hasManyChangedRows();
            }
          });
    }
    return done[0];
  }

  private boolean hasRowsToName() {
    return !reclaim.isOff()
        && (reclaimer.awaitsManifest() || hasManyChangedRows() || isMuch(named.keptOfOthers()));
  }

  /** Says that rows are about to get images of another content. */
  private void changesRows() {
    movedOnly = false;
  }

  /**
   * Replaces the manifest by one of the log from the same position on (R52). It names the current
   * rows of all pages but those which are reshaped, and the same trees; or, in a checkpoint that
   * has written its reshaped pages, all current rows, and the trees that it has noted.
   *
   * <p>A second one in a checkpoint has the E of the first: all that is written then was noted
   * before.
   */
  private void takeRows() throws IOException {
    NotedPages shape = unnamedShape;
    IntPredicate left = shape == null ? named::isReshaped : page -> false;
    Set<Integer> removed = shape == null ? Set.of() : new HashSet<>(shape.removed());
    Checkpoint before = last.get();
    long newest = movedOnly ? before.newest() : source.newest(); // E: no image is newer
    extents.sync();
    long durable = movedOnly ? before.logDurable() : syncLog(source);
    List<Long> superseded = supersededImages(removed, left);
    superseded.addAll(
        map.append(
            changed(removed, left),
            removed,
            page -> left.test(page) ? named.named(page) : space.table().row(page)));
    removed.forEach(page -> values.replace(page, LargeValueLocations.NONE));
    extents.sync();
    superseded.forEach(extents::release);
    Set<Integer> dead = Set.copyOf(extents.dead());
    requireNoFailure();
    Checkpoint checkpoint =
        new Checkpoint(
            before.initTrees(),
            before.logPosition(),
            durable,
            newest,
            space.table().end(),
            shape == null ? before.roots() : roots(shape),
            map.root(),
            usageToName(dead, left),
            before.totals(),
            shape == null ? before.nextDedicated() : forest.nextDedicated());
    manifest.replace(checkpoint.encode());
    values.namedAllBut(left);
    if (shape == null) {
      named.retainReshaped();
    } else {
      named.clear();
    }
    replaced(checkpoint);
    if (shape != null) {
      shapeNamed = true;
      shapeManifests.incrementAndGet();
    }
    unnamedShape = null;
    rowManifests.incrementAndGet();
    lastAppended = extents.appendedBytes();
    reuse(removed);
    for (int extent : dead) {
      extents.delete(extent);
    }
    reclaimer.rowsNamed();
  }

  /**
   * Keeps the space of images to its bound while a checkpoint writes them (R53): gives up those
   * that have been written anew, and empties extents of which that was not enough.
   */
  void keepSpace() throws IOException {
    long written = extents.appendedBytes() - lastLookedAt;
    if (reclaim.isOff()
        || last.get() == null
        || written < Math.max(extents.extentSize(), extents.liveBytes() / LOOK_SHARE)) {
      return;
    }
    if (isAbove(reclaim.near())) {
      takeRows();
      long most = COPIED_FOR_ONE * written;
      long end = extents.appendedBytes() + most;
      boolean more = true;
      while (more && extents.appendedBytes() < end && isAbove(reclaim.near())) {
        more = reclaimer.sliceOfImages(result(FlushResult.Progress.NONE), source::horizon, most);
        syncIfAbove(UNSYNCED_BYTES);
        if (reclaimer.awaitsManifest()) {
          takeRows();
          more = true;
        }
      }
    }
    lastLookedAt = extents.appendedBytes();
  }

  /**
   * Looks how many values there are.
   *
   * @param noted how many bytes of values were appended when the last checkpoint noted the pages
   */
  private void lookAtValues(long noted) {
    lastLiveValues = SpaceUsage.of(ReclaimChoice.values(extents.usage())).live();
    lastAppendedValues = noted;
  }

  private void write(NotedPages noted, FlushResult.Progress progress) throws IOException {
    try {
      new PageFlush(space, extents, source.horizon()).write(noted, result(progress));
    } finally {
      namedBytes = named.bytes();
    }
  }

  /**
   * Waits where a checkpoint is ahead of its pace (R47). That is no work: commits are slowed by how
   * long this thread works, and not by how long it spares them.
   */
  private void keepPace(CheckpointPacer pacer, int written, int all) throws IOException {
    boolean ahead = pacer.isAhead(written, all);
    syncIfAbove(ahead ? PACED_BYTES : UNSYNCED_BYTES);
    if (ahead) {
      worked += System.nanoTime() - workBegan;
      source.checkpointPauses();
      pacer.await(written, all);
      source.checkpointGoesOn();
      workBegan = System.nanoTime();
    }
  }

  /**
   * Syncs early if more than some bytes are unsynced, so that no later sync is long enough to delay
   * those of commits.
   */
  private void syncIfAbove(int most) throws IOException {
    if (extents.appendedBytes() - lastSynced >= most) {
      extents.sync();
      lastSynced = extents.appendedBytes();
    }
  }

  private FlushResult result(FlushResult.Progress progress) {
    return new FlushResult(named, values, source::storedValues, extents, progress);
  }

  /** The pages of which the next manifest names another row than the last one. */
  private int[] changed(Set<Integer> removed, IntPredicate left) {
    return Arrays.stream(named.pages())
        .filter(page -> !removed.contains(page) && !left.test(page))
        .toArray();
  }

  /**
   * The images that the last manifest names and the next one will not.
   *
   * @param removed pages that the next one does not name
   * @param left pages of which the next one names the same row as the last
   */
  private List<Long> supersededImages(Set<Integer> removed, IntPredicate left) {
    List<Long> superseded = new ArrayList<>();
    PageTable table = space.table();
    for (int page : named.pages()) {
      if (!removed.contains(page) && !left.test(page)) {
        PageRow row = table.row(page);
        named.named(page).locations().filter(old -> !row.names(old)).forEach(superseded::add);
      }
    }
    for (int page : removed) {
      PageRow row = table.row(page);
      row.locations().forEach(superseded::add);
      PageRow old = named.named(page);
      if (old != null) {
        old.locations().filter(location -> !row.names(location)).forEach(superseded::add);
      }
    }
    return superseded;
  }

  /** The rows that the last manifest names and the page table does not; for tests. */
  NamedRows named() {
    return named;
  }

  /** Makes the log durable up to everything that an image can hold (R1). */
  long syncLog(CheckpointSource from) {
    return from.syncLog();
  }

  /** The totals with the stamp from which replay has to add to them (R16). */
  TotalsImage totals(CheckpointSource from, ReplayStart start) {
    return from.totals(start);
  }

  private Checkpoint checkpoint(
      NotedPages noted,
      ReplayStart start,
      long newest,
      long durable,
      TotalsImage totals,
      Set<Integer> dead) {
    return new Checkpoint(
        forest.initTrees(),
        start.position(),
        durable,
        newest,
        space.table().end(),
        roots(noted),
        map.root(),
        usageToName(dead, page -> false),
        bytes(totals),
        forest.nextDedicated());
  }

  private static List<Root> roots(NotedPages noted) {
    return noted.trees().stream().map(tree -> new Root(tree.id(), tree.root())).toList();
  }

  /**
   * The usage of the extents as a manifest says it: without the current images of the pages of
   * which it names the row that the last manifest does.
   */
  private List<ExtentUsage> usageToName(Set<Integer> dead, IntPredicate left) {
    Map<Integer, Long> bytes = new HashMap<>();
    Map<Integer, Long> records = new HashMap<>();
    PageTable table = space.table();
    for (int page : Arrays.stream(named.pages()).filter(left).toArray()) {
      PageRow row = named.named(page);
      table
          .row(page)
          .locations()
          .filter(image -> !row.names(image))
          .forEach(
              image -> {
                bytes.merge(Location.extent(image), Location.bytes(image), Long::sum);
                records.merge(Location.extent(image), 1L, Long::sum);
              });
    }
    return values.asOpened(extents.usageToName(), left).stream()
        .filter(usage -> !dead.contains(usage.extent()))
        .map(
            usage ->
                records.containsKey(usage.extent())
                    ? usage.withLive(
                        usage.live() - bytes.get(usage.extent()),
                        usage.liveRecords() - records.get(usage.extent()))
                    : usage)
        .toList();
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
  private void reuse(Set<Integer> removed) {
    if (!removed.isEmpty()) {
      PageTable table = space.table();
      space.epochs().awaitQuiescence();
      removed.forEach(table::reuse);
    }
  }
}

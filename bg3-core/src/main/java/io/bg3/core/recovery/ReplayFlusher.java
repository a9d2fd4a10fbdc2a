package io.bg3.core.recovery;

import io.bg3.core.commit.Replayer;
import io.bg3.core.entry.Horizon;
import io.bg3.core.tree.NotedPages;
import io.bg3.core.tree.PageEvictor;
import io.bg3.core.tree.PageFlush;
import io.bg3.core.tree.ReplayRoom;
import io.bg3.storage.memory.MemoryBudget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flushes and evicts leaves while the log is replayed, so that opening a store after a crash needs
 * no more memory than running it did.
 *
 * <p>The images go to new extents. No manifest names them before the first checkpoint (R24), so a
 * crash in the middle, or an opening that is refused, leaves everything as it was. Where the disk
 * is full, the extents go that no manifest names; if that does not suffice, replay goes on without
 * flushing until the memory is full too. A large value that finds no space then refuses the
 * opening, and so does any other failure of the disk.
 *
 * <pre>
 *   thread of tree A       thread of tree B       memory is short
 *   read lock, page P      read lock, page Q
 *   next page: short
 *     wants the write lock
 *                          done with Q
 *     flushes, evicts      next page: waits
 *   read lock, page P2     read lock, page Q2
 * </pre>
 *
 * <p>Threads: any, until the replay has ended.
 */
final class ReplayFlusher implements ReplayRoom {
  private static final Logger LOG = LoggerFactory.getLogger(ReplayFlusher.class);

  private final OpenedStore store;
  private final PageEvictor evictor;
  private final Replayer replayer;
  private final long free;
  private final UnnamedExtents unnamed;
  private final ReentrantReadWriteLock pages = new ReentrantReadWriteLock();
  private int nextTree; // guarded by the write lock

  /** Why nothing more can be flushed; null while it can. Written under the write lock. */
  private volatile IOException full;

  /**
   * @param free bytes of the memory budget that are kept free
   * @param unnamed what can be deleted for room on the disk
   */
  ReplayFlusher(
      OpenedStore store,
      PageEvictor evictor,
      Replayer replayer,
      long free,
      UnnamedExtents unnamed) {
    this.store = store;
    this.evictor = evictor;
    this.replayer = replayer;
    this.free = free;
    this.unnamed = unnamed;
  }

  /** Whether images found no space on the disk the last time. */
  boolean isFull() {
    return full != null;
  }

  @Override
  public void run(Runnable work) {
    if (evictor.missing(kept()) > 0 || evictor.isCompactionDue()) {
      makeRoom();
    }
    pages.readLock().lock();
    try {
      work.run();
    } finally {
      pages.readLock().unlock();
    }
  }

  @Override
  public boolean makeSpace(IOException failure) throws IOException {
    pages.writeLock().lock();
    try {
      if (!unnamed.isFull(failure) || store.extents().failure() != null) {
        return false;
      }
      store.extents().deleteDeadNeverNamed(); // such as the one that the append has begun
      return free(failure);
    } finally {
      pages.writeLock().unlock();
    }
  }

  private boolean free(IOException failure) throws IOException {
    boolean freed = unnamed.free();
    if (freed) {
      LOG.info("deleted extents that no manifest names, because the disk is full", failure);
    }
    return freed;
  }

  private void makeRoom() {
    pages.writeLock().lock();
    try {
      flushAndEvict();
      if (full != null && evictor.missing(0) > 0) { // there may be space on the disk by now
        full = null;
        flushAndEvict();
      }
      requireRoom();
    } finally {
      pages.writeLock().unlock();
    }
  }

  private void flushAndEvict() {
    int flushed = 1;
    while (evictor.missing(wanted()) > 0 && flushed > 0) {
      evictor.relieveOfAny(wanted());
      flushed = evictor.missing(wanted()) > 0 ? tryFlush() : 1;
    }
    evictor.compact(0);
  }

  /**
   * Bytes that are free behind {@link #makeRoom}. Most leaves in memory are dirty. An evictor that
   * looks at all pages for the few that are not would do so again a few pages later.
   */
  private long wanted() {
    return full == null ? free + evictor.ahead() : 0;
  }

  /** Bytes that are kept free. Where nothing can be flushed, replay takes the whole budget. */
  private long kept() {
    return full == null ? free : 0;
  }

  private void requireRoom() {
    if (full == null || evictor.missing(0) <= 0) {
      return;
    }
    MemoryBudget budget = store.space().table().budget();
    throw new UncheckedIOException(
        "cannot replay the log: its entries do not fit into the memory budget, and cannot be"
            + " written to the disk; no data is lost. Free space on the disk, or raise the setting:"
            + " setting="
            + budget.settingName()
            + ", limit="
            + budget.limit()
            + ", used="
            + budget.used()
            + ", disk="
            + full.getMessage(),
        full);
  }

  /**
   * Flushes some leaves; says how many. A disk that is full matters only when memory is too, but
   * behind a checkpoint of this replay, where an append that fails ends all appending.
   */
  private int tryFlush() {
    if (full == null) {
      try {
        return flushFreeing();
      } catch (IOException e) {
        if (!unnamed.isFull(e) || store.extents().failure() != null) {
          throw new UncheckedIOException(Replayer.refusal("pages", e), e);
        }
        LOG.warn("the disk is full, the log is replayed in memory", e);
        full = e;
      }
    }
    return 0;
  }

  private int flushFreeing() throws IOException {
    try {
      return flush();
    } catch (IOException e) {
      if (!unnamed.isFull(e) || !free(e)) {
        throw e;
      }
      return flush();
    }
  }

  private int flush() throws IOException {
    int most = store.space().dirtyPages().flushedFor(evictor.ahead());
    NotedPages noted = store.forest().noteLeaves(nextTree++, most);
    FlushResult result = new FlushResult(store, replayer::storedValues, FlushResult.Progress.NONE);
    Horizon horizon = Horizon.at(replayer.stamp()); // nobody reads before the end
    new PageFlush(store.space(), store.extents(), horizon).write(noted, result);
    store.extents().deleteDeadNeverNamed();
    return noted.count();
  }
}

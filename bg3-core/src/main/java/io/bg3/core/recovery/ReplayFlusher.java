package io.bg3.core.recovery;

import io.bg3.core.commit.Replayer;
import io.bg3.core.entry.Horizon;
import io.bg3.core.tree.NotedPages;
import io.bg3.core.tree.PageEvictor;
import io.bg3.core.tree.PageFlush;
import io.bg3.core.tree.ReplayRoom;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Flushes and evicts leaves while the log is replayed, so that opening a store after a crash needs
 * no more memory than running it did.
 *
 * <p>The images go to new extents. No manifest names them before the first checkpoint of the opened
 * store (R24), so a crash in the middle, or an opening that is refused, leaves everything as it
 * was.
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
public final class ReplayFlusher implements ReplayRoom {
  /** Leaves that are flushed at once. */
  private static final int FLUSHED_LEAVES = 64;

  private final OpenedStore store;
  private final PageEvictor evictor;
  private final Replayer replayer;
  private final long free;
  private final ReentrantReadWriteLock pages = new ReentrantReadWriteLock();
  private int nextTree; // guarded by the write lock

  /**
   * @param free bytes of the memory budget that are kept free
   */
  public ReplayFlusher(OpenedStore store, PageEvictor evictor, Replayer replayer, long free) {
    this.store = store;
    this.evictor = evictor;
    this.replayer = replayer;
    this.free = free;
  }

  @Override
  public void run(Runnable work) {
    if (evictor.missing(free) > 0) {
      makeRoom();
    }
    pages.readLock().lock();
    try {
      work.run();
    } finally {
      pages.readLock().unlock();
    }
  }

  private void makeRoom() {
    pages.writeLock().lock();
    try {
      int flushed = 1;
      while (evictor.missing(free) > 0 && flushed > 0) {
        evictor.relieve(free);
        flushed = evictor.missing(free) > 0 ? flush() : 1;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write what was replayed", e);
    } finally {
      pages.writeLock().unlock();
    }
  }

  private int flush() throws IOException {
    NotedPages noted = store.forest().noteLeaves(nextTree++, FLUSHED_LEAVES);
    FlushResult result =
        new FlushResult(store.named(), store.values(), replayer::storedValues, store.extents());
    Horizon horizon = Horizon.at(replayer.stamp()); // nobody reads before the end
    new PageFlush(store.space(), store.extents(), horizon).write(noted, result);
    return noted.count();
  }
}

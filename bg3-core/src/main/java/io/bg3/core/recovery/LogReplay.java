package io.bg3.core.recovery;

import io.bg3.core.commit.Replayer;
import io.bg3.core.entry.Horizon;
import io.bg3.core.tree.PageEvictor;
import io.bg3.storage.file.Disk;
import io.bg3.storage.log.LogReader;
import io.bg3.storage.log.LogSettings;
import io.bg3.storage.log.TornTail;
import io.bg3.storage.log.WriteAheadLog;
import io.bg3.storage.memory.MemoryBudget;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replays the log of a store that is being opened, within its memory budget, however much larger
 * the store is (R24.9).
 *
 * <p>Pages that do not fit are flushed and evicted ({@link ReplayFlusher}). The rows that the
 * manifest names are kept beside those of the flushed pages; where they take too much, replay takes
 * a checkpoint. Most openings need none, and change no file before everything has been replayed.
 *
 * <pre>
 *   log        L ------------- p ------------------- end
 *   replay     applied         next
 *   first      reads the log to its end, repairs it, syncs it; deletes unnamed extents
 *   each       notes, flushes, MAP, sync; manifest: L' = p, E' = max(E, replayed)
 *   cut        old manifest: L and old images     new manifest: p and new images
 * </pre>
 *
 * <p>Damage of the log is found before the first checkpoint. An opening that is refused behind one,
 * for a damaged page or for want of memory, has lost nothing: the next one goes on there.
 *
 * <p>Threads: one.
 */
public final class LogReplay {
  private static final Logger LOG = LoggerFactory.getLogger(LogReplay.class);

  /** Replay leaves this part of the memory budget free. */
  private static final int FREE_SHARE = 4;

  /** Entries that are gathered take at most this part of the budget, and so do rows of theirs. */
  private static final int GATHERED_SHARE = 16;

  /** A checkpoint is taken when the named rows take this part of the budget. */
  private static final int NAMED_SHARE = 64;

  private final Disk disk;
  private final LogSettings settings;
  private final OpenedStore store;
  private final Replayer replayer;
  private final UnnamedExtents unnamed;
  private final ReplayFlusher flusher; // null if this is to read only
  private final long mostNamedBytes;
  private final ReplaySource source;
  private final Checkpointer checkpointer;
  private WriteAheadLog log; // null before the first checkpoint

  private LogReplay(
      Disk disk,
      LogSettings settings,
      OpenedStore store,
      Replayer replayer,
      UnnamedExtents unnamed,
      ReplayFlusher flusher,
      long mostNamedBytes) {
    this.disk = disk;
    this.settings = settings;
    this.store = store;
    this.replayer = replayer;
    this.unnamed = unnamed;
    this.flusher = flusher;
    this.mostNamedBytes = mostNamedBytes;
    this.source = new ReplaySource(store, replayer);
    this.checkpointer = new Checkpointer(store, source, store.logPosition());
  }

  /**
   * A replay that keeps within the budget.
   *
   * @param evictor of the store's pages
   */
  public static LogReplay bounded(
      Disk disk, LogSettings settings, OpenedStore store, Replayer replayer, PageEvictor evictor) {
    MemoryBudget budget = store.space().table().budget();
    return bounded(
        disk,
        settings,
        store,
        replayer,
        evictor,
        budget.limit() / FREE_SHARE,
        budget.limit() / GATHERED_SHARE,
        budget.limit() / NAMED_SHARE);
  }

  static LogReplay bounded(
      Disk disk,
      LogSettings settings,
      OpenedStore store,
      Replayer replayer,
      PageEvictor evictor,
      long free,
      long mostGathered,
      long mostNamedBytes) {
    UnnamedExtents unnamed = new UnnamedExtents(disk, settings, store);
    ReplayFlusher flusher = new ReplayFlusher(store, evictor, replayer, free, unnamed);
    replayer.keepWithin(flusher, mostGathered);
    // A page that was pruned, flushed and evicted is loaded without what the pruning left out.
    store.space().loader().pruneBy(() -> replayed(store, replayer));
    return new LogReplay(disk, settings, store, replayer, unnamed, flusher, mostNamedBytes);
  }

  private static Horizon replayed(OpenedStore store, Replayer replayer) {
    return new Horizon(Math.max(store.newest(), replayer.stamp()), 0, new long[0]);
  }

  /** A replay that writes nothing and takes what memory it needs, for a store that is only read. */
  public static LogReplay readOnly(
      Disk disk, LogSettings settings, OpenedStore store, Replayer replayer) {
    UnnamedExtents unnamed = new UnnamedExtents(disk, settings, store);
    return new LogReplay(disk, settings, store, replayer, unnamed, null, Long.MAX_VALUE);
  }

  /**
   * Replays the log from where the manifest says.
   *
   * @return the log, planned to be written behind its last record, or established if replay has
   *     taken checkpoints
   * @throws IOException if the disk fails, or is full and what is replayed does not fit into the
   *     memory
   */
  public WriteAheadLog run() throws IOException {
    if (store.isNew()) {
      return WriteAheadLog.planNew(disk, settings, 0);
    }
    boolean complete = false;
    try (LogReader reader = reader()) {
      while (next(reader)) {
        replayer.apply(reader.payload());
        if (replayer.isApplied() && isCheckpointDue()) {
          checkpoint(reader.end());
        }
      }
      replayer.finish();
      WriteAheadLog replayed = log == null ? planned(reader) : log;
      complete = true;
      return replayed;
    } catch (UncheckedIOException e) {
      throw new IOException(e.getMessage(), e);
    } finally {
      if (!complete && log != null) {
        store.extents().refused();
        log.close();
      }
    }
  }

  /** On a disk that is full a checkpoint could only fail, and no row changes there. */
  private boolean isCheckpointDue() {
    return store.named().bytes() >= mostNamedBytes && flusher != null && !flusher.isFull();
  }

  /** Where the manifest that is in place says that replay starts. */
  public long logPosition() {
    return checkpointer.logPosition();
  }

  /** Whether the disk is as the opened store wants it, because replay has taken checkpoints. */
  public boolean isEstablished() {
    return log != null;
  }

  private LogReader reader() throws IOException {
    return WriteAheadLog.read(disk, settings, store.logPosition(), store.logDurable());
  }

  private boolean next(LogReader reader) throws IOException {
    return (log == null || reader.end() < log.end()) && reader.next();
  }

  private static WriteAheadLog planned(LogReader reader) {
    TornTail torn = reader.tornTail();
    if (torn.bytes() > 0) {
      LOG.info("the log has a torn tail: position={}, bytes={}", torn.position(), torn.bytes());
    }
    return WriteAheadLog.plan(reader); // which takes the files over
  }

  private void checkpoint(long position) throws IOException {
    if (log == null) {
      establish();
    }
    source.replayedTo(position);
    checkpointer.run();
    LOG.info("checkpoint while recovering: position={}, end={}", position, log.end());
  }

  /** Everything in the log is durable before a manifest names what was replayed (R1, R4). */
  private void establish() throws IOException {
    try (LogReader whole = unnamed.readLog()) {
      log = planned(whole);
    }
    disk.syncDirectory(); // so that the manifest that was read is the one a power cut leaves
    store.extents().establish();
    log.establish();
    source.repaired(log);
  }
}

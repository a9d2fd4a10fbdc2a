package io.bg3.bench.paper;

import io.bg3.core.commit.CommitSettings;
import io.bg3.core.commit.Durability;
import io.bg3.core.commit.Replayer;
import io.bg3.core.commit.Totals;
import io.bg3.core.recovery.Checkpointer;
import io.bg3.core.recovery.LogReplay;
import io.bg3.core.recovery.OpenedStore;
import io.bg3.core.recovery.ReclaimSettings;
import io.bg3.core.recovery.StoreLoader;
import io.bg3.core.table.PageTable;
import io.bg3.core.transaction.TransactionManager;
import io.bg3.core.tree.PageEvictor;
import io.bg3.core.tree.TreeSpace;
import io.bg3.storage.extent.ExtentSettings;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.file.Disk;
import io.bg3.storage.log.LogSettings;
import io.bg3.storage.log.WriteAheadLog;
import io.bg3.storage.manifest.ManifestFile;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.Epochs;
import io.bg3.storage.memory.MemoryBudget;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * A new store, put together as {@link io.bg3.Bg3} does it, whose checkpoints and rounds of
 * reclaiming come when its one thread asks for them. So what it writes depends on its program alone
 * and not on the machine.
 */
final class SteppedStore implements AutoCloseable {
  private static final long ID = 1;
  private static final long MEMORY = 2L << 30;
  private static final int CONSOLIDATE = 10;
  private static final int INIT_TREES = 1;
  private static final LogSettings LOG = new LogSettings(ID, 1 << 16, 1 << 20, 1 << 26, 1 << 20);
  private static final CommitSettings COMMITS = CommitSettings.DEFAULT.with(Durability.NONE);

  private final BlockMemory memory;
  private final Epochs epochs;
  private final OpenedStore store;
  private final WriteAheadLog log;
  private final TransactionManager transactions;
  private final Checkpointer checkpointer;

  /**
   * Makes a store.
   *
   * @param disk where its files go; empty
   * @param page bytes of a page
   * @param extent bytes of an extent
   */
  SteppedStore(Disk disk, int page, int extent, ReclaimSettings reclaim) throws IOException {
    MemoryBudget budget = new MemoryBudget(MEMORY, "the benchmark");
    memory = new BlockMemory(budget);
    epochs = Epochs.relieving(budget);
    ManifestFile manifest = ManifestFile.create(disk, ID);
    TreeSpace space = new TreeSpace(new PageTable(budget), memory, epochs, page, CONSOLIDATE);
    ExtentSettings extents = ExtentSettings.of(ID, extent);
    store = new StoreLoader(disk, manifest, extents, space).load(Optional.empty(), INIT_TREES);
    Totals totals = new Totals();
    Replayer replayer = new Replayer(store.forest(), store.extents(), COMMITS, totals);
    LogReplay replay = LogReplay.bounded(disk, LOG, store, replayer, new PageEvictor(space));
    log = replay.run();
    transactions =
        TransactionManager.open(COMMITS, store.forest(), log, store.extents(), budget, totals, 0);
    space.loader().pruneBy(transactions::horizon);
    checkpointer =
        new Checkpointer(store, transactions, log, replay.logPosition(), List.of(), reclaim);
    store.extents().establish();
    log.establish();
    checkpointer.create(log.durable());
  }

  TransactionManager transactions() {
    return transactions;
  }

  ExtentStore extents() {
    return store.extents();
  }

  /** Writes the leaves that changed, and no manifest. */
  void flush() throws IOException {
    checkpointer.flush(Integer.MAX_VALUE);
  }

  /**
   * Writes what changed, and then copies and takes checkpoints until the space is within its bound,
   * or nothing more can be done for it.
   */
  void checkpoint() throws IOException {
    checkpointer.run();
    boolean more = true;
    while (more) {
      while (checkpointer.reclaim()) {} // a slice each
      more = checkpointer.freesSpace();
      if (more) {
        checkpointer.run();
      }
    }
  }

  @Override
  public void close() throws IOException {
    checkpointer.end();
    transactions.close();
    log.close();
    store.space().close();
    store.extents().close();
    epochs.close();
    memory.close();
  }
}

package io.bg3.core.transaction;

import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.core.commit.CommitSettings;
import io.bg3.core.commit.Durability;
import io.bg3.core.commit.Replayer;
import io.bg3.core.commit.StoreFailedException;
import io.bg3.core.commit.Totals;
import io.bg3.core.forest.Forest;
import io.bg3.core.table.PageTable;
import io.bg3.core.tree.Tree;
import io.bg3.core.tree.TreeSpace;
import io.bg3.storage.extent.ExtentSettings;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.file.Disk;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.log.LogReader;
import io.bg3.storage.log.LogSettings;
import io.bg3.storage.log.WriteAheadLog;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.Epochs;
import io.bg3.storage.memory.MemoryBudget;
import java.io.IOException;
import java.util.List;

/**
 * Everything that transactions stand on, without checkpoints: opening it again replays the whole
 * log into empty trees. Pages are small, so that they split.
 */
final class TestStore implements AutoCloseable {
  static final CommitSettings QUICK = CommitSettings.DEFAULT.with(Durability.NONE);

  private static final LogSettings LOG = new LogSettings(7, 1 << 16, 1 << 20, 1 << 24, 1 << 16);

  final Disk disk;
  final MemoryBudget budget;
  final BlockMemory memory;
  final Epochs epochs = new Epochs();
  final Forest forest;
  final ExtentStore extents;
  final Totals totals = new Totals();
  final WriteAheadLog log;
  final TransactionManager manager;
  private final OwnerMover mover; // null unless the default setting moves vertices

  private TestStore(Disk disk, CommitSettings settings, ComponentFactory parts, long budgetBytes)
      throws IOException {
    this.disk = disk;
    this.budget = new MemoryBudget(budgetBytes, "bg3.memory.budget");
    this.memory = new BlockMemory(budget);
    this.forest = Forest.create(new TreeSpace(new PageTable(budget), memory, epochs, 2_048, 4), 3);
    this.extents = ExtentStore.open(disk, ExtentSettings.of(7, 1 << 16), List.of());
    long stamp = 0;
    if (disk.list().stream().anyMatch(name -> name.startsWith("log-"))) {
      LogReader reader = WriteAheadLog.read(disk, LOG, 0, 0);
      Replayer replayer = new Replayer(forest, extents, settings, totals);
      while (reader.next()) {
        replayer.apply(reader.payload());
      }
      replayer.finish();
      stamp = replayer.stamp();
      this.log = WriteAheadLog.open(reader);
    } else {
      this.log = WriteAheadLog.create(disk, LOG, 0);
    }
    this.manager =
        TransactionManager.open(
            settings,
            forest,
            log,
            extents,
            budget,
            totals,
            stamp,
            System::currentTimeMillis,
            parts);
    int splitOut = Settings.defaults().count(Setting.SPLIT_OUT);
    this.mover = splitOut == 0 ? null : new OwnerMover(manager, forest, splitOut);
    if (mover != null) {
      forest.heavyOwners().countFrom(2); // the trees of tests are small
      mover.start();
    }
  }

  static TestStore create() throws IOException {
    return create(QUICK);
  }

  static TestStore create(CommitSettings settings) throws IOException {
    return create(settings, new ComponentFactory());
  }

  static TestStore create(CommitSettings settings, ComponentFactory parts) throws IOException {
    return open(new MemoryDisk(), settings, parts);
  }

  /** Opens the store of a disk with the default settings. */
  static TestStore open(Disk disk) throws IOException {
    return open(disk, CommitSettings.DEFAULT, new ComponentFactory());
  }

  static TestStore open(Disk disk, CommitSettings settings, ComponentFactory parts)
      throws IOException {
    return open(disk, settings, parts, 1L << 30);
  }

  static TestStore open(
      Disk disk, CommitSettings settings, ComponentFactory parts, long budgetBytes)
      throws IOException {
    return new TestStore(disk, settings, parts, budgetBytes);
  }

  Transaction begin() {
    return manager.begin(Isolation.STRICT, false);
  }

  Transaction read() {
    return manager.begin(Isolation.STRICT, true);
  }

  /** Ends it as a kill of the process would, from the disk's point of view. */
  void kill() throws IOException {
    endMoves();
    log.close();
    try {
      manager.close();
    } catch (StoreFailedException e) {
      // the log is gone, as intended
    }
    drop();
  }

  /**
   * Closes it, checks every tree, and that nobody has left a lock, a snapshot or a reservation
   * behind.
   */
  @Override
  public void close() throws IOException {
    endMoves();
    if (manager.failure() == null) {
      manager.close();
      for (Tree tree : forest.trees()) {
        tree.check((page, references) -> {});
      }
    } else {
      manager.close();
    }
    if (!manager.committer().locks().isIdle()) {
      throw new AssertionError("locks are held");
    }
    if (manager.openTransactions() != 0 || manager.reservations().count() != 0) {
      throw new AssertionError("transactions are open: count=" + manager.openTransactions());
    }
    log.close();
    drop();
  }

  private void endMoves() {
    if (mover != null) {
      mover.close();
    }
  }

  private void drop() throws IOException {
    extents.close();
    epochs.close();
    memory.close();
  }
}

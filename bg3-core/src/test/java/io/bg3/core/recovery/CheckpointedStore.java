package io.bg3.core.recovery;

import io.bg3.core.commit.CommitSettings;
import io.bg3.core.commit.Durability;
import io.bg3.core.commit.ReplayStart;
import io.bg3.core.commit.Replayer;
import io.bg3.core.commit.Totals;
import io.bg3.core.commit.TotalsImage;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.table.PageTable;
import io.bg3.core.transaction.BarrenLeafRemover;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.OwnerMover;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.transaction.TransactionManager;
import io.bg3.core.tree.FamilyOwner;
import io.bg3.core.tree.FamilySettings;
import io.bg3.core.tree.PageEvictor;
import io.bg3.core.tree.TreeSpace;
import io.bg3.storage.extent.ExtentSettings;
import io.bg3.storage.file.Disk;
import io.bg3.storage.log.LogSettings;
import io.bg3.storage.log.WriteAheadLog;
import io.bg3.storage.manifest.Manifest;
import io.bg3.storage.manifest.ManifestFile;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.Epochs;
import io.bg3.storage.memory.MemoryBudget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A store put together as {@code Bg3} does it, with checkpoints that are taken only when asked for
 * and of which single steps can be exchanged.
 */
final class CheckpointedStore implements AutoCloseable {
  /** Bytes of its memory budget. */
  static final long BUDGET = 64 << 20;

  private static final long ID = 11;
  private static final LogSettings LOG = new LogSettings(ID, 1 << 16, 1 << 16, 1 << 22, 1 << 16);

  /** The steps of a checkpoint that a twin may leave out. */
  static class Steps {
    long syncLog(TransactionManager transactions) {
      return transactions.syncLog();
    }

    ReclaimSettings reclaim() {
      return ReclaimSettings.OFF;
    }

    int extentSize() {
      return 1 << 16;
    }

    /** Bytes of a page. */
    int capacity() {
      return 512;
    }

    /** Whether a checkpoint keeps to the bound of the space while it writes. */
    boolean keepsSpace() {
      return true;
    }

    TotalsImage totals(TransactionManager transactions, ReplayStart start) {
      return transactions.totals(start.stamp());
    }

    /** The clock of the system. */
    long millis() {
      return System.currentTimeMillis();
    }
  }

  private final BlockMemory memory;
  private final Epochs epochs = new Epochs();
  private final OpenedStore store;
  private final WriteAheadLog log;
  private final TransactionManager transactions;
  private final PageEvictor evictor;
  private final Checkpointer checkpointer;

  CheckpointedStore(Disk disk, Durability durability, Steps steps) throws IOException {
    this(disk, durability, steps, Replay.UNBOUNDED);
  }

  static CheckpointedStore open(Disk disk) throws IOException {
    return open(disk, Durability.SYNC, Replay.UNBOUNDED);
  }

  static CheckpointedStore open(Disk disk, Durability durability) throws IOException {
    return open(disk, durability, Replay.UNBOUNDED);
  }

  static CheckpointedStore open(Disk disk, Replay replay) throws IOException {
    return open(disk, Durability.SYNC, replay);
  }

  static CheckpointedStore open(Disk disk, Durability durability, Replay replay)
      throws IOException {
    return new CheckpointedStore(disk, durability, new Steps(), replay);
  }

  /** The key of a number below 65,536; keys are in the order of their numbers. */
  static byte[] key(int i) {
    return new byte[] {7, (byte) (i >>> 8), (byte) i};
  }

  /**
   * How a log is replayed.
   *
   * @param budget bytes of the store's memory budget
   * @param free bytes of the budget that are kept free
   * @param gathered bytes of entries that are applied at once
   * @param named bytes of named rows that ask for a checkpoint
   */
  record Replay(long budget, long free, long gathered, long named) {
    static final Replay UNBOUNDED = new Replay(BUDGET, 0, BUDGET, BUDGET);

    /** Flushes and evicts all pages before each one that is written to. */
    static final Replay FLUSHING = new Replay(BUDGET, BUDGET, BUDGET, BUDGET);

    /** Takes a checkpoint every few commits. */
    static final Replay CHECKPOINTING = new Replay(BUDGET, BUDGET, 2_024, 0);
  }

  CheckpointedStore(Disk disk, Durability durability, Steps steps, Replay replay)
      throws IOException {
    MemoryBudget budget = new MemoryBudget(replay.budget(), "bg3.memory.budget");
    memory = new BlockMemory(budget);
    Optional<Manifest> current = ManifestFile.read(disk);
    ManifestFile manifest =
        current.map(m -> ManifestFile.open(disk, m)).orElseGet(() -> ManifestFile.create(disk, ID));
    TreeSpace space = new TreeSpace(new PageTable(budget), memory, epochs, steps.capacity(), 3);
    ExtentSettings extents = ExtentSettings.of(ID, steps.extentSize());
    store = new StoreLoader(disk, manifest, extents, space).load(current, 2);
    Totals totals =
        store.isNew() ? new Totals() : Totals.decode(ByteBuffer.wrap(store.totals()), "manifest");
    CommitSettings settings = new CommitSettings(durability, 100, 64, 64, 1_000, 0);
    Replayer replayer = new Replayer(store.forest(), store.extents(), settings, totals);
    evictor = new PageEvictor(space);
    LogReplay recovery =
        LogReplay.bounded(
            disk, LOG, store, replayer, evictor, replay.free(), replay.gathered(), replay.named());
    log = replayed(recovery);
    long stamp = Math.max(Math.max(store.newest(), totals.stamp()), replayer.stamp());
    transactions =
        TransactionManager.open(
            settings, store.forest(), log, store.extents(), budget, totals, stamp, steps::millis);
    space.loader().pruneBy(transactions::horizon);
    space.barrenLeaves().noticeAll();
    space.heavyOwners().countFrom(2); // the trees of tests are small
    checkpointer = checkpointer(steps, recovery.logPosition(), replayer.takeWrittenValues());
    if (!recovery.isEstablished()) {
      disk.syncDirectory();
      store.extents().establish();
      log.establish();
    }
    if (store.isNew()) {
      checkpointer.create(log.durable());
      checkpointer.run();
    }
  }

  /** Replays the log, and closes what was opened if that is refused. */
  private WriteAheadLog replayed(LogReplay recovery) throws IOException {
    try {
      return recovery.run();
    } catch (IOException | RuntimeException | Error e) {
      try {
        store.extents().close();
      } catch (IOException | Error more) { // of a disk whose power was cut
        e.addSuppressed(more);
      }
      epochs.close();
      memory.close();
      throw e;
    }
  }

  private Checkpointer checkpointer(Steps steps, long logPosition, List<Long> replayedValues) {
    CheckpointSource source =
        new LiveSource(transactions, log) {
          @Override
          public long syncLog() {
            return steps.syncLog(transactions);
          }

          @Override
          public TotalsImage totals(ReplayStart start) {
            return steps.totals(transactions, start);
          }
        };
    return new Checkpointer(store, source, logPosition, replayedValues, steps.reclaim()) {
      @Override
      void keepSpace() throws IOException {
        if (steps.keepsSpace()) {
          super.keepSpace();
        }
      }
    };
  }

  TransactionManager transactions() {
    return transactions;
  }

  /** Writes in one commit. */
  void commit(Consumer<Transaction> work) {
    try (Transaction transaction = transactions.begin(Isolation.STRICT, false)) {
      work.accept(transaction);
      transaction.commit();
    }
  }

  /** Writes a key of the VERTICES tree in a commit of its own. */
  void put(byte[] key, byte[] value) {
    commit(transaction -> transaction.put(TreeIds.VERTICES, key, value));
  }

  /** Writes {@linkplain #key keys} of the VERTICES tree in one commit. */
  void putRange(int from, int to, byte[] value) {
    commit(
        transaction -> {
          for (int i = from; i < to; i++) {
            transaction.put(TreeIds.VERTICES, key(i), value);
          }
        });
  }

  /** Writes {@linkplain #key keys} from 0 on, in commits of so many. */
  void fill(int keys, int inCommit, byte[] value) {
    for (int i = 0; i < keys; i += inCommit) {
      putRange(i, Math.min(i + inCommit, keys), value);
    }
  }

  byte[] get(int tree, byte[] key) {
    try (Transaction transaction = transactions.begin(Isolation.STRICT, true)) {
      return transaction.get(tree, key);
    }
  }

  /** The value of a key of the VERTICES tree; null if it is absent. */
  byte[] get(byte[] key) {
    return get(TreeIds.VERTICES, key);
  }

  OpenedStore opened() {
    return store;
  }

  /** The faults that a check finds; none are expected. */
  List<String> check() {
    return checkpointer.check(looked -> {});
  }

  void checkpoint() throws IOException {
    checkpointer.run();
  }

  /**
   * Moves a vertex with more entries than so many to a tree of its own, and has its degrees kept;
   * says whether it has moved.
   */
  boolean moveOut(long owner, int entries) {
    return moveOut(FamilyOwner.plain(owner), entries);
  }

  /** As {@link #moveOut(long, int)}, but the degrees of the vertex are not kept. */
  boolean moveOutOnly(long owner, int entries) {
    return moveOutOnly(FamilyOwner.plain(owner), entries);
  }

  /** As {@link #moveOutOnly(long, int)}, by the entries of a family. */
  boolean moveOutOnly(FamilyOwner owner, int entries) {
    return new OwnerMover(transactions, store.forest(), entries).moveTree(owner, entries);
  }

  /** Has the degrees of a vertex kept if it has a tree of its own, of whichever size. */
  boolean keepDegrees(long owner) {
    return keepDegrees(new OwnerMover(transactions, store.forest(), 0), owner);
  }

  /** One vertex is counted at a time, whichever threads of a test ask for it. */
  private synchronized boolean keepDegrees(OwnerMover mover, long owner) {
    return mover.keepDegrees(owner);
  }

  /** Whether a vertex has a tree of its own with several leaves. */
  boolean isLarge(long owner) {
    return store.forest().isLarge(owner);
  }

  /** Removes the leaves in which scans have found nothing. */
  void removeBarrenLeaves() {
    var leaves = store.space().barrenLeaves();
    try (BarrenLeafRemover remover = new BarrenLeafRemover(transactions, leaves)) {
      while (!leaves.isEmpty()) {
        remover.removeSome();
      }
    }
  }

  /** As {@link #moveOut(long, int)}, by the entries of a family. */
  boolean moveOut(FamilyOwner owner, int entries) {
    OwnerMover mover = new OwnerMover(transactions, store.forest(), entries);
    boolean moved = mover.moveTree(owner, entries);
    if (owner.family() == 0) {
      keepDegrees(mover, owner.owner());
    }
    return moved;
  }

  /** Defines a family: settings as an entry of the META tree, in a commit of its own. */
  void defineFamily(int family, FamilySettings settings) {
    store.forest().openFamily(family);
    byte[] value = settings.encode();
    commit(transaction -> transaction.put(TreeIds.META, FamilySettings.key(family), value));
    store.forest().configureFamily(family, settings);
  }

  /** Starts the thread that keeps the rows, with a log that never asks for a checkpoint. */
  RowKeeper keeper() {
    return keeper(new CheckpointSettings(Long.MAX_VALUE, Long.MAX_VALUE, true));
  }

  /** Starts the thread that keeps the rows. */
  RowKeeper keeper(CheckpointSettings settings) {
    return new RowKeeper(
        checkpointer,
        evictor,
        log,
        store.extents(),
        settings,
        memory.budget(),
        store.space().dirtyPages());
  }

  /** Has requests for memory evict leaves, as they do in a store that serves transactions. */
  void relieveBudget() {
    evictor.relieveBudget();
  }

  /** Takes all leaves out of memory that are stored as they are; says how many. */
  int evict() {
    return evictor.evictAll();
  }

  /** Takes the values of all leaves of edges out of memory that can go; says of how many leaves. */
  int evictValues() {
    return evictor.evictValues();
  }

  /** Moves leaves in memory to other blocks; says how many. */
  long move() {
    return evictor.moveAll();
  }

  /** Writes leaves that changed, and no manifest; says how many. */
  int flush(int most) throws IOException {
    return checkpointer.flush(most);
  }

  /** Copies images out of extents that are live in part; says whether there is more to copy. */
  boolean reclaim() throws IOException {
    return checkpointer.reclaim();
  }

  /** Has a manifest name the copies of a round, if that is enough; says whether it was. */
  boolean nameRows() throws IOException {
    return checkpointer.nameRows();
  }

  /** Whether a checkpoint is due because of what is reclaimed. */
  boolean freesSpace() {
    return checkpointer.freesSpace();
  }

  /** Bytes of the log behind the last checkpoint. */
  long logLength() {
    return log.end() - checkpointer.logPosition();
  }

  Checkpointer checkpointer() {
    return checkpointer;
  }

  /** The rows that the last manifest names and the page table does not. */
  NamedRows named() {
    return store.named();
  }

  @Override
  public void close() {
    abandon();
  }

  /** Ends threads and gives back memory; what the disk has is the test's business. */
  void abandon() {
    try {
      transactions.close();
    } catch (RuntimeException | Error e) {
      // the disk is dead already, as intended
    }
    try {
      log.close();
    } catch (IOException | Error e) {
      // the same
    }
    epochs.close();
    memory.close();
  }
}

package io.bg3;

import io.bg3.core.commit.CommitSettings;
import io.bg3.core.commit.Durability;
import io.bg3.core.commit.Isolation;
import io.bg3.core.commit.Replayer;
import io.bg3.core.commit.Totals;
import io.bg3.core.commit.TransactionManager;
import io.bg3.core.graph.GraphCheck;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.recovery.CheckpointThread;
import io.bg3.core.recovery.Checkpointer;
import io.bg3.core.recovery.OpenedStore;
import io.bg3.core.recovery.StoreLoader;
import io.bg3.core.table.PageTable;
import io.bg3.core.tree.TreeSpace;
import io.bg3.storage.extent.ExtentSettings;
import io.bg3.storage.file.Disk;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.file.RealDisk;
import io.bg3.storage.file.StoreLock;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.log.LogReader;
import io.bg3.storage.log.LogSettings;
import io.bg3.storage.log.LogSettings.Zeroed;
import io.bg3.storage.log.TornTail;
import io.bg3.storage.log.WriteAheadLog;
import io.bg3.storage.manifest.Manifest;
import io.bg3.storage.manifest.ManifestFile;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.Epochs;
import io.bg3.storage.memory.MemoryBudget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open store: the engine without TinkerPop. One process has it open at a time.
 *
 * <p>This is the place where the layers are put together, from the files up, and taken apart again;
 * nothing else happens here.
 *
 * <p>Threads: any. {@link #close} may be called twice.
 */
public final class Bg3 implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Bg3.class);
  private static final int PENDING_SHARE = 16;

  /**
   * The log is deleted by segments, so that its limit means something each must be a small part of
   * it.
   */
  private static final int SEGMENTS_IN_LIMIT = 4;

  /** A larger limit of the log is none. */
  private static final long UNLIMITED_LOG = Long.MAX_VALUE / 4;

  private static final int LOG_BUFFER = 1 << 20;
  private static final long PATIENCE_MILLIS = 1_000;

  private final Settings settings;
  private final OpenParts parts;
  private final MemoryBudget budget;
  private final BlockMemory memory;
  private final Epochs epochs;
  private final OpenedStore store;
  private final WriteAheadLog log;
  private final TransactionManager transactions;
  private final Checkpointer checkpointer;
  private final CheckpointThread checkpoints;
  private final GraphStore graph;
  private boolean closed;

  private Bg3(Settings settings, Disk disk, OpenParts parts) throws IOException {
    this.settings = settings;
    this.parts = parts;
    this.budget = new MemoryBudget(budgetBytes(settings), Setting.MEMORY_BUDGET.key());
    this.memory = parts.add(new BlockMemory(budget));
    this.epochs = parts.add(Epochs.relieving(budget));

    LOG.info("recovering: manifest={}", disk.describe(ManifestFile.NAME));
    long begin = System.nanoTime();
    Optional<Manifest> current = ManifestFile.settle(disk);
    long id = current.map(Manifest::store).orElseGet(() -> new SecureRandom().nextLong());
    ManifestFile manifest =
        current.map(m -> ManifestFile.open(disk, m)).orElseGet(() -> ManifestFile.create(disk, id));
    int capacity = (int) settings.bytes(Setting.PAGE_CAPACITY);
    TreeSpace space =
        new TreeSpace(
            new PageTable(budget),
            memory,
            epochs,
            capacity,
            settings.count(Setting.PAGE_CONSOLIDATE));
    ExtentSettings extents = ExtentSettings.of(id, (int) settings.bytes(Setting.EXTENT_SIZE));
    this.store =
        new StoreLoader(disk, manifest, extents, space)
            .load(current, settings.count(Setting.INIT_TREES));
    parts.add(store.extents());

    CommitSettings commits = commitSettings(settings, capacity);
    Totals totals =
        store.isNew()
            ? new Totals()
            : Totals.decode(ByteBuffer.wrap(store.totals()), ManifestFile.NAME);
    Replayer replayer = new Replayer(store.forest(), store.extents(), commits, totals);
    LogSettings logs = logSettings(settings, disk, id);
    this.log = parts.add(openLog(disk, logs, store, replayer));
    LOG.info("recovered: log={}, millis={}", log, (System.nanoTime() - begin) / 1_000_000);
    long stamp = Math.max(Math.max(store.newest(), totals.stamp()), replayer.stamp());
    this.transactions =
        TransactionManager.open(
            commits, store.forest(), log, store.extents(), budget, totals, stamp);
    parts.add(transactions);
    this.checkpointer = new Checkpointer(store, transactions, log, replayer.takeWrittenValues());
    if (store.isNew()) {
      checkpointer.run();
    }
    limitLog(logs);
    this.checkpoints =
        new CheckpointThread(checkpointer, log, store.extents(), settings.bytes(Setting.LOG_LIMIT));
    this.graph = new GraphStore(transactions, isolation(settings));
  }

  /**
   * Opens the store of the settings' directory, made if it is not there; a store in memory where no
   * directory is set.
   *
   * @throws io.bg3.storage.file.StoreInUseException naming the process that has it open
   * @throws io.bg3.storage.format.CorruptionException naming what is damaged
   * @throws io.bg3.storage.memory.MemoryExceededException if what replaying the log needs does not
   *     fit into the budget
   */
  public static Bg3 open(Settings settings) throws IOException {
    String directory = settings.text(Setting.DIRECTORY);
    if (directory.isEmpty()) {
      return open(settings, new MemoryDisk());
    }
    return open(settings, new OpenParts(), Path.of(directory));
  }

  private static Bg3 open(Settings settings, OpenParts parts, Path directory) throws IOException {
    try {
      Disk disk = parts.add(RealDisk.open(directory));
      parts.add(StoreLock.acquire(directory));
      return new Bg3(settings, disk, parts);
    } catch (IOException | RuntimeException | Error e) {
      parts.close(e);
      throw e;
    }
  }

  /** Opens a store on any disk, without a lock; for tests and for stores in memory. */
  static Bg3 open(Settings settings, Disk disk) throws IOException {
    OpenParts parts = new OpenParts();
    try {
      return new Bg3(settings, parts.add(disk), parts);
    } catch (IOException | RuntimeException | Error e) {
      parts.close(e);
      throw e;
    }
  }

  /** Opens the store of a directory with all defaults. */
  public static Bg3 open(Path directory) throws IOException {
    return open(Settings.defaults().with(Setting.DIRECTORY, directory.toString()));
  }

  /** The graph in the store. */
  public GraphStore graph() {
    return graph;
  }

  /** Transactions on keys and edges, below the graph. */
  public TransactionManager transactions() {
    return transactions;
  }

  /** The settings it was opened with. */
  public Settings settings() {
    return settings;
  }

  /**
   * Writes what changed since the last checkpoint, so that the log before it can go and opening is
   * fast.
   */
  public void checkpoint() throws IOException {
    checkpointer.run();
  }

  /** Sizes and counts, for people and metrics. */
  public StoreStats stats() {
    return StoreStats.of(budget, memory, epochs, store, log, transactions, checkpointer);
  }

  /**
   * Checks the whole store: trees, images, values, and that the graph is whole.
   *
   * @param progress is told how many things have been looked at so far
   * @return what is wrong, one sentence each; empty if all is well
   */
  public List<String> check(LongConsumer progress) {
    List<String> problems = new ArrayList<>(checkPages(progress));
    try {
      new GraphCheck(graph, progress).run().forEach(problem -> problems.add(problem.toString()));
    } catch (CorruptionException e) {
      problems.add("the graph cannot be checked to its end: " + e.getMessage());
    }
    return problems;
  }

  /** The part of {@link #check} that does not ask what the entries mean. */
  List<String> checkPages(LongConsumer progress) {
    return checkpointer.check(progress);
  }

  /** Writes a last checkpoint and closes everything; open transactions can only be rolled back. */
  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    Throwable failure = null;
    try {
      checkpoints.close();
      if (transactions.failure() == null) {
        checkpointer.run();
      }
    } catch (IOException | RuntimeException | Error e) {
      failure = e; // the rest is closed all the same
    }
    failure = parts.close(failure);
    if (failure instanceof Error error) {
      throw error;
    } else if (failure != null) {
      throw failure instanceof IOException e ? e : new IOException("closing failed", failure);
    }
  }

  private static WriteAheadLog openLog(
      Disk disk, LogSettings settings, OpenedStore store, Replayer replayer) throws IOException {
    if (store.isNew()) {
      return WriteAheadLog.create(disk, settings, 0);
    }
    LogReader reader = WriteAheadLog.read(disk, settings, store.logPosition(), store.logDurable());
    while (reader.next()) {
      replayer.apply(reader.payload());
    }
    replayer.finish();
    TornTail torn = reader.tornTail();
    if (torn.bytes() > 0) {
      LOG.info("cut a torn tail off the log: position={}, bytes={}", torn.position(), torn.bytes());
    }
    return WriteAheadLog.open(reader);
  }

  /**
   * Has committers wait for checkpoints that are behind, so that the log's files stay below twice
   * the limit.
   */
  private void limitLog(LogSettings logs) {
    long limit = settings.bytes(Setting.LOG_LIMIT);
    if (limit <= UNLIMITED_LOG) {
      transactions.pace().limit(checkpointer.logPosition(), limit, logs.lengthWithin(2 * limit));
    }
  }

  private static LogSettings logSettings(Settings settings, Disk disk, long store) {
    long share = Long.highestOneBit(settings.bytes(Setting.LOG_LIMIT) / SEGMENTS_IN_LIMIT);
    int max = (int) Math.min(share, settings.bytes(Setting.LOG_SEGMENT_MAX));
    int min = (int) Math.min(max, settings.bytes(Setting.LOG_SEGMENT_MIN));
    Zeroed zeroed = durability(settings) == Durability.SYNC ? Zeroed.AHEAD : Zeroed.WITH_RECORDS;
    boolean spares = !(disk instanceof MemoryDisk); // there it would be heap, and saves nothing
    return new LogSettings(store, min, max, budgetBytes(settings) / PENDING_SHARE, LOG_BUFFER)
        .keeping(spares ? settings.bytes(Setting.LOG_LIMIT) : 0)
        .zeroed(zeroed);
  }

  private static CommitSettings commitSettings(Settings settings, int capacity) {
    int threshold = Math.min((int) settings.bytes(Setting.VALUE_THRESHOLD), capacity / 4);
    return new CommitSettings(
        durability(settings),
        settings.count(Setting.DURABILITY_INTERVAL),
        settings.count(Setting.STRIPES),
        Math.max(64, threshold),
        PATIENCE_MILLIS,
        settings.count(Setting.TRANSACTION_AGE));
  }

  private static Durability durability(Settings settings) {
    return Durability.valueOf(settings.text(Setting.DURABILITY).toUpperCase(Locale.ROOT));
  }

  private static Isolation isolation(Settings settings) {
    return Isolation.valueOf(settings.text(Setting.ISOLATION).toUpperCase(Locale.ROOT));
  }

  private static long budgetBytes(Settings settings) {
    long bytes = settings.bytes(Setting.MEMORY_BUDGET);
    return bytes > 0 ? bytes : DirectMemory.limit() / 2;
  }
}

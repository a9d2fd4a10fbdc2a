package io.bg3;

import io.bg3.core.commit.CommitSettings;
import io.bg3.core.commit.Durability;
import io.bg3.core.commit.Replayer;
import io.bg3.core.commit.Totals;
import io.bg3.core.graph.EdgeFamily;
import io.bg3.core.graph.GraphCheck;
import io.bg3.core.graph.GraphLoad;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.HalfLoadedException;
import io.bg3.core.recovery.Checkpointer;
import io.bg3.core.recovery.DamageReport;
import io.bg3.core.recovery.LogReplay;
import io.bg3.core.recovery.OpenedStore;
import io.bg3.core.recovery.RowKeeper;
import io.bg3.core.recovery.StoreLoader;
import io.bg3.core.snapshot.StoreClock;
import io.bg3.core.sort.EntrySorter;
import io.bg3.core.table.PageTable;
import io.bg3.core.thread.StorePool;
import io.bg3.core.transaction.BarrenLeafRemover;
import io.bg3.core.transaction.OwnerMover;
import io.bg3.core.transaction.TransactionManager;
import io.bg3.core.tree.ImageSizes;
import io.bg3.core.tree.PageEvictor;
import io.bg3.core.tree.TreeSpace;
import io.bg3.storage.codec.Compressor;
import io.bg3.storage.extent.ExtentSettings;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.file.Disk;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.file.ReadOnlyDisk;
import io.bg3.storage.file.RealDisk;
import io.bg3.storage.file.StoreLock;
import io.bg3.storage.format.UnreadableException;
import io.bg3.storage.log.LogSettings;
import io.bg3.storage.log.WriteAheadLog;
import io.bg3.storage.manifest.Manifest;
import io.bg3.storage.manifest.ManifestFile;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.Epochs;
import io.bg3.storage.memory.MemoryBudget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open store: the engine without TinkerPop. One process has it open at a time, or several to
 * read only.
 *
 * <p>This is the place where the layers are put together, from the files up, and taken apart again;
 * nothing else happens here.
 *
 * <p>Opening has two parts. The first reads manifest, page table and log, replays the log in
 * memory, and changes no file that is there; all that can be refused is refused in it. The second
 * makes on the disk what the first has found. A store that is open to read only never comes to the
 * second. Where replay needs checkpoints of its own, the second part comes before the first of them
 * ({@link LogReplay}).
 *
 * <p>Threads: any. {@link #close} may be called twice.
 */
public final class Bg3 implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Bg3.class);

  /** Replaying so many bytes of the log is not worth a checkpoint at the end. */
  private static final long QUICK_REPLAY = 1 << 20;

  /**
   * From an opening to the look through all leaves for vertices that are to move: nothing is read
   * for it in a store that is open for a moment.
   */
  private static final long SEARCH_MILLIS = 60_000;

  private final Settings settings;
  private final OpenResources parts;
  private final Disk disk;
  private final MemoryBudget budget;
  private final BlockMemory memory;
  private final Epochs epochs;
  private final OpenedStore store;
  private final WriteAheadLog log;
  private final TransactionManager transactions;
  private final Checkpointer checkpointer;
  private final TreeSpace space;
  private final PageEvictor evictor;
  private final RowKeeper keeper; // null if the store is open to read only
  private final OwnerMover mover; // null in a store that is only read
  private final BarrenLeafRemover remover; // null if the store is open to read only
  private final GraphStore graph;
  private final Map<Stream, Compressor> compressors;
  private final long openedAt; // the end of the log
  private boolean closed;

  private Bg3(Settings settings, Disk disk, OpenResources parts, LongSupplier millis)
      throws IOException {
    this(settings, disk, parts, millis, SEARCH_MILLIS);
  }

  private Bg3(
      Settings settings, Disk disk, OpenResources parts, LongSupplier millis, long searchMillis)
      throws IOException {
    this.settings = settings;
    this.parts = parts;
    this.disk = disk;
    this.budget =
        new MemoryBudget(
            LayerSettings.budgetBytes(settings), LayerSettings.budgetSetting(settings));
    parts.add(DirectMemory.claim(budget.limit(), settings.count(Setting.IO_READS)));
    this.memory = parts.add(new BlockMemory(budget));
    this.epochs = parts.add(Epochs.relieving(budget));

    LOG.info("recovering: manifest={}", disk.describe(ManifestFile.NAME));
    long begin = System.nanoTime();
    Optional<Manifest> current = ManifestFile.read(disk);
    long id = current.map(Manifest::store).orElseGet(() -> new SecureRandom().nextLong());
    ManifestFile manifest =
        current.map(m -> ManifestFile.open(disk, m)).orElseGet(() -> ManifestFile.create(disk, id));
    int capacity = (int) settings.bytes(Setting.PAGE_CAPACITY);
    this.space =
        new TreeSpace(
            new PageTable(budget),
            memory,
            epochs,
            capacity,
            settings.count(Setting.PAGE_CONSOLIDATE));
    this.compressors =
        Map.of(
            Stream.BASE, LayerSettings.compressor(settings, Setting.COMPRESSION_BASE),
            Stream.DELTA, LayerSettings.compressor(settings, Setting.COMPRESSION_DELTA),
            Stream.VALUE, LayerSettings.compressor(settings, Setting.COMPRESSION_VALUE));
    space.compressBy(compressors.get(Stream.BASE), compressors.get(Stream.DELTA));
    if (settings.text(Setting.TOPOLOGY_FIRST).equals("false")) {
      space.keepLeavesWhole();
    }
    ExtentSettings extents = LayerSettings.extents(settings, id);
    this.store =
        new StoreLoader(disk, manifest, extents, space)
            .load(current, settings.count(Setting.INIT_TREES));
    parts.add(store.extents());
    int reads = settings.count(Setting.IO_READS);
    space.loadTogether(parts.add(new StorePool("bg3-read", reads)), reads);
    if (store.isNew() && LayerSettings.isReadOnly(settings)) {
      throw new NoSuchFileException(
          disk.describe(ManifestFile.NAME), null, "there is no store to read");
    }

    CommitSettings commits =
        LayerSettings.commits(settings, capacity).with(compressors.get(Stream.VALUE));
    Totals totals =
        store.isNew()
            ? new Totals()
            : Totals.decode(ByteBuffer.wrap(store.totals()), ManifestFile.NAME);
    Replayer replayer = new Replayer(store.forest(), store.extents(), commits, totals);
    this.evictor = parts.add(new PageEvictor(space));
    evictor.relieveBudget();
    LogSettings logs = LayerSettings.log(settings, disk, id);
    LogReplay replay =
        LayerSettings.isReadOnly(settings) // what it writes would go to the heap
            ? LogReplay.readOnly(disk, logs, store, replayer)
            : LogReplay.bounded(disk, logs, store, replayer, evictor);
    this.log = parts.add(replay.run());
    parts.add(space); // readers leave before the log, the extents and the memory are closed
    LOG.info("recovered: log={}, millis={}", log, (System.nanoTime() - begin) / 1_000_000);
    long stamp = Math.max(Math.max(store.newest(), totals.stamp()), replayer.stamp());
    this.transactions =
        TransactionManager.open(
            commits, store.forest(), log, store.extents(), budget, totals, stamp, millis);
    parts.add(transactions);
    space.loader().pruneBy(transactions::horizon);
    store.extents().readDirectly();
    this.checkpointer =
        new Checkpointer(
            store,
            transactions,
            log,
            replay.logPosition(),
            replayer.takeWrittenValues(),
            LayerSettings.reclaim(settings));
    this.graph = new GraphStore(transactions, LayerSettings.isolation(settings));
    requireWhole(disk.describe(ManifestFile.NAME));
    this.openedAt = log.end();
    if (LayerSettings.isReadOnly(settings)) {
      transactions.fail(
          new IllegalStateException(
              "the store is open for reading only: setting=" + Setting.READ_ONLY.key()));
      graph.settleTotals(true);
      graph.loadDefinitions();
      this.keeper = null;
      this.mover = null;
      this.remover = null;
    } else {
      if (!replay.isEstablished()) {
        establish(disk);
      }
      graph.settleTotals(false); // no checkpoint that it would wait for comes before the keeper
      graph.loadDefinitions();
      limitCommits(logs);
      this.keeper =
          parts.add(
              new RowKeeper(
                  checkpointer,
                  evictor,
                  log,
                  store.extents(),
                  LayerSettings.checkpoints(settings, logs),
                  budget,
                  space.dirtyPages()));
      defineFamilies(FamilyList.parse(settings.text(Setting.FAMILIES)));
      graph.startDefinitionWork();
      this.mover = ownerMover(settings, searchMillis);
      this.remover = new BarrenLeafRemover(transactions, space.barrenLeaves());
      remover.start();
    }
  }

  private void requireWhole(String name) throws HalfLoadedException {
    try {
      graph.requireWhole(name);
    } catch (HalfLoadedException | RuntimeException | Error e) {
      transactions.fail(e); // closing them writes nothing then
      throw e;
    }
  }

  /** Defines the families of the configuration that are not there. */
  private void defineFamilies(List<EdgeFamily> wanted) {
    List<EdgeFamily> there = graph.families();
    for (EdgeFamily family : wanted) {
      Optional<EdgeFamily> same =
          there.stream().filter(each -> each.name().equals(family.name())).findFirst();
      if (same.isEmpty()) {
        graph.defineFamily(family);
      } else if (!same.get().equals(family)) {
        LOG.warn(
            "the family keeps its settings: setting={}, family={}, wanted={}",
            Setting.FAMILIES.key(),
            same.get(),
            family);
      }
    }
  }

  private OwnerMover ownerMover(Settings opened, long searchMillis) {
    int entries = opened.count(Setting.SPLIT_OUT);
    long initBytes = opened.bytes(Setting.INIT_LIMIT);
    store.forest().heavyOwners().countFrom(opened.count(Setting.COUNTED_LEAVES));
    OwnerMover started = new OwnerMover(transactions, store.forest(), entries, initBytes);
    if (!store.isNew()) {
      started.searchAfterOpening(searchMillis);
    }
    started.start();
    return started;
  }

  /** Makes on the disk what was planned; nothing is refused any more. */
  private void establish(Disk disk) throws IOException {
    disk.syncDirectory(); // so that the manifest that was read is the one a power cut leaves
    store.extents().establish();
    log.establish();
    if (store.isNew()) {
      checkpointer.create(log.durable());
    }
  }

  /**
   * Opens the store of the settings' directory, made if it is not there; a store in memory where no
   * directory is set. When this throws one of the exceptions below but for the last, it has left
   * all files as they were, unless replaying the log has taken checkpoints: then the next opening
   * goes on behind them.
   *
   * @throws IllegalArgumentException if the JVM may not take as much memory outside of the heap as
   *     the budget needs, naming both settings
   * @throws io.bg3.storage.file.StoreInUseException naming the process that has it open
   * @throws io.bg3.storage.format.UnreadableException naming what is damaged or of another version
   * @throws io.bg3.storage.memory.MemoryExceededException if what replaying the log needs does not
   *     fit into the budget
   * @throws HalfLoadedException if a {@link #load} has begun and not ended
   * @throws IOException if the disk fails or is full
   */
  public static Bg3 open(Settings settings) throws IOException {
    LayerSettings.requireMemory(settings);
    String directory = settings.text(Setting.DIRECTORY);
    if (directory.isEmpty() && LayerSettings.isReadOnly(settings)) {
      throw new IllegalArgumentException(
          "a store in memory cannot be opened for reading only: set "
              + Setting.DIRECTORY.key()
              + ", or take away "
              + Setting.READ_ONLY.key());
    } else if (directory.isEmpty()) {
      return open(settings, new MemoryDisk());
    } else if (LayerSettings.isReadOnly(settings)) {
      return openToRead(settings, Path.of(directory));
    }
    return open(settings, Path.of(directory));
  }

  private static Bg3 open(Settings settings, Path directory) throws IOException {
    OpenResources parts = new OpenResources();
    try {
      Disk disk = parts.add(RealDisk.open(directory));
      StoreLock lock = parts.add(StoreLock.acquire(directory));
      try {
        return new Bg3(settings, disk, parts, StoreClock.system());
      } catch (IOException | RuntimeException | Error e) {
        undo(lock, e);
        throw e;
      }
    } catch (IOException | RuntimeException | Error e) {
      parts.close(e);
      throw e;
    }
  }

  private static void undo(StoreLock lock, Throwable refusal) {
    try {
      lock.undo();
    } catch (IOException | RuntimeException e) {
      refusal.addSuppressed(e);
    }
  }

  private static Bg3 openToRead(Settings settings, Path directory) throws IOException {
    OpenResources parts = new OpenResources();
    try {
      Disk disk = parts.add(RealDisk.openToRead(directory));
      parts.add(StoreLock.acquireShared(directory));
      return new Bg3(settings, new ReadOnlyDisk(disk), parts, StoreClock.system());
    } catch (IOException | RuntimeException | Error e) {
      parts.close(e);
      throw e;
    }
  }

  /** Opens a store on any disk, without a lock; for tests and for stores in memory. */
  static Bg3 open(Settings settings, Disk disk) throws IOException {
    return open(settings, disk, StoreClock.system());
  }

  /** Opens a store on any disk by a clock of the caller's, in milliseconds; for tests. */
  static Bg3 open(Settings settings, Disk disk, LongSupplier millis) throws IOException {
    return open(settings, disk, millis, SEARCH_MILLIS);
  }

  /** As above; all leaves are looked at so many milliseconds behind the opening. */
  static Bg3 open(Settings settings, Disk disk, LongSupplier millis, long searchMillis)
      throws IOException {
    LayerSettings.requireMemory(settings);
    OpenResources parts = new OpenResources();
    try {
      parts.add(disk);
      Disk opened = LayerSettings.isReadOnly(settings) ? new ReadOnlyDisk(disk) : disk;
      return new Bg3(settings, opened, parts, millis, searchMillis);
    } catch (IOException | RuntimeException | Error e) {
      parts.close(e);
      throw e;
    }
  }

  /**
   * Looks at the files of a store that does not open, and lists what is wrong with them, one
   * sentence each. Changes nothing.
   */
  public static List<String> survey(Path directory) throws IOException {
    try (Disk disk = RealDisk.openToRead(directory);
        StoreLock lock = StoreLock.acquireShared(directory)) {
      assert lock != null;
      return DamageReport.of(disk);
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

  /**
   * Begins to fill a store that has no vertices and no edges, by sorting the entries of the edges:
   * far faster than transactions where the graph is larger than memory, and each page is written
   * about once. Until the load has {@linkplain GraphLoad#finish finished}, the store does not open
   * again.
   *
   * @throws IllegalArgumentException if the store is not empty
   * @throws io.bg3.core.commit.StoreFailedException if the store is open to read only, or has
   *     stopped writing
   */
  public GraphLoad load() throws IOException {
    return graph.load(EntrySorter.of(disk));
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
   *
   * @throws IllegalStateException if the store is open to read only
   */
  public void checkpoint() throws IOException {
    if (keeper == null) {
      throw new IllegalStateException(
          "the store is open for reading only: setting=" + Setting.READ_ONLY.key());
    }
    checkpointer.run();
  }

  /** Takes all leaves out of memory that are stored as they are; says how many. */
  int evict() {
    return evictor.evictAll();
  }

  /** Moves the leaves in memory that can be moved; says how many. */
  long move() {
    return evictor.moveAll();
  }

  /** Takes the values of all leaves of edges out of memory that can go; says of how many. */
  int evictValues() {
    return evictor.evictValues();
  }

  /** Writes some leaves that changed, and no manifest. */
  int flush(int most) throws IOException {
    return checkpointer.flush(most);
  }

  /**
   * Why the store has stopped writing: an error of the disk, after which every commit fails until
   * it is opened again. Empty while it writes, and for a store that was opened to read only.
   */
  public Optional<Throwable> failure() {
    return LayerSettings.isReadOnly(settings)
        ? Optional.empty()
        : Optional.ofNullable(transactions.failure());
  }

  /**
   * Reads the images of at most so many pages and says how well they are compressed.
   *
   * @return the bytes of the images of each stream, divided by what they take in memory; a stream
   *     without images is missing
   */
  public Map<Stream, Double> sampleImages(int pages) {
    return ImageSizes.sample(space, pages).ratios();
  }

  /** The trees and extents; for tests. */
  OpenedStore opened() {
    return store;
  }

  /** Sizes and counts, for people and metrics. */
  public StoreStats stats() {
    return StoreStats.of(
        budget,
        memory,
        epochs,
        evictor,
        store,
        log,
        transactions,
        checkpointer,
        compressors,
        log.end() - openedAt);
  }

  /**
   * Counts the pages and trees of each family of edge labels, and of all else, without loading or
   * stopping anything. Looks at the row of each page.
   */
  public List<FamilyPages> familyPages() {
    return FamilyPages.of(store);
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
    } catch (UnreadableException e) {
      problems.add("the graph cannot be checked to its end: " + e.getMessage());
    }
    return problems;
  }

  /** The part of {@link #check} that does not ask what the entries mean. */
  List<String> checkPages(LongConsumer progress) {
    return checkpointer.check(progress);
  }

  /**
   * Writes a last checkpoint if there is something to write, and closes everything; open
   * transactions can only be rolled back. A store that was only read is left as it is.
   *
   * @throws IOException if the last checkpoint fails, or the log; what was committed as {@code
   *     bg3.durability} promises is in the log then, and the next opening replays it. Also if the
   *     store has stopped writing before
   */
  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    Throwable failure = null;
    try {
      graph.endDefinitionWork();
      if (mover != null) {
        mover.close();
      }
      if (remover != null) {
        remover.close();
      }
      if (keeper != null) {
        keeper.close();
      }
      if (transactions.failure() == null) {
        checkpointAtEnd();
      } else if (!LayerSettings.isReadOnly(settings)) { // one to read only never wrote
        failure = stoppedBefore(transactions.failure());
      }
    } catch (IOException | RuntimeException | Error e) {
      failure = e; // the rest is closed all the same
    }
    if (checkpointer != null) {
      checkpointer.end();
    }
    failure = parts.close(failure);
    if (failure instanceof Error error) {
      throw error;
    } else if (failure != null) {
      throw failure instanceof IOException e ? e : new IOException("closing failed", failure);
    }
  }

  /**
   * The exception that closing throws for a store that has stopped writing: commits that were not
   * synced may have been acknowledged before, and nothing else tells that they are lost.
   */
  private IOException stoppedBefore(Throwable cause) {
    String lost =
        LayerSettings.durability(settings) == Durability.SYNC
            ? "commits that succeeded are in the log"
            : "the last commits that succeeded may be lost";
    return new IOException(
        "the store stopped writing before it was closed, "
            + lost
            + ": "
            + Setting.DURABILITY.key()
            + "="
            + settings.text(Setting.DURABILITY)
            + ", cause="
            + cause.getMessage(),
        cause);
  }

  private void checkpointAtEnd() throws IOException {
    if (log.end() > openedAt) {
      try {
        checkpointer.run();
      } catch (IOException | RuntimeException | OutOfMemoryError e) {
        log.write(true); // without a checkpoint all that was committed has to be in the log
        throw new IOException(
            "the last checkpoint could not be written; the log keeps all commits, and the next"
                + " opening replays them: reason="
                + e.getMessage(),
            e);
      }
    } else if (log.end() - checkpointer.logPosition() > QUICK_REPLAY) {
      try {
        checkpointer.run(); // only for the next opening to be faster
      } catch (IOException e) {
        LOG.warn("closed without a checkpoint; the next opening replays the log again", e);
      }
    }
  }

  /**
   * Has committers wait for checkpoints that are behind, so that the log's files stay below twice
   * the limit, and for the emptying of extents where it is behind.
   */
  private void limitCommits(LogSettings logs) {
    long limit = settings.bytes(Setting.LOG_LIMIT);
    if (limit <= LayerSettings.UNLIMITED_LOG) {
      transactions
          .throttle()
          .log()
          .limit(checkpointer.logPosition(), limit, logs.lengthWithin(2 * limit));
    }
    transactions.throttle().dirty().start();
    transactions.throttle().values().start();
  }
}

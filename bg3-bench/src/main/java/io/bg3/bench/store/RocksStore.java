package io.bg3.bench.store;

import io.bg3.bench.data.EdgeValue;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.NoSuchElementException;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompactRangeOptions.BottommostLevelCompaction;
import org.rocksdb.CompactionPriority;
import org.rocksdb.CompressionType;
import org.rocksdb.DataBlockIndexType;
import org.rocksdb.FlushOptions;
import org.rocksdb.IndexType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.TtlDB;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * RocksDB, tuned as its wiki says for points and short scans by prefix: a block cache that holds
 * everything, filters of 10 bits on keys and prefixes, a hash index in the data blocks, iterators
 * that are kept and stop at the end of the prefix, and buffers outside of the heap.
 *
 * <p>A commit hands its log record to the operating system, as RocksDB does by default. Only where
 * commits wait for nothing ({@link Sync#APPLIED}) the log is gathered in memory and handed over by
 * a thread of its own every {@value #LOG_MILLIS} ms.
 *
 * <p>A {@link TtlDB} cannot open what was written without a time to live, and it adds four bytes to
 * each value. So edges that expire have a database of their own beside the one of all others, with
 * the same options, and the same cache. A commit is one of either. RocksDB drops an expired edge
 * when it compacts the file that has it, and shows it until then.
 */
final class RocksStore implements BenchStore {
  private static final int LOG_MILLIS = 10;
  private static final long BUFFER = 64L << 20;
  private static final int BUFFERS = 3;
  private static final int FILTER_BITS = 10;
  private static final int PREFIX = EdgeBuffers.OTHER;

  static {
    RocksDB.loadLibrary(); // before the first of its objects, which do not load it themselves
  }

  /** Where the edges are that expire. */
  private static final String EXPIRING = "expiring";

  private final long cacheBytes;
  private final long bufferBytes;
  private final Sync sync;
  private final boolean direct;
  private final boolean blobs;
  private final Lifetime lifetime;
  private final LRUCache cache;
  private final BloomFilter filter = new BloomFilter(FILTER_BITS, false);
  private final Options options;
  private final WriteOptions writes;
  private final RocksDB db;
  private final RocksDB expiring; // null if all edges stay
  private final Thread logFlusher;
  private volatile boolean closed;

  RocksStore(StoreOptions given) throws IOException {
    this.sync = given.sync();
    this.direct = given.direct();
    this.blobs = given.blobs();
    this.lifetime = given.lifetime();
    this.bufferBytes = Math.min(BUFFER, Math.max(1 << 20, given.memory() / 4 / BUFFERS));
    this.cacheBytes = given.memory() - BUFFERS * bufferBytes;
    this.cache = new LRUCache(cacheBytes);
    this.options = options();
    this.writes = new WriteOptions().setSync(sync == Sync.EVERY_COMMIT);
    try {
      this.db = RocksDB.open(options, given.directory().toString());
      this.expiring = lifetime.labels().isEmpty() ? null : openExpiring(given.directory());
    } catch (RocksDBException e) {
      throw new IOException("RocksDB does not open: directory=" + given.directory(), e);
    }
    this.logFlusher = new Thread(this::flushLog, "rocksdb-log");
    logFlusher.setDaemon(true);
    if (sync == Sync.APPLIED) {
      logFlusher.start();
    }
  }

  private RocksDB openExpiring(Path directory) throws RocksDBException {
    return TtlDB.open(options, directory.resolve(EXPIRING).toString(), lifetime.seconds(), false);
  }

  /** The databases. */
  private List<RocksDB> all() {
    return expiring == null ? List.of(db) : List.of(db, expiring);
  }

  /** The database that has the edges with a label. */
  private RocksDB of(int label) {
    return lifetime.isOf(label) ? expiring : db;
  }

  private BlockBasedTableConfig tables() {
    BlockBasedTableConfig tables =
        new BlockBasedTableConfig()
            .setBlockCache(cache)
            .setFilterPolicy(filter)
            .setWholeKeyFiltering(true)
            .setCacheIndexAndFilterBlocks(true)
            .setCacheIndexAndFilterBlocksWithHighPriority(true)
            .setPinL0FilterAndIndexBlocksInCache(true)
            .setPinTopLevelIndexAndFilter(true)
            .setOptimizeFiltersForMemory(true)
            .setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash)
            .setFormatVersion(6);
    return direct ? partitioned(tables) : tables;
  }

  /**
   * Index and filters in blocks of 4 KiB, as the wiki says for memory that does not hold all of
   * them: a look-up then reads the blocks that it needs and not those of a whole file.
   */
  private static BlockBasedTableConfig partitioned(BlockBasedTableConfig tables) {
    return tables
        .setIndexType(IndexType.kTwoLevelIndexSearch)
        .setPartitionFilters(true)
        .setMetadataBlockSize(4 << 10);
  }

  private Options options() {
    return new Options()
        .setCreateIfMissing(true)
        .setTableFormatConfig(tables())
        .useFixedLengthPrefixExtractor(PREFIX)
        .setMemtablePrefixBloomSizeRatio(0.1)
        .setMemtableWholeKeyFiltering(true)
        .setWriteBufferSize(bufferBytes)
        .setMaxWriteBufferNumber(BUFFERS)
        .setLevelCompactionDynamicLevelBytes(true)
        .setCompactionPriority(CompactionPriority.MinOverlappingRatio)
        .setCompressionType(CompressionType.NO_COMPRESSION)
        .setMaxBackgroundJobs(4)
        .setBytesPerSync(1 << 20)
        .setUseDirectReads(direct)
        .setUseDirectIoForFlushAndCompaction(direct)
        .setManualWalFlush(sync == Sync.APPLIED)
        .setEnableBlobFiles(blobs)
        .setMinBlobSize(EdgeValue.SHORTEST)
        .setEnableBlobGarbageCollection(blobs);
  }

  private void flushLog() {
    try {
      while (!closed) {
        Thread.sleep(LOG_MILLIS);
        for (RocksDB each : all()) {
          each.flushWal(false);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RocksDBException e) {
      throw failed(e);
    }
  }

  @Override
  public StoreReader reader(int label) {
    return new Reader(label);
  }

  @Override
  public StoreWriter writer(boolean ascending) {
    return new Writer();
  }

  @Override
  public OrderedLists lists(int label) {
    return new RocksLists(db, writes, label);
  }

  @Override
  public void settle() throws IOException {
    try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
      for (RocksDB each : all()) {
        each.flush(flush);
        while (each.getLongProperty("rocksdb.compaction-pending") > 0
            || each.getLongProperty("rocksdb.num-running-compactions") > 0) {
          Thread.sleep(20);
        }
      }
    } catch (RocksDBException e) {
      throw new IOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while RocksDB compacts", e);
    }
  }

  @Override
  public void tidy() throws IOException {
    try (CompactRangeOptions all =
        new CompactRangeOptions()
            .setBottommostLevelCompaction(BottommostLevelCompaction.kForceOptimized)) {
      db.compactRange(db.getDefaultColumnFamily(), null, null, all);
    } catch (RocksDBException e) {
      throw new IOException(e);
    }
  }

  @Override
  public String settings() {
    return "block cache="
        + cacheBytes
        + " (LRU, holds index and filters, 4 KiB blocks with hash index), write buffers="
        + BUFFERS
        + "x"
        + bufferBytes
        + ", bloom="
        + FILTER_BITS
        + " bits on keys and "
        + PREFIX
        + "-byte prefixes, memtable prefix bloom=0.1, prefix_same_as_start, iterators kept,"
        + " checksums verified when a block is read, compression=none, dynamic levels,"
        + " background jobs=4, log="
        + log()
        + (blobs ? ", values in blob files, with their garbage collection" : "")
        + (expiring == null ? "" : ", a TtlDB for new edges")
        + (direct ? ", direct I/O, index and filters in blocks of 4 KiB" : "");
  }

  private String log() {
    return switch (sync) {
      case EVERY_COMMIT -> "synced by every commit";
      case HANDED_OVER -> "handed to the operating system by every commit, not synced";
      case APPLIED -> "handed over every " + LOG_MILLIS + " ms, not synced";
    };
  }

  @Override
  public long usedMemory() {
    try {
      long used = cache.getUsage();
      for (RocksDB each : all()) {
        used += each.getLongProperty("rocksdb.cur-size-all-mem-tables");
      }
      return used;
    } catch (RocksDBException e) {
      throw failed(e);
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    try {
      logFlusher.join();
      for (RocksDB each : all()) {
        each.flushWal(false);
        each.closeE();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RocksDBException e) {
      throw new IOException(e);
    } finally {
      writes.close();
      options.close();
      filter.close();
      cache.close();
    }
  }

  static IllegalStateException failed(RocksDBException e) {
    return new IllegalStateException("RocksDB fails: " + e.getMessage(), e);
  }

  private final class Reader implements StoreReader {
    private final int label;
    private final RocksDB from;
    private final EdgeBuffers edge = new EdgeBuffers();
    private final ReadOptions points = new ReadOptions();
    private final ReadOptions scans = new ReadOptions().setPrefixSameAsStart(true);
    private RocksIterator iterator;
    private boolean isOld; // the iterator, which reads of single edges do not need

    Reader(int label) {
      this.label = label;
      this.from = of(label);
      this.iterator = from.newIterator(scans);
    }

    @Override
    public void renew() {
      isOld = true;
    }

    private void seek(long owner) {
      try {
        if (isOld) {
          refresh();
          isOld = false;
        }
        iterator.seek(edge.key(owner, label, 0));
      } catch (RocksDBException e) {
        throw failed(e);
      }
    }

    /** The iterators of a {@link TtlDB} cannot be refreshed. */
    private void refresh() throws RocksDBException {
      if (from.equals(expiring)) {
        iterator.close();
        iterator = from.newIterator(scans);
      } else {
        iterator.refresh();
      }
    }

    @Override
    public long sum(long owner) {
      long sum = 0;
      ByteBuffer key = edge.key;
      for (seek(owner); iterator.isValid(); iterator.next()) {
        key.clear();
        iterator.key(key);
        sum += key.getLong(EdgeBuffers.OTHER);
      }
      return sum;
    }

    @Override
    public long sumValues(long owner) {
      long sum = 0;
      ByteBuffer key = edge.key;
      ByteBuffer value = edge.value;
      for (seek(owner); iterator.isValid(); iterator.next()) {
        key.clear();
        iterator.key(key);
        value.clear();
        iterator.value(value);
        sum += key.getLong(EdgeBuffers.OTHER) + value.getLong(0);
      }
      return sum;
    }

    @Override
    public int first(long owner, int limit, long[] into) {
      int count = 0;
      ByteBuffer key = edge.key;
      seek(owner);
      while (count < limit && iterator.isValid()) {
        key.clear();
        iterator.key(key);
        into[count++] = key.getLong(EdgeBuffers.OTHER);
        iterator.next();
      }
      return count;
    }

    @Override
    public long value(long owner, long other) {
      int length = get(owner, other);
      if (length == RocksDB.NOT_FOUND) {
        throw new NoSuchElementException("no such edge: owner=" + owner + ", other=" + other);
      }
      ByteBuffer value = edge.value;
      return EdgeValue.checksum(value.getLong(0), value.getLong(length - Long.BYTES), length);
    }

    @Override
    public boolean has(long owner, long other) {
      return get(owner, other) != RocksDB.NOT_FOUND;
    }

    /** Reads the value of an edge and returns its length. */
    private int get(long owner, long other) {
      try {
        edge.value.clear();
        return from.get(points, edge.key(owner, label, other), edge.value);
      } catch (RocksDBException e) {
        throw failed(e);
      }
    }

    @Override
    public void close() {
      iterator.close();
      scans.close();
      points.close();
    }
  }

  /** Puts one edge alone by the shorter way that needs no batch. */
  private final class Writer implements StoreWriter {
    private final EdgeBuffers edge = new EdgeBuffers();
    private final WriteBatch batch = new WriteBatch();
    private RocksDB into;
    private int pending;

    @Override
    public void put(long owner, int label, long other, byte[] value, int length) {
      if (pending > 0 && !into.equals(of(label))) {
        throw new IllegalArgumentException("some edges of a commit expire: label=" + label);
      }
      into = of(label);
      try {
        if (pending == 1) {
          batch.put(edge.key, edge.value);
        }
        edge.key(owner, label, other);
        edge.value(value, length);
        if (pending > 0) {
          batch.put(edge.key, edge.value);
        }
        pending++;
      } catch (RocksDBException e) {
        throw failed(e);
      }
    }

    @Override
    public void commit() {
      try {
        if (pending == 1) {
          into.put(writes, edge.key, edge.value);
        } else {
          into.write(writes, batch);
          batch.clear();
        }
        pending = 0;
      } catch (RocksDBException e) {
        throw failed(e);
      }
    }

    @Override
    public void close() {
      batch.close();
    }
  }
}

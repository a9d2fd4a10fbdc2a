package io.bg3.bench.store;

import io.bg3.bench.data.EdgeValue;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.lmdbjava.ByteBufferProxy;
import org.lmdbjava.Cursor;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.GetOp;
import org.lmdbjava.PutFlags;
import org.lmdbjava.Txn;

/**
 * LMDB, tuned as its manual and lmdbjava's say: a map larger than the data will ever be, no
 * read-ahead, no threads bound to readers, cursors and read transactions that are renewed instead
 * of opened, values written into the place that LMDB reserves, ascending loads appended, buffers
 * that are set by Unsafe. A commit hands its pages to the operating system itself. Its memory is
 * the page cache of the operating system, which nobody limits.
 */
final class LmdbStore implements BenchStore {
  private static final long MAP = 256L << 30;
  private static final int READERS = 126;

  private final boolean synced;
  private final Env<ByteBuffer> env;
  private final Dbi<ByteBuffer> edges;

  LmdbStore(StoreOptions options) {
    this.synced = options.sync() == Sync.EVERY_COMMIT;
    List<EnvFlags> flags =
        new ArrayList<>(
            List.of(EnvFlags.MDB_NORDAHEAD, EnvFlags.MDB_NOTLS, EnvFlags.MDB_NOMEMINIT));
    if (!synced) {
      flags.add(EnvFlags.MDB_NOSYNC);
    }
    this.env =
        Env.create(ByteBufferProxy.PROXY_OPTIMAL)
            .setMapSize(MAP)
            .setMaxDbs(1)
            .setMaxReaders(READERS)
            .open(options.directory().toFile(), flags.toArray(new EnvFlags[0]));
    this.edges = env.openDbi("edges", DbiFlags.MDB_CREATE);
  }

  @Override
  public StoreReader reader(int label) {
    return new Reader(label);
  }

  @Override
  public StoreWriter writer(boolean ascending) {
    return new Writer(ascending);
  }

  @Override
  public OrderedLists lists(int label) {
    return new LmdbLists(env, edges, label);
  }

  @Override
  public void settle() {
    env.sync(true);
  }

  @Override
  public String settings() {
    return "map="
        + MAP
        + ", NORDAHEAD NOTLS NOMEMINIT"
        + (synced ? "" : " NOSYNC")
        + ", lmdbjava with Unsafe buffers and checks off, cursors and read transactions renewed,"
        + " reserved puts, a load in key order appended; memory=page cache, not limited";
  }

  @Override
  public void close() {
    env.close();
  }

  private final class Reader implements StoreReader {
    private final int label;
    private final EdgeBuffers edge = new EdgeBuffers();
    private final Txn<ByteBuffer> transaction = env.txnRead();
    private final Cursor<ByteBuffer> cursor = edges.openCursor(transaction);
    private boolean isOld; // the cursor, which reads of single edges do not need

    Reader(int label) {
      this.label = label;
    }

    @Override
    public void renew() {
      transaction.reset();
      transaction.renew();
      isOld = true;
    }

    private boolean seek(long owner) {
      if (isOld) {
        cursor.renew(transaction);
        isOld = false;
      }
      return cursor.get(edge.key(owner, label, 0), GetOp.MDB_SET_RANGE);
    }

    @Override
    public long sum(long owner) {
      long sum = 0;
      boolean found = seek(owner);
      while (found && isOf(owner, cursor.key())) {
        sum += cursor.key().getLong(EdgeBuffers.OTHER);
        found = cursor.next();
      }
      return sum;
    }

    @Override
    public long sumValues(long owner) {
      long sum = 0;
      boolean found = seek(owner);
      while (found && isOf(owner, cursor.key())) {
        sum += cursor.key().getLong(EdgeBuffers.OTHER) + cursor.val().getLong(0);
        found = cursor.next();
      }
      return sum;
    }

    @Override
    public int first(long owner, int limit, long[] into) {
      int count = 0;
      boolean found = seek(owner);
      while (count < limit && found && isOf(owner, cursor.key())) {
        into[count++] = cursor.key().getLong(EdgeBuffers.OTHER);
        found = cursor.next();
      }
      return count;
    }

    private boolean isOf(long owner, ByteBuffer key) {
      return key.getLong(0) == owner && key.getInt(EdgeBuffers.LABEL) == label;
    }

    @Override
    public long value(long owner, long other) {
      ByteBuffer value = edges.get(transaction, edge.key(owner, label, other));
      if (value == null) {
        throw new NoSuchElementException("no such edge: owner=" + owner + ", other=" + other);
      }
      int length = value.remaining();
      return EdgeValue.checksum(value.getLong(0), value.getLong(length - Long.BYTES), length);
    }

    @Override
    public boolean has(long owner, long other) {
      return edges.get(transaction, edge.key(owner, label, other)) != null;
    }

    @Override
    public void close() {
      cursor.close();
      transaction.close();
    }
  }

  private final class Writer implements StoreWriter {
    private final PutFlags[] flags;
    private final EdgeBuffers edge = new EdgeBuffers();
    private Txn<ByteBuffer> transaction;

    Writer(boolean ascending) {
      this.flags = ascending ? new PutFlags[] {PutFlags.MDB_APPEND} : new PutFlags[0];
    }

    @Override
    public void put(long owner, int label, long other, byte[] value, int length) {
      if (transaction == null) {
        transaction = env.txnWrite();
      }
      edges
          .reserve(transaction, edge.key(owner, label, other), length, flags)
          .put(value, 0, length);
    }

    @Override
    public void commit() {
      transaction.commit();
      transaction.close();
      transaction = null;
    }

    @Override
    public void close() {
      if (transaction != null) {
        transaction.close();
      }
    }
  }
}

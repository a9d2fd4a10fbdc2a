package io.bg3.bench.store;

import io.bg3.bench.data.EdgeValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Nothing but group commit: records of edges, appended to a preallocated file and synced. The
 * ceiling of what synced commits can reach on a machine.
 *
 * <p>A thread that finds nobody writing becomes the writer: it takes everything that waits, writes
 * it once, syncs once, and wakes the waiting threads. So a single thread pays for no other.
 *
 * <p>Threads: any number of writers. There are no readers.
 */
public final class BareLog implements BenchStore {
  private static final int PREALLOCATED = 64 << 20;
  private static final int ZEROS = 1 << 18;
  private static final int GATHERED = 1 << 20;
  private static final int ROOM = 2 * Integer.BYTES + EdgeValue.KEY + EdgeValue.LONGEST;

  private final FileChannel file;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private Batch gathering = new Batch();
  private Batch spare = new Batch();
  private long gathered;
  private long durable;
  private boolean busy;
  private volatile long position; // set by the thread that writes
  private volatile IOException failure;

  public BareLog(Path directory) throws IOException {
    this.file =
        FileChannel.open(
            directory.resolve("log"),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    allocate(0);
  }

  /** Writes zeros, so that later syncs need not change the file's size or extents. */
  private void allocate(long from) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocateDirect(ZEROS);
    for (long at = from; at < from + PREALLOCATED; at += ZEROS) {
      zeros.clear();
      file.write(zeros, at);
    }
    file.force(true);
  }

  /** Bytes of all records that were committed. */
  public long committedBytes() {
    return position;
  }

  @Override
  public StoreReader reader(int label) {
    throw new UnsupportedOperationException("a bare log is not read");
  }

  @Override
  public StoreWriter writer(boolean ascending) {
    return new Writer();
  }

  @Override
  public void settle() {}

  @Override
  public String settings() {
    return "one file, preallocated and zeroed; who commits first writes and syncs for all waiting";
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /** Adds a record and returns when it is durable. */
  private void append(ByteBuffer record) throws IOException {
    lock.lock();
    try {
      while (gathering.bytes.remaining() < record.remaining()) {
        room.awaitUninterruptibly();
      }
      Batch batch = gathering;
      batch.bytes.put(record);
      long mine = ++gathered;
      while (busy && durable < mine) {
        batch.changed.awaitUninterruptibly();
      }
      if (failure != null) {
        throw new IOException("the log has failed", failure);
      }
      if (durable >= mine) {
        return;
      }
      busy = true;
    } finally {
      lock.unlock();
    }
    write();
  }

  private void write() throws IOException {
    long upTo;
    Batch batch;
    lock.lock();
    try {
      batch = gathering;
      gathering = spare;
      spare = batch;
      upTo = gathered;
    } finally {
      lock.unlock();
    }
    write(batch, upTo);
  }

  /** Writes a batch and wakes the threads that wait for it. */
  private void write(Batch batch, long upTo) throws IOException {
    long end = position;
    try {
      end = write(batch.bytes.flip());
    } catch (IOException e) {
      failure = e;
      throw e;
    } finally {
      lock.lock();
      try {
        batch.bytes.clear();
        position = end;
        durable = upTo;
        busy = false;
        batch.changed.signalAll();
        gathering.changed.signal(); // one of them writes next
        room.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private long write(ByteBuffer bytes) throws IOException {
    long at = position;
    if ((at + bytes.remaining()) / PREALLOCATED != at / PREALLOCATED) {
      allocate((at / PREALLOCATED + 1) * PREALLOCATED);
    }
    while (bytes.hasRemaining()) {
      at += file.write(bytes, at);
    }
    file.force(false);
    return at;
  }

  /** Records that are written together, and what their committers wait for. */
  private final class Batch {
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(GATHERED);
    private final Condition changed = lock.newCondition();
  }

  private final class Writer implements StoreWriter {
    private final ByteBuffer record = ByteBuffer.allocate(ROOM);

    @Override
    public void put(long owner, int label, long other, byte[] value, int length) {
      record.clear();
      record.putInt(length).putLong(owner).putInt(label).putLong(other).put(value, 0, length);
    }

    @Override
    public void commit() {
      try {
        append(record.flip());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {}
  }
}

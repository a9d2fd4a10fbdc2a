package io.bg3.bench.store;

import io.bg3.bench.data.EdgeValue;
import java.nio.ByteBuffer;
import java.util.NoSuchElementException;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** Ordered edges in RocksDB, which counts them by reading them. */
final class RocksLists implements OrderedLists {
  private final RocksDB db;
  private final WriteOptions writes;
  private final OrderedBuffers buffers;
  private final WriteBatch batch = new WriteBatch();
  private final ReadOptions points = new ReadOptions();
  private final ReadOptions scans = new ReadOptions().setPrefixSameAsStart(true);
  private final RocksIterator iterator;
  private boolean isOld; // the iterator, which reads of single edges do not need

  RocksLists(RocksDB db, WriteOptions writes, int label) {
    this.db = db;
    this.writes = writes;
    this.buffers = new OrderedBuffers(label);
    this.iterator = db.newIterator(scans);
  }

  @Override
  public void put(long owner, long time, long other, byte[] value, int length) {
    try {
      batch.put(buffers.out(owner, other), buffers.place(time));
      ByteBuffer key = buffers.ordered(owner, OrderedLists.place(time), other);
      batch.put(key, buffers.edge.value(value, length));
    } catch (RocksDBException e) {
      throw RocksStore.failed(e);
    }
  }

  @Override
  public void delete(long owner, long time, long other) {
    try {
      batch.delete(buffers.out(owner, other));
      batch.delete(buffers.ordered(owner, OrderedLists.place(time), other));
    } catch (RocksDBException e) {
      throw RocksStore.failed(e);
    }
  }

  @Override
  public void commit() {
    try {
      db.write(writes, batch);
      batch.clear();
    } catch (RocksDBException e) {
      throw RocksStore.failed(e);
    }
  }

  @Override
  public void renew() {
    isOld = true;
  }

  private void seek(long owner) {
    try {
      if (isOld) {
        iterator.refresh();
        isOld = false;
      }
      iterator.seek(buffers.ordered(owner, 0, 0));
    } catch (RocksDBException e) {
      throw RocksStore.failed(e);
    }
  }

  @Override
  public int newest(long owner, int limit, long[] into) {
    int count = 0;
    seek(owner);
    while (count < limit && iterator.isValid()) {
      buffers.key.clear();
      iterator.key(buffers.key);
      into[count++] = OrderedBuffers.other(buffers.key);
      iterator.next();
    }
    return count;
  }

  @Override
  public long value(long owner, long other) {
    try {
      ByteBuffer place = buffers.placeRead();
      int length = db.get(points, buffers.out(owner, other), place);
      ByteBuffer value = buffers.edge.value;
      if (length != RocksDB.NOT_FOUND) {
        value.clear();
        length = db.get(points, buffers.ordered(owner, place.getLong(0), other), value);
      }
      if (length == RocksDB.NOT_FOUND) {
        throw new NoSuchElementException("no such edge: owner=" + owner + ", other=" + other);
      }
      return EdgeValue.checksum(value.getLong(0), value.getLong(length - Long.BYTES), length);
    } catch (RocksDBException e) {
      throw RocksStore.failed(e);
    }
  }

  @Override
  public long count(long owner) {
    long count = 0;
    for (seek(owner); iterator.isValid(); iterator.next()) {
      count++;
    }
    return count;
  }

  @Override
  public boolean hasCounter() {
    return false;
  }

  @Override
  public void close() {
    iterator.close();
    scans.close();
    points.close();
    batch.close();
  }
}

package io.bg3.bench.store;

import io.bg3.bench.data.EdgeValue;
import java.nio.ByteBuffer;
import java.util.NoSuchElementException;
import org.lmdbjava.Cursor;
import org.lmdbjava.Dbi;
import org.lmdbjava.Env;
import org.lmdbjava.GetOp;
import org.lmdbjava.Txn;

/** Ordered edges in LMDB, which counts them by reading them. */
final class LmdbLists implements OrderedLists {
  private final Env<ByteBuffer> env;
  private final Dbi<ByteBuffer> edges;
  private final OrderedBuffers buffers;
  private final Txn<ByteBuffer> reading;
  private final Cursor<ByteBuffer> cursor;
  private Txn<ByteBuffer> writing; // null until something is written

  LmdbLists(Env<ByteBuffer> env, Dbi<ByteBuffer> edges, int label) {
    this.env = env;
    this.edges = edges;
    this.buffers = new OrderedBuffers(label);
    this.reading = env.txnRead();
    this.cursor = edges.openCursor(reading);
  }

  private Txn<ByteBuffer> writing() {
    if (writing == null) {
      writing = env.txnWrite();
    }
    return writing;
  }

  @Override
  public void put(long owner, long time, long other, byte[] value, int length) {
    edges.put(writing(), buffers.out(owner, other), buffers.place(time));
    ByteBuffer key = buffers.ordered(owner, OrderedLists.place(time), other);
    edges.reserve(writing(), key, length).put(value, 0, length);
  }

  @Override
  public void delete(long owner, long time, long other) {
    edges.delete(writing(), buffers.out(owner, other));
    edges.delete(writing(), buffers.ordered(owner, OrderedLists.place(time), other));
  }

  @Override
  public void commit() {
    writing.commit();
    writing.close();
    writing = null;
  }

  @Override
  public void renew() {
    reading.reset();
    reading.renew();
    cursor.renew(reading);
  }

  private boolean seek(long owner) {
    return cursor.get(buffers.ordered(owner, 0, 0), GetOp.MDB_SET_RANGE);
  }

  @Override
  public int newest(long owner, int limit, long[] into) {
    int count = 0;
    boolean found = seek(owner);
    while (count < limit && found && buffers.isOrdered(owner, cursor.key())) {
      into[count++] = OrderedBuffers.other(cursor.key());
      found = cursor.next();
    }
    return count;
  }

  @Override
  public long value(long owner, long other) {
    ByteBuffer place = edges.get(reading, buffers.out(owner, other));
    ByteBuffer value =
        place == null ? null : edges.get(reading, buffers.ordered(owner, place.getLong(0), other));
    if (value == null) {
      throw new NoSuchElementException("no such edge: owner=" + owner + ", other=" + other);
    }
    int length = value.remaining();
    return EdgeValue.checksum(value.getLong(0), value.getLong(length - Long.BYTES), length);
  }

  @Override
  public long count(long owner) {
    long count = 0;
    boolean found = seek(owner);
    while (found && buffers.isOrdered(owner, cursor.key())) {
      count++;
      found = cursor.next();
    }
    return count;
  }

  @Override
  public boolean hasCounter() {
    return false;
  }

  @Override
  public void close() {
    cursor.close();
    reading.close();
    if (writing != null) {
      writing.close();
    }
  }
}

package io.bg3.bench.store;

import io.bg3.bench.data.EdgeValue;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.transaction.TransactionManager;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.NoSuchElementException;

/** The entries that BG3's graph keeps for a label that is ordered and counted. */
final class Bg3Lists implements OrderedLists {
  private final TransactionManager transactions;
  private final boolean handsOver;
  private final int label;
  private final int out;
  private final int index;
  private Transaction reading; // null until something is read
  private Transaction writing; // null until something is written

  Bg3Lists(TransactionManager transactions, boolean handsOver, int label) {
    this.transactions = transactions;
    this.handsOver = handsOver;
    this.label = label;
    this.out = EdgeKey.tagLabel(EdgeKey.OUT, label);
    this.index = EdgeKey.tagLabel(EdgeKey.INDEX, label);
  }

  private Transaction writing() {
    if (writing == null) {
      writing = transactions.begin(Isolation.STRICT, false);
    }
    return writing;
  }

  @Override
  public void put(long owner, long time, long other, byte[] value, int length) {
    Transaction transaction = writing();
    byte[] place = ByteBuffer.allocate(Long.BYTES).putLong(OrderedLists.place(time)).array();
    transaction.putEdge(owner, out, other, 0, place);
    transaction.putEdge(
        owner, index, OrderedLists.place(time), other, 0, Arrays.copyOf(value, length));
    transaction.addCount(owner, label, 1);
  }

  @Override
  public void delete(long owner, long time, long other) {
    Transaction transaction = writing();
    transaction.deleteEdge(owner, out, other, 0);
    transaction.deleteEdge(owner, index, OrderedLists.place(time), other, 0);
    transaction.addCount(owner, label, -1);
  }

  @Override
  public void commit() {
    writing.commit();
    writing = null;
    if (handsOver) {
      transactions.writeLog();
    }
  }

  @Override
  public void renew() {
    if (reading != null) {
      reading.rollback();
    }
    reading = transactions.begin(Isolation.STRICT, true);
  }

  @Override
  public int newest(long owner, int limit, long[] into) {
    int count = 0;
    try (EdgeCursor edges =
        reading.sortedEdges(owner, index, 0, Long.MAX_VALUE, ScanOrder.FORWARD, limit)) {
      while (count < limit && edges.next()) {
        into[count++] = edges.other();
      }
    }
    return count;
  }

  @Override
  public long value(long owner, long other) {
    byte[] place = reading.edgeValue(owner, out, other, 0);
    byte[] value =
        place == null
            ? null
            : reading.edgeValue(owner, index, ByteBuffer.wrap(place).getLong(), other, 0);
    if (value == null) {
      throw new NoSuchElementException("no such edge: owner=" + owner + ", other=" + other);
    }
    return EdgeValue.checksum(value, value.length);
  }

  @Override
  public long count(long owner) {
    return reading.count(owner, label);
  }

  @Override
  public boolean hasCounter() {
    return true;
  }

  @Override
  public void close() {
    for (Transaction transaction : new Transaction[] {reading, writing}) {
      if (transaction != null) {
        transaction.rollback();
      }
    }
  }
}

package io.bg3.core.transaction;

import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.keyspace.Write;

/**
 * A scan of edges as a cursor: entries of the trees are read from their columns, own writes from
 * their keys.
 */
final class EdgeScanCursor implements EdgeCursor {
  /** Accepts entries of every tag. */
  static final int ANY_TAG = -1;

  private final TransactionScans scans;
  private final TransactionScan scan;
  private final int tag;
  private final boolean values;

  /**
   * @param tag the only one to be shown, or {@link #ANY_TAG}
   */
  EdgeScanCursor(TransactionScans scans, TransactionScan scan, int tag, boolean values) {
    this.scans = scans;
    this.scan = scan;
    this.tag = tag;
    this.values = values;
  }

  @Override
  public boolean next() {
    while (scan.next()) {
      if (tag == ANY_TAG || EdgeKey.tag(tagLabel()) == tag) {
        return true;
      }
    }
    return false;
  }

  @Override
  public int skip(int most) {
    return tag == ANY_TAG ? scan.skip(most) : EdgeCursor.super.skip(most);
  }

  @Override
  public long owner() {
    Write own = scan.own();
    return own == null ? page().owner(scan.index()) : EdgeKey.owner(own.key);
  }

  @Override
  public int tagLabel() {
    Write own = scan.own();
    return own == null ? page().tagLabel(scan.index()) : EdgeKey.tagLabel(own.key);
  }

  @Override
  public long sortKey() {
    Write own = scan.own();
    if (own == null) {
      return page().sortKey(scan.index());
    }
    return EdgeKey.tag(EdgeKey.tagLabel(own.key)) == EdgeKey.INDEX ? EdgeKey.sortKey(own.key) : 0;
  }

  @Override
  public long other() {
    Write own = scan.own();
    return own == null ? page().other(scan.index()) : EdgeKey.other(own.key);
  }

  @Override
  public int sequence() {
    Write own = scan.own();
    return own == null ? page().sequence(scan.index()) : EdgeKey.sequence(own.key);
  }

  @Override
  public byte[] value() {
    return values ? scan.value() : null;
  }

  @Override
  public void value(ValueView into) {
    if (values) {
      scan.value(into);
    } else {
      into.set(ValueView.NOTHING, 0, 0);
    }
  }

  @Override
  public boolean isRemoved() {
    return scan.isRemoved();
  }

  @Override
  public void close() {
    scans.close(scan);
  }

  private EdgeEntries page() {
    return (EdgeEntries) scan.page();
  }
}

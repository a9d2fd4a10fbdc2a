package io.bg3.core.transaction;

/** A scan of a byte-key space as a cursor. */
final class ByteScanCursor implements ByteCursor {
  private final TransactionScans scans;
  private final TransactionScan scan;

  ByteScanCursor(TransactionScans scans, TransactionScan scan) {
    this.scans = scans;
    this.scan = scan;
  }

  @Override
  public boolean next() {
    return scan.next();
  }

  @Override
  public byte[] key() {
    return scan.key();
  }

  @Override
  public byte[] value() {
    return scan.value();
  }

  @Override
  public boolean isRemoved() {
    return scan.isRemoved();
  }

  @Override
  public int upcoming() {
    return scan.upcoming();
  }

  @Override
  public byte[] upcoming(int behind) {
    return scan.upcoming(behind);
  }

  @Override
  public void close() {
    scans.close(scan);
  }
}

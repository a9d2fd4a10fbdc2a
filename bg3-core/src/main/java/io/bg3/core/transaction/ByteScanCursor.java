package io.bg3.core.transaction;

/** A scan of a byte-key space as a cursor. */
final class ByteScanCursor implements ByteCursor {
  private final Scans scans;
  private final Scan scan;

  ByteScanCursor(Scans scans, Scan scan) {
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
  public void close() {
    scans.close(scan);
  }
}

package io.bg3.bench.work;

/** The time for which a reader keeps a snapshot. */
public enum Snapshots {
  /** One read transaction for each operation. */
  EACH(1),
  /** One read transaction for many operations. */
  SHARED(1_024);

  private final int operations;

  Snapshots(int operations) {
    this.operations = operations;
  }

  /** Operations that share a snapshot where each of them takes {@code size} as long as a scan. */
  int operations(int size) {
    return Math.max(1, operations / size);
  }

  String text(int size) {
    return this == EACH ? "a transaction each" : "a new snapshot every " + operations(size);
  }
}

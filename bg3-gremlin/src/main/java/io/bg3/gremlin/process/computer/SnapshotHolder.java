package io.bg3.gremlin.process.computer;

import java.lang.ref.Cleaner;

/**
 * A snapshot that several graphs of results share: it is closed when the last of them is closed or
 * is garbage. Nobody closes the graphs between the programs of one traversal.
 *
 * <p>Threads: any.
 */
final class SnapshotHolder {
  private static final Cleaner CLEANER = Cleaner.create();

  private final GraphSnapshot snapshot;
  private int shares; // guarded by this

  SnapshotHolder(GraphSnapshot snapshot) {
    this.snapshot = snapshot;
  }

  GraphSnapshot snapshot() {
    return snapshot;
  }

  /** A share for an object; {@link Cleaner.Cleanable#clean} gives it back, once. */
  Cleaner.Cleanable share(Object user) {
    synchronized (this) {
      shares++;
    }
    return CLEANER.register(user, this::giveBack);
  }

  private void giveBack() {
    boolean isLast;
    synchronized (this) {
      isLast = --shares == 0;
    }
    if (isLast) {
      snapshot.close();
    }
  }
}

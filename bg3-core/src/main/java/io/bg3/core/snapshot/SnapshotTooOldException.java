package io.bg3.core.snapshot;

/** The transaction's snapshot is older than what the store keeps; it can only be rolled back. */
public final class SnapshotTooOldException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The snapshot {@code snapshot} was given up because of the setting {@code setting}. */
  public SnapshotTooOldException(long snapshot, String setting) {
    super(
        "the transaction was open for too long and can only be rolled back: snapshot="
            + snapshot
            + ", setting="
            + setting);
  }
}

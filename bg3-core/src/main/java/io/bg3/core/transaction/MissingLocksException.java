package io.bg3.core.transaction;

import io.bg3.core.lock.LockSet;

/**
 * An update has made index entries whose stripes it does not have. Nothing was done; it has to be
 * done again with these locks.
 */
final class MissingLocksException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient LockSet needed;

  MissingLocksException(LockSet needed) {
    super("an update needs the stripes of its index entries", null, false, false);
    this.needed = needed;
  }

  /** Those that it has and those that it lacks. */
  LockSet needed() {
    return needed;
  }
}

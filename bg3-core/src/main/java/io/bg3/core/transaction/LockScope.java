package io.bg3.core.transaction;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.lock.HeldLocks;
import io.bg3.core.lock.LockSet;
import io.bg3.core.lock.Locks;
import java.util.Arrays;

/**
 * The locks that a transaction has before it begins, and what it may touch therefore.
 *
 * <p>As a rule it has none and may touch everything; a retry may have some, and then the same
 * holds. An update has those of a few vertices: what belongs to them nobody else can change, so it
 * reads what was applied last; anything else it may not touch, since it could neither lock nor
 * validate it. That of an update belongs to its thread.
 */
final class LockScope {
  /** No locks, everything. */
  static final LockScope FREE = new LockScope(null, null);

  private final HeldLocks held;
  private final long[] owners; // ascending, one at least; null unless it is an update's
  private int found; // index of the owner that was asked for last

  private LockScope(HeldLocks held, long[] owners) {
    this.held = held;
    this.owners = owners;
  }

  /** That of a retry: these locks, which may be null, and everything. */
  static LockScope of(HeldLocks held) {
    return held == null ? FREE : new LockScope(held, null);
  }

  /** That of an update: the vertices whose stripes are held, and they alone. */
  static LockScope of(HeldLocks held, long... owners) {
    long[] sorted = owners.clone();
    Arrays.sort(sorted);
    return new LockScope(held, sorted);
  }

  /** The stripes of some vertices, exclusively. */
  static LockSet lockSet(Locks locks, long... owners) {
    if (owners.length == 0) {
      throw new IllegalArgumentException("an update needs a vertex to lock: owners=[]");
    }
    LockSet lockSet = new LockSet();
    for (long owner : owners) {
      long hash = KeySpace.stripeHash(KeySpace.EDGES, EdgeKey.prefix(owner));
      lockSet.add(locks.stripeOf(hash), true);
    }
    return lockSet.seal();
  }

  /** The locks, null if there are none. */
  HeldLocks held() {
    return held;
  }

  /** Whether only what is locked may be touched, and nothing need be validated therefore. */
  boolean isUpdate() {
    return owners != null;
  }

  /** Throws if a key is out of reach. */
  void require(int space, byte[] key) {
    if (owners != null
        && !(KeySpace.isOwned(space) && key.length >= Long.BYTES && has(EdgeKey.owner(key)))) {
      throw refusal(KeySpace.describe(space, key, KeySpace.successor(key)));
    }
  }

  /** Throws if a key with {@code low <= key < high} is out of reach. */
  void require(int space, byte[] low, byte[] high) {
    if (owners != null
        && !(KeySpace.isOwned(space)
            && KeySpace.isOneStripe(space, low, high)
            && has(EdgeKey.owner(low)))) {
      throw refusal(KeySpace.describe(space, low, high));
    }
  }

  /** Throws if a vertex is out of reach. */
  void requireOwner(long owner) {
    if (owners != null && !has(owner)) {
      throw refusal("vertex " + owner);
    }
  }

  /** Throws if there are limits: a total belongs to no vertex. */
  void requireTotal(int counter) {
    if (owners != null) {
      throw refusal("total " + counter);
    }
  }

  private boolean has(long owner) {
    if (owners[found] == owner) {
      return true; // many writes in a row belong to one vertex
    }
    int at = Arrays.binarySearch(owners, owner);
    found = Math.max(at, 0);
    return at >= 0;
  }

  private IllegalArgumentException refusal(String what) {
    return new IllegalArgumentException(
        "an update may only read and write the vertices that it has locked and their edges; use a"
            + " transaction for others: asked="
            + what
            + ", locked="
            + Arrays.toString(owners));
  }
}

package io.bg3.core.transaction;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.Trees;
import io.bg3.core.keyspace.Write;

/**
 * Looks up single keys for one transaction: its own writes first, then the trees at its snapshot,
 * and notes what was read. Belongs to one thread.
 */
final class PointReads {
  private final Transaction transaction;
  private final Trees trees;
  private final boolean remembersAll;

  /**
   * @param remembersAll whether values that were read are noted too, not existence alone
   */
  PointReads(Transaction transaction, Trees trees, boolean remembersAll) {
    this.transaction = transaction;
    this.trees = trees;
    this.remembersAll = remembersAll;
  }

  /** The value of a key, null if it is absent. */
  byte[] value(int space, byte[] key) {
    transaction.checkKey(space, key);
    Write own = transaction.writes().get(space, key);
    if (own != null) {
      return own.value;
    }
    if (remembersAll) {
      transaction.reads().addRange(space, key, KeySpace.successor(key));
    }
    return applied(space, key);
  }

  /** The value of an edge entry without a sort key, null if it is absent. */
  byte[] edgeValue(long owner, int tagLabel, long other, int sequence) {
    if (remembersAll) {
      return value(KeySpace.EDGES, EdgeKey.encode(owner, tagLabel, other, sequence));
    }
    byte[] key = trees.spares().edgeKey; // nobody remembers it
    EdgeKey.put(owner, tagLabel, other, sequence, key);
    return value(KeySpace.EDGES, key);
  }

  /** Whether a key is present. */
  boolean exists(int space, byte[] key) {
    transaction.checkKey(space, key);
    Write own = transaction.writes().get(space, key);
    if (own != null) {
      return own.isPut();
    }
    boolean exists = trees.exists(space, key, transaction.snapshot(), trees.spares().read);
    transaction.checkAge();
    ReadSet reads = transaction.reads();
    if (reads != null && !transaction.scope().isUpdate()) {
      reads.addExistence(space, key, exists);
    }
    return exists;
  }

  /** The value of a key in the trees; a scan that has copied its location asks for it too. */
  byte[] applied(int space, byte[] key) {
    byte[] value = trees.value(space, key, transaction.snapshot(), trees.spares().read);
    transaction.checkAge();
    return value;
  }
}

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
  private final TransactionState transaction;
  private final Trees trees;

  PointReads(TransactionState transaction, Trees trees) {
    this.transaction = transaction;
    this.trees = trees;
  }

  /** The value of a key, null if it is absent. */
  byte[] value(int space, byte[] key) {
    transaction.checkKey(space, key);
    Write own = transaction.writes().get(space, key);
    if (own != null) {
      return own.value;
    }
    if (transaction.remembersAll()) {
      transaction.reads().addRange(space, key, KeySpace.successor(key));
    }
    return applied(space, key);
  }

  /** The value of an edge entry without a sort key, null if it is absent. */
  byte[] edgeValue(long owner, int tagLabel, long other, int sequence) {
    if (transaction.remembersAll()) {
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
    boolean exists = trees.exists(space, key, transaction.snapshot(), trees.spares().version);
    transaction.checkAge();
    ReadSet reads = transaction.reads();
    if (reads != null && !transaction.scope().isUpdate()) {
      reads.addExistence(space, key, exists);
    }
    return exists;
  }

  /** The value of a key in the trees; a scan that has copied its location asks for it too. */
  byte[] applied(int space, byte[] key) {
    byte[] value = trees.value(space, key, transaction.snapshot(), trees.spares().version);
    transaction.checkAge();
    return value;
  }
}

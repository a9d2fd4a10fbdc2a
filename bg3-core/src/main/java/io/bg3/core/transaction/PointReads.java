package io.bg3.core.transaction;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.keyspace.KeySpace;
import io.bg3.core.keyspace.ReadBuffers;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.keyspace.ScannedValues;
import io.bg3.core.keyspace.Trees;
import io.bg3.core.keyspace.Write;
import io.bg3.core.value.ValueGroup;

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
    return value(space, key, trees.spares());
  }

  private byte[] value(int space, byte[] key, ReadBuffers mine) {
    transaction.checkKey(space, key);
    Write own = transaction.writes().get(space, key);
    if (own != null) {
      return own.value;
    }
    if (remembersAll) {
      transaction.reads().addKey(space, key);
    }
    return applied(space, key, mine);
  }

  /**
   * The values of many keys, null for those that are absent.
   *
   * @param keys from index 0 up to {@code count}, of a space that is one tree
   * @param into gets them at the indexes of their keys
   */
  void values(int space, byte[][] keys, int count, byte[][] into) {
    if (transaction.writes().space(space) == null) { // as a rule
      for (int i = 0; i < count; i++) {
        noteRead(space, keys[i]);
      }
      applied(space, keys, count, into);
      return;
    }
    byte[][] sought = new byte[count][];
    int[] places = new int[count];
    int asked = 0;
    for (int i = 0; i < count; i++) {
      Write own = transaction.writes().get(space, keys[i]);
      if (own != null) {
        transaction.checkKey(space, keys[i]);
        into[i] = own.value;
        continue;
      }
      noteRead(space, keys[i]);
      places[asked] = i;
      sought[asked++] = keys[i];
    }
    byte[][] found = new byte[asked][];
    applied(space, sought, asked, found);
    for (int i = 0; i < asked; i++) {
      into[places[i]] = found[i];
    }
  }

  private void noteRead(int space, byte[] key) {
    transaction.checkKey(space, key);
    if (remembersAll) {
      transaction.reads().addKey(space, key);
    }
  }

  private void applied(int space, byte[][] keys, int count, byte[][] into) {
    ReadBuffers mine = trees.spares();
    mine.tally.addLookUps(count);
    trees.values(space, keys, count, transaction.snapshot(), transaction.expiry(), mine.read, into);
    transaction.checkAge();
  }

  /** The value of an edge entry without a sort key, null if it is absent. */
  byte[] edgeValue(long owner, int tagLabel, long other, int sequence) {
    if (remembersAll) {
      return value(KeySpace.EDGES, EdgeKey.encode(owner, tagLabel, other, sequence));
    }
    ReadBuffers mine = trees.spares();
    byte[] key = mine.edgeKey; // nobody remembers it
    EdgeKey.put(owner, tagLabel, other, sequence, key);
    return value(KeySpace.EDGES, key, mine);
  }

  /** Whether a key is present. */
  boolean exists(int space, byte[] key) {
    transaction.checkKey(space, key);
    Write own = transaction.writes().get(space, key);
    if (own != null) {
      return own.isPut();
    }
    ReadSet reads = transaction.reads();
    if (reads != null && reads.knowsExistence(space, key)) {
      return true; // at the snapshot, and the commit validates that it still does
    }
    ReadBuffers mine = trees.spares();
    mine.tally.addLookUp();
    boolean exists =
        trees.exists(space, key, transaction.snapshot(), transaction.expiry(), mine.read);
    transaction.checkAge();
    if (reads != null && !transaction.scope().isUpdate()) {
      reads.addExistence(space, key, exists);
    }
    return exists;
  }

  /** The value of a key in the trees. */
  byte[] applied(int space, byte[] key) {
    return applied(space, key, trees.spares());
  }

  /**
   * Reads the large value of an entry that a scan has copied at the snapshot, and values of entries
   * that follow. The value may be at a newer place by now.
   *
   * @param index of the entry
   * @param large the values that the scan has read of this page
   * @return the index of the value in the group
   */
  int copied(int space, Entries page, int index, ScanOrder order, ScannedValues large) {
    ValueGroup group = large.group();
    int at = large.find(index);
    if (at < 0) {
      large.gather(page, index, order);
      trees.readTogether(space, group);
      at = 0;
    }
    if (!group.isThere(at)) {
      byte[] key = group.key(at);
      byte[] value = trees.storedValue(space, key, page.value(index));
      group.set(at, value == null ? applied(space, key, trees.spares()) : value);
    }
    return at;
  }

  private byte[] applied(int space, byte[] key, ReadBuffers mine) {
    mine.tally.addLookUp();
    byte[] value = trees.value(space, key, transaction.snapshot(), transaction.expiry(), mine.read);
    transaction.checkAge();
    return value;
  }
}

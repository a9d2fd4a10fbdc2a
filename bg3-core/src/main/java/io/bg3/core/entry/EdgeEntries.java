package io.bg3.core.entry;

import java.util.Arrays;

/**
 * Edge entries in columns: the key is taken apart into owner, tag and label, sort key, neighbour
 * and sequence.
 */
public final class EdgeEntries extends Entries {
  private long[] owners = {};
  private int[] tagLabels = {};
  private long[] others = {};
  private int[] sequences = {};
  private long[] sortKeys = {};

  /** Kept from the first entry that has one, like the columns of {@link Entries}. */
  private boolean hasSequences;

  /** Whether there is a column of sort keys; an entry without one has 0 there. */
  private boolean hasSortKeys;

  /** No entries. */
  public EdgeEntries() {}

  /** The vertex whose adjacency the entry belongs to. */
  public long owner(int i) {
    return owners[i];
  }

  /** Tag and label, see {@link EdgeKey#tagLabel(int, int)}. */
  public int tagLabel(int i) {
    return tagLabels[i];
  }

  /** The neighbour. */
  public long other(int i) {
    return others[i];
  }

  /** Copies neighbours of {@code count} entries from {@code i} on. */
  public void copyOthers(int i, int count, long[] into, int at) {
    System.arraycopy(others, i, into, at, count);
  }

  /** The number that tells parallel edges apart, unsigned. */
  public int sequence(int i) {
    return hasSequences ? sequences[i] : 0;
  }

  /** The sort key of an index entry; 0 for an entry of another tag. */
  public long sortKey(int i) {
    return hasSortKeys ? sortKeys[i] : 0;
  }

  /**
   * Adds an entry of any tag but that of an index.
   *
   * @param value null or empty for none; copied
   */
  public void append(
      long owner, int tagLabel, long other, int sequence, byte op, long stamp, byte[] value) {
    assert !EdgeKey.isIndex(tagLabel) : "an entry without its sort key: owner=" + owner;
    appendKey(owner, tagLabel, 0, other, sequence);
    finish(op, stamp, value, 0, value == null ? 0 : value.length);
  }

  @Override
  public boolean isCounter(int i) {
    return EdgeKey.tag(tagLabels[i]) == EdgeKey.COUNTER;
  }

  @Override
  public boolean keepsStamp(int i) {
    return EdgeKey.hasTtl(tagLabels[i]) && !Op.isTombstone(op(i));
  }

  @Override
  boolean mayGo(int i, Horizon horizon) {
    return keepsStamp(i) && horizon.lets(tagLabels[i], stamp(i), op(i));
  }

  @Override
  public byte[] key(int i) {
    return EdgeKey.isIndex(tagLabels[i])
        ? EdgeKey.encode(owners[i], tagLabels[i], sortKeys[i], others[i], sequence(i))
        : EdgeKey.encode(owners[i], tagLabels[i], others[i], sequence(i));
  }

  @Override
  public int compareKeys(int i, Entries that, int j) {
    EdgeEntries edges = (EdgeEntries) that;
    return compare(
        i,
        edges.owners[j],
        edges.tagLabels[j],
        edges.sortKey(j),
        edges.others[j],
        edges.sequence(j));
  }

  @Override
  public int compareKey(int i, byte[] key) {
    EdgeBound bound = EdgeBound.of(key);
    int order =
        compare(
            i, bound.owner(), bound.tagLabel(), bound.sortKey(), bound.other(), bound.sequence());
    return order == 0 ? Integer.compare(EdgeKey.length(tagLabels[i]), key.length) : order;
  }

  @Override
  public void clear() {
    super.clear();
    hasSequences = false;
    hasSortKeys = false;
  }

  /** Compares the entry's key with one that is taken apart. */
  private int compare(int i, long owner, int tagLabel, long sortKey, long other, int sequence) {
    int order = Long.compare(owners[i], owner);
    if (order == 0) {
      order = Integer.compareUnsigned(tagLabels[i], tagLabel);
    }
    if (order == 0 && hasSortKeys) {
      order = Long.compare(sortKeys[i], sortKey);
    }
    if (order == 0) {
      order = Long.compare(others[i], other);
    }
    return order == 0 ? Integer.compareUnsigned(sequence(i), sequence) : order;
  }

  private void appendKey(long owner, int tagLabel, long sortKey, long other, int sequence) {
    ensure(1);
    owners[count] = owner;
    tagLabels[count] = tagLabel;
    others[count] = other;
    if (hasSequences || sequence != 0) {
      sequencesForWriting()[count] = sequence;
    }
    if (hasSortKeys || EdgeKey.isIndex(tagLabel)) {
      sortKeysForWriting(count)[count] = sortKey;
    }
  }

  @Override
  void appendKey(Entries from, int i) {
    EdgeEntries edges = (EdgeEntries) from;
    appendKey(
        edges.owners[i], edges.tagLabels[i], edges.sortKey(i), edges.others[i], edges.sequence(i));
  }

  @Override
  void appendKey(byte[] key) {
    int tagLabel = key.length < EdgeKey.LENGTH ? 0 : EdgeKey.tagLabel(key);
    if (key.length != EdgeKey.length(tagLabel)) {
      throw new IllegalArgumentException(
          "an edge key has 24 bytes, or 32 with a sort key: length=" + key.length);
    }
    appendKey(
        EdgeKey.owner(key),
        tagLabel,
        EdgeKey.isIndex(tagLabel) ? EdgeKey.sortKey(key) : 0,
        EdgeKey.other(key),
        EdgeKey.sequence(key));
  }

  @Override
  void appendKeys(Entries from, int first, int end) {
    EdgeEntries edges = (EdgeEntries) from;
    int more = end - first;
    System.arraycopy(edges.owners, first, owners, count, more);
    System.arraycopy(edges.tagLabels, first, tagLabels, count, more);
    System.arraycopy(edges.others, first, others, count, more);
    if (edges.hasSequences) {
      System.arraycopy(edges.sequences, first, sequencesForWriting(), count, more);
    } else {
      zeroSequences(more);
    }
    if (edges.hasSortKeys) {
      System.arraycopy(edges.sortKeys, first, sortKeysForWriting(count), count, more);
    } else {
      zeroSortKeys(count, more);
    }
  }

  @Override
  void appendKeys(Entries from, int[] indexes, int more) {
    EdgeEntries edges = (EdgeEntries) from;
    for (int i = 0; i < more; i++) {
      owners[count + i] = edges.owners[indexes[i]];
      tagLabels[count + i] = edges.tagLabels[indexes[i]];
      others[count + i] = edges.others[indexes[i]];
    }
    if (hasSequences || edges.hasSequences) {
      int[] to = sequencesForWriting();
      for (int i = 0; i < more; i++) {
        to[count + i] = edges.sequence(indexes[i]);
      }
    }
    if (hasSortKeys || edges.hasSortKeys) {
      long[] to = sortKeysForWriting(count);
      for (int i = 0; i < more; i++) {
        to[count + i] = edges.sortKey(indexes[i]);
      }
    }
  }

  @Override
  int[] keyOrder() {
    if (count < ColumnOrder.FEWEST) {
      return super.keyOrder();
    }
    ColumnOrder order = new ColumnOrder(count);
    if (hasSequences) {
      order.byUnsigned(sequences);
    }
    order.bySigned(others);
    if (hasSortKeys) {
      order.bySigned(sortKeys);
    }
    order.byUnsigned(tagLabels);
    order.bySigned(owners);
    return order.indexes();
  }

  @Override
  void moveKey(int from, int to) {
    owners[to] = owners[from];
    tagLabels[to] = tagLabels[from];
    others[to] = others[from];
    if (hasSequences) {
      sequences[to] = sequences[from];
    }
    if (hasSortKeys) {
      sortKeys[to] = sortKeys[from];
    }
  }

  @Override
  void growKeys(int capacity) {
    owners = Arrays.copyOf(owners, capacity);
    tagLabels = Arrays.copyOf(tagLabels, capacity);
    others = Arrays.copyOf(others, capacity);
    if (hasSequences) {
      sequences = Arrays.copyOf(sequences, capacity);
    }
    if (hasSortKeys) {
      sortKeys = Arrays.copyOf(sortKeys, capacity);
    }
  }

  /** Gives {@code length} entries from index {@code count} on the same owner, tag and label. */
  public void fillRun(int offset, int length, long owner, int tagLabel) {
    Arrays.fill(owners, count + offset, count + offset + length, owner);
    Arrays.fill(tagLabels, count + offset, count + offset + length, tagLabel);
  }

  /** For bulk copies to index {@code count}, after {@link #ensure}. */
  public long[] othersForWriting() {
    return others;
  }

  /** For bulk copies to index {@code count}, after {@link #ensure}. */
  public int[] sequencesForWriting() {
    if (!hasSequences) {
      if (sequences.length < owners.length) {
        sequences = new int[owners.length];
      } else {
        Arrays.fill(sequences, 0, count, 0);
      }
      hasSequences = true;
    }
    return sequences;
  }

  /** For bulk copies to index {@code from} and further on, after {@link #ensure}. */
  public long[] sortKeysForWriting(int from) {
    if (!hasSortKeys) {
      if (sortKeys.length < owners.length) {
        sortKeys = new long[owners.length];
      } else {
        Arrays.fill(sortKeys, 0, from, 0);
      }
      hasSortKeys = true;
    }
    return sortKeys;
  }

  /** Gives {@code more} entries from index {@code from} on no sort key. */
  public void zeroSortKeys(int from, int more) {
    if (hasSortKeys) {
      Arrays.fill(sortKeys, from, from + more, 0);
    }
  }

  /** Gives {@code more} entries from index {@code count} on the sequence 0. */
  public void zeroSequences(int more) {
    if (hasSequences) {
      Arrays.fill(sequences, count, count + more, 0);
    }
  }

  boolean hasSequences() {
    return hasSequences;
  }
}

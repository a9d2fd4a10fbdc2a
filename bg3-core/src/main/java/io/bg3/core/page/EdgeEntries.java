package io.bg3.core.page;

import java.util.Arrays;

/**
 * Edge entries in columns: the key is taken apart into owner, tag and label, neighbour and
 * sequence.
 */
public final class EdgeEntries extends Entries {
  private long[] owners = {};
  private int[] tagLabels = {};
  private long[] others = {};
  private int[] sequences = {};

  /** Kept from the first entry that has one, like the columns of {@link Entries}. */
  private boolean hasSequences;

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

  /** What tells parallel edges apart, unsigned. */
  public int sequence(int i) {
    return hasSequences ? sequences[i] : 0;
  }

  /**
   * Adds an entry.
   *
   * @param value null or empty for none; copied
   */
  public void append(
      long owner, int tagLabel, long other, int sequence, byte op, long stamp, byte[] value) {
    appendKey(owner, tagLabel, other, sequence);
    finish(op, stamp, value, 0, value == null ? 0 : value.length);
  }

  @Override
  public byte[] key(int i) {
    return EdgeKey.encode(owners[i], tagLabels[i], others[i], sequence(i));
  }

  @Override
  public int compareKeys(int i, Entries that, int j) {
    EdgeEntries edges = (EdgeEntries) that;
    return compare(i, edges.owners[j], edges.tagLabels[j], edges.others[j], edges.sequence(j));
  }

  @Override
  public int compareKey(int i, byte[] key) {
    EdgeBound bound = EdgeBound.of(key);
    int order = compare(i, bound.owner(), bound.tagLabel(), bound.other(), bound.sequence());
    return order == 0 ? Integer.compare(EdgeKey.LENGTH, key.length) : order;
  }

  @Override
  public void clear() {
    super.clear();
    hasSequences = false;
  }

  /** Compares the entry's key with one that is taken apart. */
  int compare(int i, long owner, int tagLabel, long other, int sequence) {
    int order = Long.compare(owners[i], owner);
    if (order == 0) {
      order = Integer.compareUnsigned(tagLabels[i], tagLabel);
    }
    if (order == 0) {
      order = Long.compare(others[i], other);
    }
    return order == 0 ? Integer.compareUnsigned(sequence(i), sequence) : order;
  }

  void appendKey(long owner, int tagLabel, long other, int sequence) {
    ensure(1);
    owners[count] = owner;
    tagLabels[count] = tagLabel;
    others[count] = other;
    if (hasSequences || sequence != 0) {
      sequencesForWriting()[count] = sequence;
    }
  }

  @Override
  void appendKey(Entries from, int i) {
    EdgeEntries edges = (EdgeEntries) from;
    appendKey(edges.owners[i], edges.tagLabels[i], edges.others[i], edges.sequence(i));
  }

  @Override
  void appendKey(byte[] key) {
    if (key.length != EdgeKey.LENGTH) {
      throw new IllegalArgumentException("an edge key has 24 bytes: length=" + key.length);
    }
    appendKey(EdgeKey.owner(key), EdgeKey.tagLabel(key), EdgeKey.other(key), EdgeKey.sequence(key));
  }

  @Override
  void moveKey(int from, int to) {
    owners[to] = owners[from];
    tagLabels[to] = tagLabels[from];
    others[to] = others[from];
    if (hasSequences) {
      sequences[to] = sequences[from];
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
  }

  /** Gives {@code length} entries from index {@code count} on the same owner, tag and label. */
  void fillRun(int offset, int length, long owner, int tagLabel) {
    Arrays.fill(owners, count + offset, count + offset + length, owner);
    Arrays.fill(tagLabels, count + offset, count + offset + length, tagLabel);
  }

  /** For bulk copies to index {@code count}, after {@link #ensure}. */
  long[] othersForWriting() {
    return others;
  }

  /** For bulk copies to index {@code count}, after {@link #ensure}. */
  int[] sequencesForWriting() {
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

  /** Gives {@code more} entries from index {@code count} on the sequence 0. */
  void zeroSequences(int more) {
    if (hasSequences) {
      Arrays.fill(sequences, count, count + more, 0);
    }
  }

  boolean hasSequences() {
    return hasSequences;
  }
}

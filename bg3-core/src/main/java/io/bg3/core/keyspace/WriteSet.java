package io.bg3.core.keyspace;

import java.util.ArrayList;
import java.util.List;

/** All buffered writes of one transaction. Belongs to one thread. */
public final class WriteSet {
  /** That of every transaction that only reads. */
  public static final WriteSet NONE = new WriteSet();

  private final List<SpaceWrites> spaces = new ArrayList<>(2); // ascending
  private long now;

  /** The last moment at which a cursor was opened that shows what is removed later. */
  private long kept = -1;

  private long stamp; // 0 before the point of no return

  /** The commit of these writes has this timestamp and its place in the log. */
  public void issued(long timestamp) {
    assert this != NONE : "a transaction that only reads commits nothing";
    stamp = timestamp;
  }

  /** The commit's timestamp; 0 if nothing has happened. */
  public long stamp() {
    return stamp;
  }

  /** Buffers a put, or a removal if {@code value} is null. */
  public void add(int space, byte[] key, byte[] value) {
    ofSpace(space).add(key, value, ++now, false, kept);
  }

  /** Buffers a put of a key that was absent at the snapshot ({@link Write#isNew}). */
  public void addNew(int space, byte[] key, byte[] value) {
    ofSpace(space).add(key, value, ++now, true, kept);
  }

  /** Buffers removals of keys that ascend, no two alike; one after the other, but in one pass. */
  public void removeKeys(int space, List<byte[]> keys) {
    if (!keys.isEmpty()) {
      ofSpace(space).removeKeys(keys, now + 1, kept);
      now += keys.size();
    }
  }

  /** Buffers writes to keys that have none so far, ascending. */
  public void addAll(int space, List<Write> more) {
    if (!more.isEmpty()) {
      ofSpace(space).addAll(more);
    }
  }

  /** Takes buffered writes back where there are some, by their keys, ascending. */
  public void removeAll(int space, Iterable<byte[]> keys) {
    SpaceWrites writes = space(space);
    if (writes != null) {
      now++; // a cursor looks again
      writes.removeAll(keys);
      if (writes.count() == 0) {
        spaces.remove(writes); // a log record has no empty spaces
      }
    }
  }

  /**
   * Number of writes so far, those that were replaced and withdrawn included: the time by which
   * cursors tell old writes from new.
   */
  public long now() {
    return now;
  }

  /**
   * This moment, for a cursor that shows later what was there now ({@link Write#asOf}): from now on
   * a write that puts or removes what is there keeps the write before it.
   */
  public long keepNow() {
    if (this != NONE) {
      kept = now;
    }
    return now;
  }

  /** Whether no key is written. */
  public boolean isEmpty() {
    return spaces.isEmpty();
  }

  /** The buffered write of a key, null if there is none. */
  public Write get(int space, byte[] key) {
    SpaceWrites writes = space(space);
    return writes == null ? null : writes.get(key);
  }

  /** The writes of a space, null if there are none. */
  public SpaceWrites space(int space) {
    for (int i = 0; i < spaces.size(); i++) {
      if (spaces.get(i).space == space) {
        return spaces.get(i);
      }
    }
    return null;
  }

  /** The spaces with writes, ascending. */
  public List<SpaceWrites> spaces() {
    return spaces;
  }

  /** Number of keys that are written, in all spaces. */
  public int count() {
    int count = 0;
    for (SpaceWrites writes : spaces) {
      count += writes.count();
    }
    return count;
  }

  private SpaceWrites ofSpace(int space) {
    assert this != NONE : "a transaction that only reads writes nothing: space=" + space;
    int i = 0;
    while (i < spaces.size() && spaces.get(i).space < space) {
      i++;
    }
    if (i < spaces.size() && spaces.get(i).space == space) {
      return spaces.get(i);
    }
    SpaceWrites writes = new SpaceWrites(space);
    spaces.add(i, writes);
    return writes;
  }
}

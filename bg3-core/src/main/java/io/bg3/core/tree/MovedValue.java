package io.bg3.core.tree;

import io.bg3.storage.extent.Location;
import java.util.Arrays;
import java.util.Comparator;

/**
 * A large value that may be moved from one extent to another. Belongs to the thread that moves it.
 */
public final class MovedValue {
  /** By the keys of the entries, as trees sort them. */
  public static final Comparator<MovedValue> BY_KEY =
      (a, b) -> Arrays.compareUnsigned(a.key, b.key);

  private final byte[] key;
  private final long from;
  private long copy = Location.NONE;
  private boolean wanted;
  private boolean moved;

  /**
   * A value as its record tells.
   *
   * @param key of the entry that may refer to it
   * @param from where the record lies
   */
  public MovedValue(byte[] key, long from) {
    this.key = key.clone();
    this.from = from;
  }

  byte[] key() {
    return key;
  }

  /** Where the record lies. */
  public long from() {
    return from;
  }

  /** Whether an entry refers to the value, so that it is worth a copy. */
  public boolean isWanted() {
    return wanted;
  }

  void setWanted() {
    wanted = true;
  }

  /** Says where a copy of the record lies. */
  public void copiedTo(long location) {
    copy = location;
  }

  /** Whether there is a copy. */
  public boolean isCopied() {
    return copy != Location.NONE;
  }

  /** Where the copy lies. */
  public long copy() {
    return copy;
  }

  /** Whether an entry refers to the copy. */
  public boolean isMoved() {
    return moved;
  }

  void setMoved() {
    moved = true;
  }
}

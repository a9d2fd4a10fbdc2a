package io.bg3.core.entry;

import java.util.Arrays;

/**
 * How long the edges live whose labels have a time to live (R13). The label of such an edge has
 * {@link EdgeKey#TTL} set, so a page knows without this table which of its stamps it has to keep.
 *
 * <p>A label is here before its code can be found, and its time never changes: what was read once
 * is right for ever. Threads: any; {@link #put} excludes others.
 */
public final class Lifetimes {
  private volatile long[] millis = {};
  private volatile long[] ofFamilies = {};

  /** A table without labels. */
  public Lifetimes() {}

  /** Whether no label has a time to live. */
  public boolean isEmpty() {
    return millis.length == 0;
  }

  /** Says how long the edges with a label live, in milliseconds. */
  public synchronized void put(int label, long time) {
    assert EdgeKey.hasTtl(label) && time > 0 : "label=" + label + ", millis=" + time;
    int index = index(label);
    long[] now = Arrays.copyOf(millis, Math.max(millis.length, index + 1));
    now[index] = time;
    millis = now;
  }

  /** Says how long all edges of a family of labels live, in milliseconds. */
  public synchronized void putFamily(int family, long time) {
    long[] now = Arrays.copyOf(ofFamilies, Math.max(ofFamilies.length, family + 1));
    now[family] = time;
    ofFamilies = now;
  }

  /** How long all edges of a family live, in milliseconds; 0 if nothing is known of it. */
  public long ofFamily(int family) {
    long[] now = ofFamilies;
    return family < now.length ? now[family] : 0;
  }

  /**
   * How long the edges with a label live, in milliseconds.
   *
   * @param tagLabel a label that has a time to live, with or without a tag
   * @return {@link Long#MAX_VALUE} if nothing is known of the label
   */
  public long millis(int tagLabel) {
    long[] now = millis;
    int index = index(tagLabel);
    return index < now.length && now[index] > 0 ? now[index] : Long.MAX_VALUE;
  }

  /** Whether a label, or that in a tag and label, has a time to live. */
  public boolean has(int tagLabel) {
    return EdgeKey.hasTtl(tagLabel) && millis(tagLabel) != Long.MAX_VALUE;
  }

  private static int index(int tagLabel) {
    return EdgeKey.number(tagLabel);
  }
}

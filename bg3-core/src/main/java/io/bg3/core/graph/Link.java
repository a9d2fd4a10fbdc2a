package io.bg3.core.graph;

import io.bg3.core.record.PropertyView;

/**
 * A link: the one edge with an ordered label from one vertex to another that {@link Links} deals
 * with. Belongs to one thread.
 */
public final class Link {
  private final PropertyView properties = new PropertyView();
  private long source;
  private long target;
  private long sortKey;
  private boolean visible;

  Link() {}

  Link set(long from, long to, long key, boolean isVisible, byte[] record) {
    source = from;
    target = to;
    sortKey = key;
    visible = isVisible;
    properties.on(record);
    return this;
  }

  /** A visible link whose record stands in a part of an array. */
  Link set(long from, long to, long key, byte[] array, int start, int length) {
    source = from;
    target = to;
    sortKey = key;
    visible = true;
    properties.on(array, start, length);
    return this;
  }

  /** Internal id of the vertex that it leaves. */
  public long source() {
    return source;
  }

  /** Internal id of the vertex that it enters, which need not exist if the label is loose. */
  public long target() {
    return target;
  }

  /** The value of the property by which the label is ordered. */
  public long sortKey() {
    return sortKey;
  }

  /** Whether it is an edge like any other; false: it is kept for {@link Links#get} alone. */
  public boolean isVisible() {
    return visible;
  }

  /** Its other properties. */
  public PropertyView properties() {
    return properties;
  }
}

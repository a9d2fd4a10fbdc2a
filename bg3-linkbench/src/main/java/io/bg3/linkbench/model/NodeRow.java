package io.bg3.linkbench.model;

import java.util.Arrays;

/**
 * A node: typed, with a payload. Its id is unique among all types.
 *
 * <p>Immutable; the payload is not copied and must not be changed by anybody.
 */
public final class NodeRow {
  private final long id;
  private final int type;
  private final long version;
  private final int time;
  private final byte[] data;

  /** A node with all its fields; a store that is to add it ignores the id and allocates one. */
  public NodeRow(long id, int type, long version, int time, byte[] data) {
    this.id = id;
    this.type = type;
    this.version = version;
    this.time = time;
    this.data = data;
  }

  /** The id of the node. */
  public long id() {
    return id;
  }

  /** Its type. */
  public int type() {
    return type;
  }

  /** A number that means nothing to the store. */
  public long version() {
    return version;
  }

  /** Seconds since 1970, which mean nothing to the store either. */
  public int time() {
    return time;
  }

  /** Up to a mebibyte of any value. */
  public byte[] data() {
    return data;
  }

  /** This node under another id. */
  public NodeRow withId(long other) {
    return new NodeRow(other, type, version, time, data);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NodeRow node
        && id == node.id
        && type == node.type
        && version == node.version
        && time == node.time
        && Arrays.equals(data, node.data);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(id) * 31 + Long.hashCode(version + time);
  }

  @Override
  public String toString() {
    return "node[id="
        + id
        + ", type="
        + type
        + ", version="
        + version
        + ", time="
        + time
        + ", data="
        + Arrays.toString(data)
        + "]";
  }
}

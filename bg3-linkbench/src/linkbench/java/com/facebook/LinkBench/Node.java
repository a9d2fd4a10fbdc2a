package com.facebook.LinkBench;

import java.util.Arrays;

/** A node with public fields. */
public class Node {
  public long id;
  public int type;
  public long version;
  public int time;
  public byte[] data;

  public Node(long id, int type, long version, int time, byte[] data) {
    this.id = id;
    this.type = type;
    this.version = version;
    this.time = time;
    this.data = data;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Node node
        && id == node.id
        && type == node.type
        && version == node.version
        && time == node.time
        && Arrays.equals(data, node.data);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(id);
  }
}

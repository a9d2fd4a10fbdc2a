package com.facebook.LinkBench;

import java.util.Arrays;

/** A link with public fields. */
public class Link {
  public long id1;
  public long id2;
  public long link_type;
  public byte visibility;
  public int version;
  public long time;
  public byte[] data;

  public Link(
      long id1, long link_type, long id2, byte visibility, byte[] data, int version, long time) {
    this.id1 = id1;
    this.link_type = link_type;
    this.id2 = id2;
    this.visibility = visibility;
    this.data = data;
    this.version = version;
    this.time = time;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Link link
        && id1 == link.id1
        && id2 == link.id2
        && link_type == link.link_type
        && visibility == link.visibility
        && version == link.version
        && time == link.time
        && Arrays.equals(data, link.data);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(id1 + 31 * id2);
  }
}

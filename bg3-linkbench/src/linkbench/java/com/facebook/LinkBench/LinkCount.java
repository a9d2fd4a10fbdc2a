package com.facebook.LinkBench;

/** How many visible links there are of a node and type. */
public class LinkCount {
  public final long id1;
  public final long link_type;
  public long time;
  public long version;
  public long count;

  public LinkCount(long id1, long link_type, long time, long version, long init_count) {
    this.id1 = id1;
    this.link_type = link_type;
    this.time = time;
    this.version = version;
    this.count = init_count;
  }
}

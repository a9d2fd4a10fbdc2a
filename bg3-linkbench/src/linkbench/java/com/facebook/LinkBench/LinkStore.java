package com.facebook.LinkBench;

import java.util.List;
import java.util.Properties;

/** A store of links. */
public abstract class LinkStore {
  public static final long DEFAULT_LINK_TYPE = 123456789;
  public static final long MAX_ID2 = Long.MAX_VALUE;
  public static final int DEFAULT_NODE_TYPE = 2048;
  public static final byte VISIBILITY_HIDDEN = 0;
  public static final byte VISIBILITY_DEFAULT = 1;
  public static final int DEFAULT_LIMIT = 10000;
  public static final long MAX_LINK_DATA = 255;

  protected int rangeLimit = DEFAULT_LIMIT;

  public LinkStore() {}

  public int getRangeLimit() {
    return rangeLimit;
  }

  public void setRangeLimit(int rangeLimit) {
    this.rangeLimit = rangeLimit;
  }

  public abstract void initialize(Properties p, Phase currentPhase, int threadId) throws Exception;

  public abstract void close();

  public abstract void clearErrors(int threadID);

  public abstract boolean addLink(String dbid, Link a, boolean noinverse) throws Exception;

  public abstract boolean deleteLink(
      String dbid, long id1, long link_type, long id2, boolean noinverse, boolean expunge)
      throws Exception;

  public abstract boolean updateLink(String dbid, Link a, boolean noinverse) throws Exception;

  public abstract Link getLink(String dbid, long id1, long link_type, long id2) throws Exception;

  public Link[] multigetLinks(String dbid, long id1, long link_type, long[] id2s)
      throws Exception {
    throw new UnsupportedOperationException();
  }

  public abstract Link[] getLinkList(String dbid, long id1, long link_type) throws Exception;

  public abstract Link[] getLinkList(
      String dbid,
      long id1,
      long link_type,
      long minTimestamp,
      long maxTimestamp,
      int offset,
      int limit)
      throws Exception;

  public abstract long countLinks(String dbid, long id1, long link_type) throws Exception;

  public int bulkLoadBatchSize() {
    return 0;
  }

  public void addBulkLinks(String dbid, List<Link> a, boolean noinverse) throws Exception {
    throw new UnsupportedOperationException();
  }

  public void addBulkCounts(String dbid, List<LinkCount> a) throws Exception {
    throw new UnsupportedOperationException();
  }
}

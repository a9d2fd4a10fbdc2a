package com.facebook.LinkBench;

import java.util.List;

/** A store of links and nodes. */
public abstract class GraphStore extends LinkStore implements NodeStore {
  public GraphStore() {}

  @Override
  public long[] bulkAddNodes(String dbid, List<Node> nodes) throws Exception {
    throw new UnsupportedOperationException();
  }
}

package com.facebook.LinkBench;

import java.util.List;
import java.util.Properties;

/** A store of nodes. */
public interface NodeStore {
  long MAX_NODE_DATA = 1024 * 1024;

  void initialize(Properties p, Phase currentPhase, int threadId) throws Exception;

  void resetNodeStore(String dbid, long startID) throws Exception;

  long addNode(String dbid, Node node) throws Exception;

  long[] bulkAddNodes(String dbid, List<Node> nodes) throws Exception;

  int bulkLoadBatchSize();

  Node getNode(String dbid, int type, long id) throws Exception;

  boolean updateNode(String dbid, Node node) throws Exception;

  boolean deleteNode(String dbid, int type, long id) throws Exception;

  void clearErrors(int loaderId);

  void close();
}

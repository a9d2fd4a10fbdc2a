package io.bg3.linkbench.workload;

/** The operations that are measured, by the names that LinkBench prints, in its order. */
public enum Operation {
  ADD_NODE,
  UPDATE_NODE,
  DELETE_NODE,
  GET_NODE,
  ADD_LINK,
  DELETE_LINK,
  UPDATE_LINK,
  COUNT_LINK,
  MULTIGET_LINK,
  GET_LINKS_LIST,
  LOAD_NODE_BULK,
  LOAD_LINKS_BULK,
  LOAD_COUNTS_BULK
}

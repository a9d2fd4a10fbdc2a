package io.bg3.gremlin.process.traversal.step.util;

/**
 * A step that finds elements by an index, or by reading all, and says for logs which it has done.
 */
public interface AccessHolder {
  /**
   * How this step has found its elements: {@code index=} and the names of the indexes, or {@code
   * scan=} and what it has read as a whole; null if it has not, or has looked them up by their ids.
   */
  String access();
}

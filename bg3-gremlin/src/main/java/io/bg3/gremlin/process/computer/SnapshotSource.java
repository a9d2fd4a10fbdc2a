package io.bg3.gremlin.process.computer;

import org.apache.tinkerpop.gremlin.structure.Graph;

/** A graph that gives snapshots of itself to computations. */
public interface SnapshotSource {
  /**
   * Opens a snapshot of what is committed now.
   *
   * @throws IllegalStateException if the calling thread has changes in this graph that are not
   *     committed, which the snapshot would not show; or if the graph is closed
   */
  GraphSnapshot openSnapshot();

  /** The graph itself, to which computed values are written. */
  Graph original();

  /** Ends what the calling thread may have begun in the graph, without its changes. */
  void forgetThread();
}

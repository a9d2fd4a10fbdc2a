package io.bg3.linkbench.model;

import java.util.List;

/**
 * One thread's way to a store: the operations of LinkBench. Each is atomic, and is durable when it
 * returns as far as the store promises that. A conflict with another session that passes is retried
 * inside.
 *
 * <p>All of them throw {@link LinkStoreException} when they cannot be done; the session can be used
 * again then.
 *
 * <p>Threads: one.
 */
public interface LinkSession extends AutoCloseable {
  /**
   * Adds a link or replaces all its fields; the count follows.
   *
   * @return whether there was none with these ends and type, visible or hidden
   */
  boolean addLink(LinkRow link);

  /**
   * Hides a link, or removes it; the count follows if it was visible.
   *
   * @param expunge whether to remove it
   * @return whether it was there, visible or hidden
   */
  boolean deleteLink(long id1, long type, long id2, boolean expunge);

  /** A link, also a hidden one; null if there is none. */
  LinkRow link(long id1, long type, long id2);

  /** Those links that are there, also hidden ones, in any order. */
  LinkRow[] links(long id1, long type, long... id2s);

  /**
   * The visible links with a time in a closed interval, newest first.
   *
   * @param offset how many to leave out first
   * @param limit how many at most
   * @return an array that may be empty
   */
  LinkRow[] linkList(long id1, long type, long minTime, long maxTime, int offset, int limit);

  /** The number of visible links. */
  long countLinks(long id1, long type);

  /** The largest batch for {@link #addLinks}, {@link #setCounts} and {@link #addNodes}; from 1. */
  int batchSize();

  /** Adds links without touching the counts; some may be there already, or be there twice. */
  void addLinks(List<LinkRow> links);

  /** Sets the counts of links that were added by {@link #addLinks}. */
  void setCounts(List<CountRow> counts);

  /** Removes all nodes; the next one gets this id. Links stay. */
  void resetNodes(long nextId);

  /**
   * Adds nodes under the next ids.
   *
   * @return their ids, in the order of the nodes
   */
  long[] addNodes(List<NodeRow> nodes);

  /** A node, null if there is none with this id or if it has another type. */
  NodeRow node(int type, long id);

  /** Replaces version, time and data of the node with this id and type; false if there is none. */
  boolean updateNode(NodeRow node);

  /** Removes a node; false if there is none with this id and type. Links stay. */
  boolean deleteNode(int type, long id);

  /** Lets go of what the session holds, and takes it up again: after an error. */
  void reset();

  @Override
  void close();
}

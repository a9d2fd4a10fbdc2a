package io.bg3.batch;

/**
 * The operations of a batch, one method for each. A client calls them to build a {@link
 * BatchRequest}; a {@link RequestDecoder} calls them for each operation that it reads.
 *
 * <p>A link is an edge with a declared label that has a sort key; there is at most one from a
 * source to a target. Ids are those of vertices that have a number for an id.
 */
public interface BatchOperations {
  /**
   * Adds a link, or replaces its sort key, visibility and properties. Answer: {@link
   * BatchAnswer#priorState}.
   *
   * @param sortKey its place in the order of the source's links
   * @param visible whether {@link #listLinks} and {@link #countLinks} see it
   */
  void addLink(
      String label,
      long source,
      long target,
      long sortKey,
      boolean visible,
      BatchProperties properties);

  /**
   * Hides or removes a link. Answer: {@link BatchAnswer#priorState}.
   *
   * @param expunge true removes it, false hides it
   */
  void deleteLink(String label, long source, long target, boolean expunge);

  /** Reads the links to some targets, hidden ones included. Answer: {@link BatchAnswer#links}. */
  void getLinks(String label, long source, long... targets);

  /**
   * Reads visible links in the order of their sort keys. Answer: {@link BatchAnswer#links}.
   *
   * @param low the smallest sort key, inclusive
   * @param high the largest sort key, inclusive
   * @param descending whether the largest comes first
   * @param offset how many links to leave out first, at least 0
   * @param limit how many links to read after those, at least 0
   */
  void listLinks(
      String label, long source, long low, long high, boolean descending, int offset, int limit);

  /** Counts the visible links of a source. Answer: {@link BatchAnswer#number}. */
  void countLinks(String label, long source);

  /** Adds a node. Answer: its id, {@link BatchAnswer#number}. */
  void addNode(String label, BatchProperties properties);

  /** Reads a node. Answer: {@link BatchAnswer#node}. */
  void getNode(String label, long id);

  /** Sets properties of a node. Answer: {@link BatchAnswer#existed}. */
  void updateNode(String label, long id, BatchProperties properties);

  /** Removes a node. Answer: {@link BatchAnswer#existed}. */
  void deleteNode(String label, long id);
}

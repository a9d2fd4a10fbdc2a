package io.bg3.core.graph;

import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.LinkState;
import io.bg3.core.record.PropertyBytes;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.tree.LeafPrefetch;
import java.util.Arrays;
import java.util.List;

/**
 * Links of one transaction: edges with an ordered label of which there is one from a source to a
 * target, as association lists have them. Written and read by codes and bytes, with no object for
 * each property.
 *
 * <p>A link is <i>visible</i>, an edge like any other, or <i>hidden</i>: then it keeps all it has
 * and nothing shows it but {@link #get}. Where the label became ordered when it had edges, all
 * links are visible. All vertices are internal ids. Links that are written here can be read by
 * {@link GraphTransaction} and the other way round, except that only the edge with sequence 0
 * between two vertices is a link: {@link GraphTransaction#addEdge} adds parallel ones.
 *
 * <p>Methods throw IllegalArgumentException for a label that is not ordered. Threads: those that
 * may use the transaction.
 */
public final class Links {
  private final GraphTransaction graph;
  private final Transaction transaction;
  private final Edges edges;
  private final EdgeLinks links;
  private final Runnable changing;

  /**
   * @param changing told before anything is changed
   */
  Links(
      GraphTransaction graph,
      Transaction transaction,
      Edges edges,
      EdgeLinks links,
      Runnable changing) {
    this.graph = graph;
    this.transaction = transaction;
    this.edges = edges;
    this.links = links;
    this.changing = changing;
  }

  /**
   * Adds a link, or replaces all that the one there has.
   *
   * @param properties without the one that the sort key is
   * @return what was there before
   * @throws IllegalArgumentException if it would be hidden, and the label became ordered when it
   *     had edges: these are all visible
   * @throws MissingElementException if the link becomes visible, its label is not loose and one of
   *     its ends does not exist
   */
  public LinkState put(
      EdgeLabel label,
      long source,
      long target,
      long sortKey,
      boolean visible,
      PropertyBytes properties) {
    if (properties.has(label.sortKeyCode())) {
      throw new IllegalArgumentException(
          "pass the sort key separately, not as a property: label=" + label.name());
    }
    EdgeId edge = edge(label, source, target);
    synchronized (graph) {
      changing.run();
      return links.put(label, edge, sortKey, visible, properties.record());
    }
  }

  /** Writes the links of a batch, as {@link #put} does one after the other. */
  void putAll(LinkBatch batch) {
    synchronized (graph) {
      changing.run();
      List<LinkBatch.Entry> written = batch.inOrder();
      if (written.stream().allMatch(link -> link.label().isLoose() && link.label().isOrdered())) {
        edges.ordered().putAll(written);
        return;
      }
      for (LinkBatch.Entry link : written) {
        EdgeId edge = new EdgeId(link.source(), link.label().code(), link.target(), 0);
        links.put(link.label(), edge, link.sortKey(), link.visible(), link.record());
      }
    }
  }

  /**
   * Makes a visible link hidden; everything else of it stays.
   *
   * @return what it was before
   * @throws IllegalArgumentException if the label became ordered when it had edges
   */
  public LinkState hide(EdgeLabel label, long source, long target) {
    EdgeId edge = edge(label, source, target);
    synchronized (graph) {
      changing.run();
      return links.hide(label, edge);
    }
  }

  /**
   * Removes a link, visible or hidden.
   *
   * @return what it was before
   */
  public LinkState expunge(EdgeLabel label, long source, long target) {
    EdgeId edge = edge(label, source, target);
    synchronized (graph) {
      changing.run();
      return links.expunge(label, edge);
    }
  }

  /** The link, visible or hidden; null if there is none. */
  public Link get(EdgeLabel label, long source, long target) {
    EdgeId edge = edge(label, source, target);
    synchronized (graph) {
      return links.read(label, edge, new Link());
    }
  }

  /**
   * Says that {@link #get} is about to be asked for these links, so that they are read together.
   */
  public void prefetch(EdgeLabel label, long source, long... targets) {
    requireOrdered(label);
    synchronized (graph) {
      transaction.prefetchEdges(source, EdgeTags.out(label.code()), targets);
    }
  }

  /**
   * Says that the links of a long list are asked for by {@link #get}, one after the other, and
   * which is the next one; called for each. Every so often it announces the next ones, as {@link
   * #prefetch} does.
   *
   * @param next its index
   */
  public void prefetchNext(EdgeLabel label, long source, int next, long... targets) {
    if (Math.floorMod(next, LeafPrefetch.TOGETHER) == 0) {
      int end = Math.min(targets.length, next + LeafPrefetch.TOGETHER);
      prefetch(label, source, Arrays.copyOfRange(targets, next, end));
    }
  }

  /**
   * The visible links of a source, or some of them. As many are read as are asked for and skipped,
   * however many there are.
   *
   * @param low smallest sort key, included
   * @param high largest sort key, included
   * @param order which of them comes first
   * @param offset how many are skipped
   * @param limit how many come at most
   * @return to be closed
   * @throws IllegalArgumentException if the order is being built, or was at the snapshot
   */
  public LinkScan list(
      EdgeLabel label, long source, long low, long high, SortOrder order, long offset, int limit) {
    requireSorted(label, transaction.snapshot());
    requireRange(offset, limit);
    boolean descending = label.isDescending();
    boolean forward = descending == (order == SortOrder.DESCENDING);
    synchronized (graph) {
      edges.orders().flush();
      EdgeCursor entries =
          transaction.sortedEdges(
              source,
              EdgeTags.index(label.code()),
              label.sorted(descending ? high : low),
              label.sorted(descending ? low : high),
              forward ? ScanOrder.FORWARD : ScanOrder.BACKWARD,
              (int) Math.min(Integer.MAX_VALUE, Math.max(1, offset + limit)));
      return new LinkScan(
          graph,
          label,
          AddedOrderCursor.of(entries, transaction, label),
          offset,
          low > high ? 0 : limit);
    }
  }

  /**
   * The number of visible links of a source, or of edges, where the label is not ordered. Read from
   * the counter; found by a scan while the counters are being built, and at a snapshot from before.
   *
   * @throws IllegalArgumentException if the label is not counted
   */
  public long count(EdgeLabel label, long source) {
    requireCounted(label);
    if (!label.isCounted(transaction.snapshot())) {
      return graph.countEdges(source, EdgeDirection.OUT, false, () -> {}, label.name());
    }
    synchronized (graph) {
      return transaction.count(source, label.code());
    }
  }

  private static EdgeId edge(EdgeLabel label, long source, long target) {
    requireOrdered(label);
    return new EdgeId(source, label.code(), target, 0);
  }

  static void requireOrdered(EdgeLabel label) {
    if (!label.takesLinks()) {
      throw new IllegalArgumentException(
          "the label has no sort key"
              + (label.added() == null
                  ? "; declare it with one by bg3.links.declare or bg3.schema.define: label="
                  : " until BG3 has verified that each edge has it; ask again when bg3.schema.list"
                      + " shows order=building or ready: label=")
              + label.name());
    }
  }

  static void requireSorted(EdgeLabel label, long snapshot) {
    requireOrdered(label);
    if (!label.isSorted(snapshot)) {
      throw new IllegalArgumentException(
          "the order of the label was not ready when the transaction began; ask again in a new"
              + " transaction when bg3.schema.list shows order=ready: label="
              + label.name());
    }
  }

  static void requireCounted(EdgeLabel label) {
    if (!label.keepsCounters()) {
      throw new IllegalArgumentException(
          "the edges with the label are not counted; "
              + (label.hasTtl()
                  ? "those with a time to live cannot be, "
                  : "declare it as counted by bg3.links.declare or bg3.schema.define, or ")
              + "count its edges by a traversal: label="
              + label.name());
    }
  }

  /**
   * Refuses what is no part of a list.
   *
   * @throws IllegalArgumentException if one of the two is negative
   */
  public static void requireRange(long offset, int limit) {
    if (offset < 0 || limit < 0) {
      throw new IllegalArgumentException(
          "offset and limit must not be negative: offset=" + offset + ", limit=" + limit);
    }
  }
}

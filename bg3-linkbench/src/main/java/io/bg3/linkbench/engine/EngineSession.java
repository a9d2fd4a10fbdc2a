package io.bg3.linkbench.engine;

import io.bg3.core.graph.EdgeLabel;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.Link;
import io.bg3.core.graph.LinkBatch;
import io.bg3.core.graph.LinkScan;
import io.bg3.core.graph.LinkState;
import io.bg3.core.graph.PropertyBytes;
import io.bg3.core.graph.PropertyView;
import io.bg3.core.graph.SortOrder;
import io.bg3.linkbench.model.CountRow;
import io.bg3.linkbench.model.LinkRow;
import io.bg3.linkbench.model.LinkSession;
import io.bg3.linkbench.model.LinkStoreException;
import io.bg3.linkbench.model.NodeRow;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One thread's way into the store. Writes are updates under the lock of the node they belong to:
 * they never conflict, and who comes late waits.
 */
final class EngineSession implements LinkSession {
  private static final int BATCH = 4_096;

  private final EngineDatabase database;
  private final GraphStore graph;
  private final Nodes nodes;
  private final PropertyBytes properties = new PropertyBytes();
  private final LinkBatch batch = new LinkBatch();

  EngineSession(EngineDatabase database) {
    this.database = database;
    this.graph = database.graph();
    this.nodes = new Nodes(database);
  }

  @Override
  public boolean addLink(LinkRow link) {
    return done(
        "add a link",
        () -> {
          EdgeLabel label = database.label(link.type());
          encode(link);
          return graph.update(
                  link.id1(),
                  transaction ->
                      transaction
                          .links()
                          .put(
                              label,
                              link.id1(),
                              link.id2(),
                              link.time(),
                              link.isVisible(),
                              properties))
              == LinkState.ABSENT;
        });
  }

  @Override
  public boolean deleteLink(long id1, long type, long id2, boolean expunge) {
    EdgeLabel label = database.knownLabel(type);
    return label != null
        && done(
            "delete a link",
            () ->
                graph.update(
                        id1,
                        transaction ->
                            expunge
                                ? transaction.links().expunge(label, id1, id2)
                                : transaction.links().hide(label, id1, id2))
                    != LinkState.ABSENT);
  }

  @Override
  public LinkRow link(long id1, long type, long id2) {
    return read(
        type,
        null,
        (transaction, label) -> {
          Link link = transaction.links().get(label, id1, id2);
          return link == null ? null : row(link, type);
        });
  }

  @Override
  public LinkRow[] links(long id1, long type, long... id2s) {
    return read(
        type,
        new LinkRow[0],
        (transaction, label) -> {
          List<LinkRow> rows = new ArrayList<>(id2s.length);
          for (long id2 : id2s) {
            Link link = transaction.links().get(label, id1, id2);
            if (link != null) {
              rows.add(row(link, type));
            }
          }
          return rows.toArray(LinkRow[]::new);
        });
  }

  @Override
  public LinkRow[] linkList(
      long id1, long type, long minTime, long maxTime, int offset, int limit) {
    return read(
        type,
        new LinkRow[0],
        (transaction, label) -> {
          List<LinkRow> rows = new ArrayList<>();
          try (LinkScan scan =
              transaction
                  .links()
                  .list(label, id1, minTime, maxTime, SortOrder.DESCENDING, offset, limit)) {
            while (scan.next()) {
              rows.add(row(scan.link(), type));
            }
          }
          return rows.toArray(LinkRow[]::new);
        });
  }

  @Override
  public long countLinks(long id1, long type) {
    return read(type, 0L, (transaction, label) -> transaction.links().count(label, id1));
  }

  @Override
  public int batchSize() {
    return BATCH;
  }

  @Override
  public void addLinks(List<LinkRow> links) {
    done(
        "add links",
        () -> {
          batch.clear();
          for (LinkRow link : links) {
            encode(link);
            batch.add(
                database.label(link.type()),
                link.id1(),
                link.id2(),
                link.time(),
                link.isVisible(),
                properties);
          }
          graph.putLinks(batch);
          return null;
        });
  }

  @Override
  public void setCounts(List<CountRow> counts) {
    // counted as they were added
  }

  @Override
  public void resetNodes(long nextId) {
    done(
        "remove all nodes",
        () -> {
          nodes.reset(nextId);
          return null;
        });
  }

  @Override
  public long[] addNodes(List<NodeRow> rows) {
    return done("add nodes", () -> nodes.add(rows));
  }

  @Override
  public NodeRow node(int type, long id) {
    return done("read a node", () -> nodes.get(type, id));
  }

  @Override
  public boolean updateNode(NodeRow node) {
    return done("update a node", () -> nodes.update(node));
  }

  @Override
  public boolean deleteNode(int type, long id) {
    return done("delete a node", () -> nodes.remove(type, id));
  }

  @Override
  public void reset() {
    batch.clear();
    properties.clear();
  }

  @Override
  public void close() {
    reset();
  }

  private interface Question<T> {
    T ask(GraphTransaction transaction, EdgeLabel label);
  }

  private <T> T read(long type, T nothing, Question<T> question) {
    EdgeLabel label = database.knownLabel(type);
    if (label == null) {
      return nothing;
    }
    return done(
        "read links", () -> reading(graph, transaction -> question.ask(transaction, label)));
  }

  /** Asks a question of the newest snapshot. */
  static <T> T reading(GraphStore graph, Function<GraphTransaction, T> question) {
    try (GraphTransaction transaction = graph.beginReadOnly()) {
      return question.apply(transaction);
    }
  }

  /** Does something, and says what it was if the store cannot. */
  private static <T> T done(String what, Supplier<T> work) {
    try {
      return work.get();
    } catch (LinkStoreException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new LinkStoreException("cannot " + what + ": " + e.getMessage(), e);
    }
  }

  private void encode(LinkRow link) {
    properties
        .clear()
        .putInt(database.version(), link.version())
        .putBytes(database.data(), link.data());
  }

  private LinkRow row(Link link, long type) {
    PropertyView fields = link.properties();
    return new LinkRow(
        link.source(),
        type,
        link.target(),
        link.isVisible() ? LinkRow.VISIBLE : LinkRow.HIDDEN,
        fields.intValue(database.version(), 0),
        link.sortKey(),
        fields.bytesValue(database.data()));
  }
}

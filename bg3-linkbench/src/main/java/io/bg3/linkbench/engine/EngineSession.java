package io.bg3.linkbench.engine;

import io.bg3.core.graph.EdgeLabel;
import io.bg3.core.graph.GraphReader;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.Link;
import io.bg3.core.graph.LinkBatch;
import io.bg3.core.graph.Links;
import io.bg3.core.record.LinkState;
import io.bg3.core.record.PropertyBytes;
import io.bg3.core.record.PropertyView;
import io.bg3.linkbench.model.CountRow;
import io.bg3.linkbench.model.LinkRow;
import io.bg3.linkbench.model.LinkSession;
import io.bg3.linkbench.model.LinkStoreException;
import io.bg3.linkbench.model.NodeRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One thread's way into the store. Writes are updates under the lock of the node they belong to:
 * they never conflict, and a thread that comes late waits.
 */
final class EngineSession implements LinkSession {
  private static final int BATCH = 4_096;
  private static final LinkRow[] NONE = {};

  /** An array for longer answers is not kept. */
  private static final int MOST_KEPT = 1_024;

  private final EngineDatabase database;
  private final GraphStore graph;
  private final NodeVertices nodes;
  private final PropertyBytes properties = new PropertyBytes();
  private final LinkBatch batch = new LinkBatch();
  private final GraphReader reader;

  /** The answer while it is read. */
  private LinkRow[] rows = new LinkRow[MOST_KEPT];

  private int rowCount;

  EngineSession(EngineDatabase database) {
    this.database = database;
    this.graph = database.graph();
    this.reader = graph.reader();
    this.nodes = new NodeVertices(database, reader);
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
        label -> {
          Link link = reader.link(label, id1, id2);
          return link == null ? null : row(link, type);
        });
  }

  @Override
  public LinkRow[] links(long id1, long type, long... id2s) {
    if (id2s.length == 1) {
      LinkRow row = link(id1, type, id2s[0]);
      return row == null ? NONE : new LinkRow[] {row};
    }
    return read(
        type,
        NONE,
        label ->
            reading(
                graph,
                transaction -> {
                  Links links = transaction.links();
                  links.prefetch(label, id1, id2s);
                  List<LinkRow> rows = new ArrayList<>(id2s.length);
                  for (long id2 : id2s) {
                    Link link = links.get(label, id1, id2);
                    if (link != null) {
                      rows.add(row(link, type));
                    }
                  }
                  return rows.toArray(LinkRow[]::new);
                }));
  }

  @Override
  public LinkRow[] linkList(
      long id1, long type, long minTime, long maxTime, int offset, int limit) {
    return read(
        type,
        NONE,
        label -> {
          rowCount = 0;
          reader.links(label, id1, minTime, maxTime, offset, limit, link -> add(row(link, type)));
          LinkRow[] answer = rowCount == 0 ? NONE : Arrays.copyOf(rows, rowCount);
          if (rows.length > MOST_KEPT) {
            rows = new LinkRow[MOST_KEPT];
          } else {
            Arrays.fill(rows, 0, rowCount, null);
          }
          return answer;
        });
  }

  private void add(LinkRow row) {
    if (rowCount == rows.length) {
      rows = Arrays.copyOf(rows, 2 * rowCount);
    }
    rows[rowCount++] = row;
  }

  @Override
  public long countLinks(long id1, long type) {
    return read(type, 0L, label -> reader.count(label, id1));
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

  private <T> T read(long type, T nothing, Function<EdgeLabel, T> question) {
    EdgeLabel label = database.knownLabel(type);
    return label == null ? nothing : done("read links", () -> question.apply(label));
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

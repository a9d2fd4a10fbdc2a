package io.bg3.linkbench;

import com.facebook.LinkBench.GraphStore;
import com.facebook.LinkBench.Link;
import com.facebook.LinkBench.LinkCount;
import com.facebook.LinkBench.Node;
import com.facebook.LinkBench.Phase;
import io.bg3.linkbench.model.CountRow;
import io.bg3.linkbench.model.LinkRow;
import io.bg3.linkbench.model.LinkSession;
import io.bg3.linkbench.model.NodeRow;
import io.bg3.linkbench.workload.Config;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.slf4j.LoggerFactory;

/**
 * BG3 as LinkBench's link store and node store: name this class under {@code linkstore} and {@code
 * nodestore}. {@code bg3.directory} says where the stores are, one for each {@code dbid}; all other
 * settings of the engine can be given with it. With {@code bg3.mode=remote} the store is that of a
 * running server. LinkBench makes one of these for each thread; they share the stores.
 *
 * <p>Inverse links are not kept: LinkBench never asks for them.
 *
 * <p>Threads: one.
 */
public final class Bg3GraphStore extends GraphStore {
  private static final int BATCH = 4_096;

  private final Map<String, LinkSession> sessions = new HashMap<>();
  private StoreSettings settings;
  private String lastName;
  private LinkSession lastSession;

  /** For LinkBench, which initialises it afterwards. */
  public Bg3GraphStore() {}

  /**
   * Reads the settings, and opens the stores unless another thread has.
   *
   * @throws io.bg3.linkbench.workload.ConfigException if a setting is missing or wrong
   * @throws io.bg3.linkbench.model.LinkStoreException if the store cannot be opened
   */
  @Override
  public void initialize(Properties properties, Phase phase, int threadId) {
    if (settings == null) {
      Config config = new Config(properties);
      settings = new StoreSettings(config);
      LostLog.warn(LoggerFactory.getILoggerFactory(), System.err);
      session(config.text("dbid"));
    }
  }

  @Override
  public void close() {
    sessions.forEach(
        (name, session) -> {
          session.close();
          SharedStores.release(settings, name);
        });
    sessions.clear();
    lastName = null;
    lastSession = null;
  }

  @Override
  public void clearErrors(int threadId) {
    sessions.values().forEach(LinkSession::reset);
  }

  @Override
  public boolean addLink(String dbid, Link link, boolean noinverse) {
    return session(dbid).addLink(row(link));
  }

  @Override
  public boolean updateLink(String dbid, Link link, boolean noinverse) {
    return !session(dbid).addLink(row(link));
  }

  @Override
  public boolean deleteLink(
      String dbid, long id1, long type, long id2, boolean noinverse, boolean expunge) {
    return session(dbid).deleteLink(id1, type, id2, expunge);
  }

  @Override
  public Link getLink(String dbid, long id1, long type, long id2) {
    LinkRow row = session(dbid).link(id1, type, id2);
    return row == null ? null : link(row);
  }

  @Override
  public Link[] multigetLinks(String dbid, long id1, long type, long[] id2s) {
    return links(session(dbid).links(id1, type, id2s));
  }

  @Override
  public Link[] getLinkList(String dbid, long id1, long type) {
    return getLinkList(dbid, id1, type, 0, Long.MAX_VALUE, 0, rangeLimit);
  }

  @Override
  public Link[] getLinkList(
      String dbid, long id1, long type, long minTime, long maxTime, int offset, int limit) {
    LinkRow[] rows = session(dbid).linkList(id1, type, minTime, maxTime, offset, limit);
    return rows.length == 0 ? null : links(rows);
  }

  @Override
  public long countLinks(String dbid, long id1, long type) {
    return session(dbid).countLinks(id1, type);
  }

  /**
   * The number of links, counts or nodes that are added at once; known before it is initialised.
   */
  @Override
  public int bulkLoadBatchSize() {
    return BATCH;
  }

  @Override
  public void addBulkLinks(String dbid, List<Link> links, boolean noinverse) {
    LinkSession session = session(dbid);
    List<LinkRow> rows = links.stream().map(Bg3GraphStore::row).toList();
    for (int from = 0; from < rows.size(); from += session.batchSize()) {
      session.addLinks(rows.subList(from, Math.min(from + session.batchSize(), rows.size())));
    }
  }

  @Override
  public void addBulkCounts(String dbid, List<LinkCount> counts) {
    session(dbid)
        .setCounts(
            counts.stream()
                .map(c -> new CountRow(c.id1, c.link_type, c.time, c.version, c.count))
                .toList());
  }

  @Override
  public void resetNodeStore(String dbid, long startId) {
    session(dbid).resetNodes(startId);
  }

  @Override
  public long addNode(String dbid, Node node) {
    return session(dbid).addNodes(List.of(row(node)))[0];
  }

  @Override
  public long[] bulkAddNodes(String dbid, List<Node> nodes) {
    return nodes.isEmpty()
        ? new long[0]
        : session(dbid).addNodes(nodes.stream().map(Bg3GraphStore::row).toList());
  }

  @Override
  public Node getNode(String dbid, int type, long id) {
    NodeRow row = session(dbid).node(type, id);
    return row == null ? null : new Node(id, type, row.version(), row.time(), row.data());
  }

  @Override
  public boolean updateNode(String dbid, Node node) {
    return session(dbid).updateNode(row(node));
  }

  @Override
  public boolean deleteNode(String dbid, int type, long id) {
    return session(dbid).deleteNode(type, id);
  }

  private LinkSession session(String dbid) {
    if (dbid.equals(lastName)) {
      return lastSession;
    }
    if (settings == null) {
      throw new IllegalStateException("not initialised: dbid=" + dbid);
    }
    lastSession =
        sessions.computeIfAbsent(dbid, name -> SharedStores.acquire(settings, name).session());
    lastName = dbid;
    return lastSession;
  }

  private static LinkRow row(Link link) {
    return new LinkRow(
        link.id1, link.link_type, link.id2, link.visibility, link.version, link.time, link.data);
  }

  private static NodeRow row(Node node) {
    return new NodeRow(node.id, node.type, node.version, node.time, node.data);
  }

  private static Link link(LinkRow row) {
    return new Link(
        row.id1(), row.type(), row.id2(), row.visibility(), row.data(), row.version(), row.time());
  }

  private static Link[] links(LinkRow... rows) {
    Link[] links = new Link[rows.length];
    for (int i = 0; i < rows.length; i++) {
      links[i] = link(rows[i]);
    }
    return links;
  }
}

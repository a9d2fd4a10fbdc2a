package io.bg3.linkbench.remote;

import io.bg3.linkbench.model.CountRow;
import io.bg3.linkbench.model.LinkRow;
import io.bg3.linkbench.model.LinkSession;
import io.bg3.linkbench.model.LinkStoreException;
import io.bg3.linkbench.model.NodeRow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One thread's requests to a server: each operation is one. */
final class RemoteSession implements LinkSession {
  private static final String ABSENT = "absent";
  private static final String LABEL = "label";
  private static final String SOURCE = "source";
  private static final String TARGET = "target";

  private final RemoteDatabase database;
  private final ServiceClient server;

  RemoteSession(RemoteDatabase database) {
    this.database = database;
    this.server = database.server();
  }

  @Override
  public boolean addLink(LinkRow link) {
    database.declare(link.type());
    Map<String, Object> parameters = of(link.type(), link.id1());
    parameters.put(TARGET, link.id2());
    parameters.put("sortKey", link.time());
    parameters.put("visible", link.isVisible());
    parameters.put("properties", properties(link));
    return one("bg3.links.add", parameters).equals(ABSENT);
  }

  @Override
  public boolean deleteLink(long id1, long type, long id2, boolean expunge) {
    Map<String, Object> parameters = of(type, id1);
    parameters.put(TARGET, id2);
    parameters.put("expunge", expunge);
    return !one("bg3.links.delete", parameters).equals(ABSENT);
  }

  @Override
  public LinkRow link(long id1, long type, long id2) {
    Map<String, Object> parameters = of(type, id1);
    parameters.put(TARGET, id2);
    LinkRow[] links = rows(id1, type, server.call("bg3.links.get", parameters));
    return links.length == 0 ? null : links[0];
  }

  @Override
  public LinkRow[] links(long id1, long type, long... id2s) {
    Map<String, Object> parameters = of(type, id1);
    parameters.put("targets", Arrays.stream(id2s).boxed().toList());
    return rows(id1, type, server.call("bg3.links.multiget", parameters));
  }

  @Override
  public LinkRow[] linkList(
      long id1, long type, long minTime, long maxTime, int offset, int limit) {
    Map<String, Object> parameters = of(type, id1);
    parameters.put("low", minTime);
    parameters.put("high", maxTime);
    parameters.put("offset", offset);
    parameters.put("limit", limit);
    return rows(id1, type, server.call("bg3.links.list", parameters));
  }

  @Override
  public long countLinks(long id1, long type) {
    return (Long) one("bg3.links.count", of(type, id1));
  }

  @Override
  public int batchSize() {
    return database.batch();
  }

  @Override
  public void addLinks(List<LinkRow> links) {
    List<Object> rows = new ArrayList<>(links.size());
    for (LinkRow link : links) {
      database.declare(link.type());
      rows.add(
          List.of(
              label(link.type()),
              link.id1(),
              link.id2(),
              link.time(),
              link.isVisible(),
              properties(link)));
    }
    server.call("bg3.links.addAll", Map.of("links", rows));
  }

  @Override
  public void setCounts(List<CountRow> counts) {
    // counted as they were added
  }

  @Override
  public void resetNodes(long nextId) {
    long removed;
    do { // so many at a time
      removed = (Long) one("bg3.nodes.reset", Map.of("next", nextId));
    } while (removed > 0);
  }

  @Override
  public long[] addNodes(List<NodeRow> rows) {
    List<Object> nodes = new ArrayList<>(rows.size());
    for (NodeRow row : rows) {
      nodes.add(List.of(label(row.type()), properties(row)));
    }
    return server.call("bg3.nodes.add", Map.of("nodes", nodes)).stream()
        .mapToLong(id -> (Long) id)
        .toArray();
  }

  @Override
  public NodeRow node(int type, long id) {
    List<Object> found = server.call("bg3.nodes.get", Map.of(LABEL, label(type), "id", id));
    if (found.isEmpty()) {
      return null;
    }
    Map<?, ?> fields = (Map<?, ?>) found.get(0);
    return new NodeRow(
        id, type, (Long) fields.get("version"), (Integer) fields.get("time"), data(fields));
  }

  @Override
  public boolean updateNode(NodeRow node) {
    return (Boolean)
        one(
            "bg3.nodes.update",
            Map.of(LABEL, label(node.type()), "id", node.id(), "properties", properties(node)));
  }

  @Override
  public boolean deleteNode(int type, long id) {
    return (Boolean) one("bg3.nodes.delete", Map.of(LABEL, label(type), "id", id));
  }

  @Override
  public void reset() {}

  @Override
  public void close() {}

  private Object one(String service, Map<String, Object> parameters) {
    List<Object> answers = server.call(service, parameters);
    if (answers.size() != 1) {
      throw new LinkStoreException(
          "one answer was expected: service=" + service + ", answers=" + answers.size());
    }
    return answers.get(0);
  }

  private static Map<String, Object> of(long type, long id1) {
    Map<String, Object> parameters = new HashMap<>();
    parameters.put(LABEL, label(type));
    parameters.put(SOURCE, id1);
    return parameters;
  }

  private static String label(long type) {
    return Long.toString(type);
  }

  private static Map<String, Object> properties(LinkRow link) {
    return Map.of("version", link.version(), "data", ByteBuffer.wrap(link.data()));
  }

  private static Map<String, Object> properties(NodeRow node) {
    return Map.of(
        "version", node.version(), "time", node.time(), "data", ByteBuffer.wrap(node.data()));
  }

  private static byte[] data(Map<?, ?> fields) {
    ByteBuffer buffer = ((ByteBuffer) fields.get("data")).duplicate();
    byte[] data = new byte[buffer.remaining()];
    buffer.get(data);
    return data;
  }

  private static LinkRow[] rows(long id1, long type, List<Object> answers) {
    LinkRow[] links = new LinkRow[answers.size()];
    for (int i = 0; i < links.length; i++) {
      List<?> answer = (List<?>) answers.get(i);
      Map<?, ?> fields = (Map<?, ?>) answer.get(3);
      links[i] =
          new LinkRow(
              id1,
              type,
              (Long) answer.get(0),
              (Boolean) answer.get(2) ? LinkRow.VISIBLE : LinkRow.HIDDEN,
              (Integer) fields.get("version"),
              (Long) answer.get(1),
              data(fields));
    }
    return links;
  }
}

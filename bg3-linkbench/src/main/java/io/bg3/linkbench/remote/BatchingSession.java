package io.bg3.linkbench.remote;

import io.bg3.batch.BatchAnswer;
import io.bg3.batch.BatchProperties;
import io.bg3.batch.BatchRequest;
import io.bg3.batch.PriorState;
import io.bg3.linkbench.model.CountRow;
import io.bg3.linkbench.model.LinkRow;
import io.bg3.linkbench.model.LinkSession;
import io.bg3.linkbench.model.NodeRow;
import java.util.List;
import java.util.Map;

/**
 * One thread's operations, which share requests with those of other threads. The operations of a
 * load come in batches anyway, and have requests of their own.
 */
final class BatchingSession implements LinkSession {
  private static final byte[] NOTHING = {};
  private static final int MOST_TARGETS = 0xffff;

  private final RemoteDatabase database;
  private final OperationBatcher reads;
  private final OperationBatcher writes;
  private final LinkTexts texts;
  private final RemoteSession load;

  BatchingSession(
      RemoteDatabase database, OperationBatcher reads, OperationBatcher writes, LinkTexts texts) {
    this.database = database;
    this.reads = reads;
    this.writes = writes;
    this.texts = texts;
    this.load = new RemoteSession(database);
  }

  @Override
  public boolean addLink(LinkRow link) {
    database.declare(link.type());
    BatchRequest request = request();
    request.addLink(
        texts.label(link.type()),
        link.id1(),
        link.id2(),
        link.time(),
        link.isVisible(),
        BatchProperties.of(Map.of(LinkTexts.VERSION, link.version(), LinkTexts.DATA, link.data())));
    return ask(request).priorState() == PriorState.ABSENT;
  }

  @Override
  public boolean deleteLink(long id1, long type, long id2, boolean expunge) {
    BatchRequest request = request();
    request.deleteLink(texts.label(type), id1, id2, expunge);
    return ask(request).priorState() != PriorState.ABSENT;
  }

  @Override
  public LinkRow link(long id1, long type, long id2) {
    LinkRow[] found = links(id1, type, id2);
    return found.length == 0 ? null : found[0];
  }

  @Override
  public LinkRow[] links(long id1, long type, long... id2s) {
    if (id2s.length > MOST_TARGETS) {
      return load.links(id1, type, id2s);
    }
    BatchRequest request = request();
    request.getLinks(texts.label(type), id1, id2s);
    return rows(id1, type, ask(request));
  }

  @Override
  public LinkRow[] linkList(
      long id1, long type, long minTime, long maxTime, int offset, int limit) {
    BatchRequest request = request();
    request.listLinks(texts.label(type), id1, minTime, maxTime, true, offset, limit);
    return rows(id1, type, ask(request));
  }

  @Override
  public long countLinks(long id1, long type) {
    BatchRequest request = request();
    request.countLinks(texts.label(type), id1);
    return ask(request).number();
  }

  @Override
  public int batchSize() {
    return load.batchSize();
  }

  @Override
  public void addLinks(List<LinkRow> links) {
    load.addLinks(links);
  }

  @Override
  public void setCounts(List<CountRow> counts) {
    load.setCounts(counts);
  }

  @Override
  public void resetNodes(long nextId) {
    load.resetNodes(nextId);
  }

  @Override
  public long[] addNodes(List<NodeRow> rows) {
    if (rows.size() != 1) {
      return load.addNodes(rows);
    }
    NodeRow row = rows.get(0);
    BatchRequest request = request();
    request.addNode(texts.label(row.type()), properties(row));
    return new long[] {ask(request).number()};
  }

  @Override
  public NodeRow node(int type, long id) {
    BatchRequest request = request();
    request.getNode(texts.label(type), id);
    return ask(request)
        .node()
        .map(
            found ->
                new NodeRow(
                    id,
                    type,
                    number(found, LinkTexts.VERSION),
                    (int) number(found, LinkTexts.TIME),
                    data(found)))
        .orElse(null);
  }

  @Override
  public boolean updateNode(NodeRow node) {
    BatchRequest request = request();
    request.updateNode(texts.label(node.type()), node.id(), properties(node));
    return ask(request).existed();
  }

  @Override
  public boolean deleteNode(int type, long id) {
    BatchRequest request = request();
    request.deleteNode(texts.label(type), id);
    return ask(request).existed();
  }

  @Override
  public void reset() {}

  @Override
  public void close() {}

  private BatchRequest request() {
    return new BatchRequest(texts.texts());
  }

  private BatchAnswer ask(BatchRequest request) {
    return (request.writes() ? writes : reads).ask(request);
  }

  private static BatchProperties properties(NodeRow node) {
    return BatchProperties.of(
        Map.of(
            LinkTexts.VERSION,
            node.version(),
            LinkTexts.TIME,
            node.time(),
            LinkTexts.DATA,
            node.data()));
  }

  private static LinkRow[] rows(long id1, long type, BatchAnswer answer) {
    return answer.links().stream()
        .map(
            link ->
                new LinkRow(
                    id1,
                    type,
                    link.target(),
                    link.visible() ? LinkRow.VISIBLE : LinkRow.HIDDEN,
                    (int) number(link.properties(), LinkTexts.VERSION),
                    link.sortKey(),
                    data(link.properties())))
        .toArray(LinkRow[]::new);
  }

  private static long number(BatchProperties properties, String key) {
    return properties.get(key) instanceof Number number ? number.longValue() : 0;
  }

  private static byte[] data(BatchProperties properties) {
    return properties.get(LinkTexts.DATA) instanceof byte[] data ? data : NOTHING;
  }
}
